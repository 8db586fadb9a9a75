package dev.fairlead.range;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A position in a range of indices that hands out each index once, to any number of threads.
 *
 * <pre>{@code
 * for (long i = cursor.next(); i != RangeCursor.DONE; i = cursor.next()) { ... }
 * }</pre>
 *
 * <p>Each range has a cursor of its own. Splitting does not move it; only {@link #next} and {@link
 * #reset} do.
 */
public final class RangeCursor {
  /** What {@link #next} answers past the end; no index is negative. */
  public static final long DONE = -1;

  private final long total;

  // Compare-and-set rather than increment: the position stops at the total, so calls past the end
  // cannot overflow it, also where the total is Long.MAX_VALUE.
  private final AtomicLong position = new AtomicLong();

  private RangeCursor(long total) {
    this.total = total;
  }

  /** A cursor over the indices from 0 up to but not including {@code total}. */
  public static RangeCursor of(long total) {
    if (total < 0) {
      throw new IllegalArgumentException("total is negative: " + total);
    }
    return new RangeCursor(total);
  }

  /** The next index, or {@link #DONE} when all have been handed out. */
  public long next() {
    long index = position.get();
    while (index < total) {
      long found = position.compareAndExchange(index, index + 1);
      if (found == index) {
        return index;
      }
      index = found;
    }
    return DONE;
  }

  /** How many indices have not been handed out yet. */
  public long remaining() {
    return total - position.get();
  }

  /** Starts again at 0. */
  public void reset() {
    position.set(0);
  }

  @Override
  public String toString() {
    return "RangeCursor[" + position + " of " + total + "]";
  }
}
