package dev.fairlead.range;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * One device's deque of the units it has still to do: an interval of unit numbers in one word. The
 * owner takes from the front, others steal the back half, each by one compare-and-set.
 *
 * <p>A value of the word never comes back: a unit that was taken does not return to any interval
 * (one that failed goes to the orphans), so the front of an interval only grows, and an interval
 * that a stealing worker installs begins behind all that its deque has held before or holds units
 * that were never taken. There is no ABA.
 */
final class StealableUnits {
  private static final VarHandle WORD;

  static {
    try {
      WORD = MethodHandles.lookup().findVarHandle(StealableUnits.class, "word", long.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  /** Nothing was there. */
  static final long NONE = 0;

  @SuppressWarnings("unused") // written through WORD
  private volatile long word;

  static long interval(int start, int end) {
    return ((long) start << 32) | end;
  }

  static int start(long interval) {
    return (int) (interval >>> 32);
  }

  static int end(long interval) {
    return (int) interval;
  }

  static int length(long interval) {
    return end(interval) - start(interval);
  }

  int size() {
    return length(word);
  }

  /** Fills an empty deque; only its owner does. */
  void fill(long interval) {
    if (size() > 0) {
      throw new IllegalStateException(size() + " units would be lost");
    }
    WORD.setVolatile(this, interval);
  }

  /** Up to {@code most} units from the front, {@link #NONE} if there are none. */
  long take(int most) {
    for (long seen = word; length(seen) > 0; seen = word) {
      int cut = start(seen) + Math.min(most, length(seen));
      if (WORD.compareAndSet(this, seen, interval(cut, end(seen)))) {
        return interval(start(seen), cut);
      }
    }
    return NONE;
  }

  /** The back half, at least one unit; {@link #NONE} if there are none. */
  long steal() {
    for (long seen = word; length(seen) > 0; seen = word) {
      int cut = start(seen) + length(seen) / 2;
      if (WORD.compareAndSet(this, seen, interval(start(seen), cut))) {
        return interval(cut, end(seen));
      }
    }
    return NONE;
  }
}
