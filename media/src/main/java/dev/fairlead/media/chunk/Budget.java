package dev.fairlead.media.chunk;

import dev.fairlead.media.settings.BudgetSize;
import java.util.concurrent.CancellationException;

/**
 * The bytes that decoded pictures may take. The only backpressure there is: decoding waits here.
 * Thread-safe.
 *
 * <p>A chunk waits before it begins, and never after. Lanes read a chunk while it is decoded: if it
 * waited in its midst for the bytes of older ones, the lanes that read it would wait with it, and
 * perhaps none would be left for the older ones. So a chunk that turns out larger than what was
 * reserved for it takes more at once, or is refused if all chunks together would then be too much.
 * What is counted is never more than the room; and a picture is there before it is counted, one for
 * each pump.
 *
 * <p>The room may change. What waits goes on at once where it grows. Where it shrinks no chunk
 * begins until enough is given back, and those that have begun may grow to what the room was until
 * then.
 */
public final class Budget {
  private BudgetSize room;

  /** What there may be of chunks that have begun: the room, or more while more is used. */
  private long most;

  private long used;
  private long peak;
  private boolean closed;

  public Budget(BudgetSize room) {
    this.room = room;
    this.most = room.bytes();
  }

  /** There may be so much from now on. */
  public synchronized void resize(BudgetSize size) {
    room = size;
    most = Math.max(most, size.bytes());
    changed();
  }

  /** Whether no more is used than there may be. */
  public synchronized boolean isWithin() {
    return used <= room.bytes();
  }

  public synchronized BudgetSize room() {
    return room;
  }

  private void changed() {
    if (isWithin()) {
      most = room.bytes();
    }
    notifyAll();
  }

  /**
   * Waits for room for a chunk; one for which there is none may go alone, with all there is.
   *
   * @return what is reserved
   * @throws CancellationException if there is no use any more
   */
  public synchronized long reserve(long bytes) throws InterruptedException {
    while (!closed && !hasRoom(bytes)) {
      wait();
    }
    if (closed) {
      throw new CancellationException("Decoding is not wanted any more");
    }
    long reserved = Math.min(bytes, room.bytes());
    use(reserved);
    return reserved;
  }

  /**
   * Waits for room for a chunk that is not to begin without; false, with nothing reserved, if there
   * can be none.
   */
  public synchronized boolean reserveWithin(long bytes) throws InterruptedException {
    while (!closed && bytes <= room.bytes(bytes) && used + bytes > room.bytes(bytes)) {
      wait();
    }
    boolean fits = !closed && bytes <= room.bytes(bytes);
    if (fits) {
      use(bytes);
    }
    return fits;
  }

  /** Takes more for a chunk that has begun; false if there is no room for that. */
  public synchronized boolean grow(long bytes) {
    boolean fits = used + bytes <= most;
    if (fits) {
      use(bytes);
    }
    return fits;
  }

  private void use(long bytes) {
    used += bytes;
    peak = Math.max(peak, used);
  }

  /** Whether there is room for a chunk without waiting. */
  public synchronized boolean hasRoom(long bytes) {
    return used == 0 || used + bytes <= room.bytes(bytes);
  }

  public synchronized void give(long bytes) {
    used -= bytes;
    if (used < 0) {
      throw new IllegalStateException("More was given back than was reserved: " + -used);
    }
    changed();
  }

  /** Ends all waiting. */
  public synchronized void close() {
    closed = true;
    notifyAll();
  }

  public synchronized long peak() {
    return peak;
  }
}
