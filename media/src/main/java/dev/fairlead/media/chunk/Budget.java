package dev.fairlead.media.chunk;

import java.util.function.BooleanSupplier;

/**
 * The bytes that decoded pictures may take. The only backpressure there is: decoding waits here.
 * Thread-safe.
 */
public final class Budget {
  private final Room room;
  private long used;
  private long peak;
  private boolean closed;

  public Budget(Room room) {
    this.room = room;
  }

  /**
   * Waits for room for a chunk; what is larger than all of it may go alone. False if there is no
   * use any more.
   *
   * @param urgent whether not to wait; asked again after {@link #look}
   */
  public synchronized boolean reserve(long bytes, BooleanSupplier urgent)
      throws InterruptedException {
    while (!closed && !hasRoom(bytes) && !urgent.getAsBoolean()) {
      wait();
    }
    used += bytes;
    peak = Math.max(peak, used);
    return !closed;
  }

  /** Whether there is room for a chunk without waiting. */
  public synchronized boolean hasRoom(long bytes) {
    return used == 0 || used + bytes <= room.bytes(bytes);
  }

  /** Something may be urgent now. */
  public synchronized void look() {
    notifyAll();
  }

  public synchronized void give(long bytes) {
    used -= bytes;
    if (used < 0) {
      throw new IllegalStateException("More was given back than was reserved: " + -used);
    }
    notifyAll();
  }

  /** Nobody waits any more. */
  public synchronized void close() {
    closed = true;
    notifyAll();
  }

  public synchronized long used() {
    return used;
  }

  public synchronized long peak() {
    return peak;
  }
}
