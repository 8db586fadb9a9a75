package dev.fairlead.media.chunk;

import dev.fairlead.media.av.Picture;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;

/**
 * Cuts a run of pictures into chunks by the grid. A chunk is complete when the next picture has
 * come, which also says how long its last picture lasts.
 */
public final class Chunker implements AutoCloseable {
  private final LongUnaryOperator grid;
  private final Consumer<Chunk> sink;
  private final List<Picture> pictures = new ArrayList<>();
  private long index;

  /**
   * A chunker for a grid.
   *
   * @param grid the chunk that a timestamp belongs to
   */
  public Chunker(LongUnaryOperator grid, Consumer<Chunk> sink) {
    this.grid = grid;
    this.sink = sink;
  }

  /** Takes over a picture. */
  public void add(Picture picture) {
    long chunk = grid.applyAsLong(picture.pts());
    if (!pictures.isEmpty() && chunk != index) {
      hand(picture.pts());
    }
    index = chunk;
    pictures.add(picture);
  }

  /** No picture comes any more: the last one lasts for so many ticks. */
  public void finish(long usualDuration) {
    if (!pictures.isEmpty()) {
      Picture last = pictures.getLast();
      hand(last.pts() + (last.duration() > 0 ? last.duration() : usualDuration));
    }
  }

  private void hand(long end) {
    Chunk chunk = new Chunk(index, pictures, end);
    pictures.clear();
    sink.accept(chunk);
  }

  /** Lets go of pictures that did not make a chunk. */
  @Override
  public void close() {
    pictures.forEach(Picture::close);
    pictures.clear();
  }
}
