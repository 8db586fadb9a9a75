package dev.fairlead.media.chunk;

import dev.fairlead.media.av.Picture;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a run of pictures into chunks by the grid. A chunk is handed on with its first picture. It
 * is complete when the picture after it has come, which also says how long its last one lasts.
 */
public final class Chunker implements AutoCloseable {
  private final LongUnaryOperator grid;
  private final Consumer<Chunk> sink;
  private final ReadAhead lead;
  private final LongConsumer completed;
  private @Nullable Chunk open;
  private long last;
  private long lasts;

  /**
   * A chunker for a grid.
   *
   * @param grid the chunk that a timestamp belongs to
   * @param sink owns what it is given
   */
  public Chunker(LongUnaryOperator grid, ReadAhead lead, Consumer<Chunk> sink) {
    this(grid, lead, sink, chunk -> {});
  }

  /**
   * The same.
   *
   * @param completed told of each chunk that has its last picture
   */
  public Chunker(
      LongUnaryOperator grid, ReadAhead lead, Consumer<Chunk> sink, LongConsumer completed) {
    this.grid = grid;
    this.lead = lead;
    this.sink = sink;
    this.completed = completed;
  }

  /** Says when the next picture is shown, which may complete a chunk. */
  public void next(long pts) {
    if (open != null && grid.applyAsLong(pts) != open.index()) {
      complete(open, pts);
    }
  }

  /** Takes over a picture; waits while those who read are far behind. */
  public void add(Picture picture) throws InterruptedException {
    next(picture.pts());
    last = picture.pts();
    lasts = picture.duration();
    if (open == null) {
      lead.next();
      open = new Chunk(grid.applyAsLong(picture.pts()), lead);
      open.add(picture);
      sink.accept(open);
    } else {
      open.add(picture);
    }
    open.awaitReaders();
  }

  /**
   * No picture comes any more.
   *
   * @param usualDuration how long the last one lasts unless it says so itself
   * @param least how long it lasts in any case
   */
  public void finish(long usualDuration, long least) {
    if (open != null) {
      complete(open, last + Math.max(least, lasts > 0 ? lasts : usualDuration));
    }
  }

  private void complete(Chunk chunk, long end) {
    open = null;
    chunk.complete(end);
    completed.accept(chunk.index());
  }

  /** Gives up a chunk that did not become complete. */
  @Override
  public void close() {
    if (open != null) {
      open.giveUp();
      open = null;
    }
  }
}
