package dev.fairlead.shared;

import dev.fairlead.policy.Priority;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Which devices have jobs in their queues that another device might take, by priority: a bit for
 * each place of the fleet. Thread-safe.
 *
 * <p>A bit is set and cleared under the lock of the device whose queue it tells of: set when a job
 * joins, cleared only when a device has looked there in vain, so that a queue which runs empty and
 * fills again writes nothing here. A device that becomes free publishes its word and then looks
 * here; a job that joins a queue sets the bit and then looks for free devices. Both put a full
 * fence in between, so that one of the two sees the other.
 */
public final class QueueIndex {
  private static final int LISTS = Priority.values().length;

  /** By 64 places, then by priority; segments are shared between an array and its successor. */
  private volatile AtomicLong[] segments = new AtomicLong[0];

  /** The highest priority that was ever marked; -1 if none was. */
  private final AtomicInteger highest = new AtomicInteger(-1);

  public void cover(int places) {
    AtomicLong[] old = segments;
    int count = ((places + Long.SIZE - 1) >> 6) * LISTS;
    if (count > old.length) {
      AtomicLong[] more = new AtomicLong[count];
      System.arraycopy(old, 0, more, 0, old.length);
      for (int i = old.length; i < count; i++) {
        more[i] = new AtomicLong();
      }
      segments = more;
    }
  }

  /** Whether any job has ever joined a queue; until then no device need look. */
  public boolean isUsed() {
    return highest.get() >= 0;
  }

  public void mark(int place, int priority) {
    if (priority > highest.get()) {
      highest.accumulateAndGet(priority, Math::max);
    }
    AtomicLong segment = segments[(place >> 6) * LISTS + priority];
    for (long bits = segment.get();
        !segment.compareAndSet(bits, bits | 1L << place);
        bits = segment.get()) {}
  }

  public void clear(int place, int priority) {
    AtomicLong segment = segments[(place >> 6) * LISTS + priority];
    for (long bits = segment.get();
        !segment.compareAndSet(bits, bits & ~(1L << place));
        bits = segment.get()) {}
  }

  public boolean isEmpty() {
    return next(0) < 0;
  }

  /** Whether a device other than the one at {@code place} has a job of a higher priority. */
  public boolean hasAbove(int priority, int place) {
    if (priority >= highest.get()) {
      return false;
    }
    AtomicLong[] all = segments;
    for (int i = 0; i < all.length; i++) {
      if (i % LISTS > priority) {
        long bits = all[i].get();
        if (i / LISTS == place >> 6) {
          bits &= ~(1L << place);
        }
        if (bits != 0) {
          return true;
        }
      }
    }
    return false;
  }

  /** The first place from {@code from} on whose queue has jobs that others might take; else -1. */
  public int next(int from) {
    AtomicLong[] all = segments;
    for (int segment = from >> 6; segment * LISTS < all.length; segment++) {
      long bits = 0;
      for (int priority = 0; priority < LISTS; priority++) {
        bits |= all[segment * LISTS + priority].get();
      }
      if (segment == from >> 6) {
        bits &= -1L << from;
      }
      if (bits != 0) {
        return (segment << 6) + Long.numberOfTrailingZeros(bits);
      }
    }
    return -1;
  }
}
