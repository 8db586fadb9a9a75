package dev.fairlead.media.chunk;

import dev.fairlead.media.av.Picture;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * The decoded pictures of one cell of the chunk grid. Every rung reads the same copy, from its
 * first picture on; a reader that is faster than the decoder waits for it. Thread-safe.
 *
 * <p>State line: OPEN → COMPLETE or BROKEN.
 */
public final class Chunk implements AutoCloseable {
  private enum State {
    OPEN,
    COMPLETE,
    BROKEN
  }

  private final long index;
  private final ReadAhead lead;
  private final List<Picture> pictures = new ArrayList<>();
  private State state = State.OPEN;
  private long end;
  private int asked;
  private boolean closed;

  Chunk(long index, ReadAhead lead) {
    this.index = index;
    this.lead = lead;
  }

  /** A chunk that is there as a whole; {@code end} is when the picture after it would be shown. */
  public static Chunk of(long index, List<Picture> pictures, long end) {
    if (pictures.isEmpty()) {
      throw new IllegalArgumentException("Chunk " + index + " has no pictures");
    }
    Chunk chunk = new Chunk(index, new ReadAhead());
    chunk.pictures.addAll(pictures);
    chunk.complete(end);
    return chunk;
  }

  public long index() {
    return index;
  }

  void add(Picture picture) {
    synchronized (lead) {
      pictures.add(picture);
      if (closed) {
        picture.close();
      }
      lead.notifyAll();
    }
  }

  /** Waits until a reader will soon need a further picture. */
  void awaitReaders() throws InterruptedException {
    synchronized (lead) {
      if (ahead() >= lead.pictures()) {
        while (ahead() > lead.pictures() / 2) {
          lead.rested();
          lead.wait();
        }
      }
    }
  }

  /** How many pictures are there. */
  int size() {
    synchronized (lead) {
      return pictures.size();
    }
  }

  private int ahead() {
    return pictures.size() - asked;
  }

  void complete(long at) {
    synchronized (lead) {
      state = State.COMPLETE;
      end = at;
      lead.notifyAll();
    }
  }

  /** The rest will not come. */
  void giveUp() {
    synchronized (lead) {
      state = State.BROKEN;
      lead.notifyAll();
    }
  }

  /** A picture by its place, which the chunk goes on to own; null if it has fewer. */
  public @Nullable Picture get(int place) throws InterruptedException {
    synchronized (lead) {
      asked = Math.max(asked, place + 1);
      lead.notifyAll();
      while (place >= pictures.size() && state == State.OPEN) {
        lead.waited();
        lead.wait();
      }
      if (state == State.BROKEN) {
        throw new CancellationException("Chunk " + index + " could not be decoded to its end");
      }
      return place < pictures.size() ? pictures.get(place) : null;
    }
  }

  /** When its pictures are shown; of a chunk that is complete. */
  public long[] times() {
    synchronized (lead) {
      checkComplete();
      return pictures.stream().mapToLong(Picture::pts).toArray();
    }
  }

  /** When the picture after its last one is shown, in ticks of the track; once it is complete. */
  public long end() {
    synchronized (lead) {
      checkComplete();
      return end;
    }
  }

  private void checkComplete() {
    if (state != State.COMPLETE) {
      throw new IllegalStateException("Chunk " + index + " is not complete");
    }
  }

  @Override
  public void close() {
    synchronized (lead) {
      closed = true;
      pictures.forEach(Picture::close);
    }
  }
}
