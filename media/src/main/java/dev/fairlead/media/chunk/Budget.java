package dev.fairlead.media.chunk;

import dev.fairlead.media.settings.BudgetSize;
import java.util.function.BooleanSupplier;

/**
 * The bytes that decoded pictures may take. The only backpressure there is: decoding waits here.
 * Thread-safe.
 *
 * <p>A chunk waits before it begins, and never after. Lanes read a chunk while it is decoded: if it
 * waited in its midst for the bytes of older ones, the lanes that read it would wait with it, and
 * perhaps none would be left for the older ones. So a chunk that turns out larger than what was
 * reserved for it takes more at once, or is refused if all chunks together would then be too much.
 * What is counted is never more than the room, but for chunks that are urgent, which were in the
 * room together before; and a picture is there before it is counted, one for each pump.
 */
public final class Budget {
  private final BudgetSize room;
  private long used;
  private long peak;
  private boolean closed;

  public Budget(BudgetSize room) {
    this.room = room;
  }

  /**
   * Waits for room for a chunk; one for which there is none may go alone. False if there is no use
   * any more.
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

  /**
   * Waits for room for a chunk that is not to begin without; false, with nothing reserved, if there
   * can be none, or if it is urgent before there is.
   */
  public synchronized boolean reserveWithin(long bytes, BooleanSupplier urgent)
      throws InterruptedException {
    if (bytes > room.bytes(bytes)) {
      return false;
    }
    while (!closed && used + bytes > room.bytes(bytes) && !urgent.getAsBoolean()) {
      wait();
    }
    return !closed && grow(bytes);
  }

  /** Takes more for a chunk that has begun; false if there is no room for that. */
  public synchronized boolean grow(long bytes) {
    if (used + bytes > room.bytes()) {
      return false;
    }
    used += bytes;
    peak = Math.max(peak, used);
    return true;
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

  /** Ends all waiting. */
  public synchronized void close() {
    closed = true;
    notifyAll();
  }

  public synchronized long peak() {
    return peak;
  }
}
