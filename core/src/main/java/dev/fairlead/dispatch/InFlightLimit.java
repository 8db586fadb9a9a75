package dev.fairlead.dispatch;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets so many in at a time; the rest wait. Thread-safe.
 *
 * <p>Threads that enter count on one counter, those that leave on another, striped one. A thread
 * that enters compares with the last sum of the leavers that was taken, and takes a new one only
 * when that says full; so in the common case the threads that submit and those that finish share no
 * cache line. A thread that has to wait says so before it takes the sum that decides, and one that
 * leaves looks after it has counted: one of the two sees the other.
 */
final class InFlightLimit {
  private final int most;
  private final AtomicLong entered = new AtomicLong();
  private final LongAdder left = new LongAdder();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition moved = lock.newCondition();
  private final AtomicInteger waiting = new AtomicInteger();
  private volatile long leftAtLeast;

  InFlightLimit(int most) {
    this.most = most;
  }

  void enter() throws InterruptedException {
    boolean _ = enter(Long.MAX_VALUE);
  }

  /** Waits to be let in, but not longer than that; false if it took longer. */
  boolean enter(long nanos) throws InterruptedException {
    return tryEnter() || enterLater(nanos);
  }

  private boolean enterLater(long nanos) throws InterruptedException {
    long left = nanos;
    lock.lockInterruptibly();
    waiting.incrementAndGet();
    try {
      while (!tryEnter()) {
        if (left <= 0) {
          return false;
        }
        left = moved.awaitNanos(left);
      }
      return true;
    } finally {
      waiting.decrementAndGet();
      lock.unlock();
    }
  }

  boolean tryEnter() {
    while (true) {
      long seen = entered.get();
      if (seen - leftAtLeast >= most) {
        // What is remembered may go back when another thread writes an older sum; this one decides.
        long sum = left.sum();
        leftAtLeast = sum;
        if (seen - sum >= most) {
          return false;
        }
      }
      if (entered.compareAndSet(seen, seen + 1)) {
        return true;
      }
    }
  }

  void leave() {
    left.increment();
    if (waiting.get() > 0) {
      lock.lock();
      try {
        moved.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  /** Waits until none is inside; newcomers are to be kept away by other means. */
  void awaitEmpty() {
    lock.lock();
    waiting.incrementAndGet();
    try {
      while (entered.get() > left.sum()) {
        moved.awaitUninterruptibly();
      }
    } finally {
      waiting.decrementAndGet();
      lock.unlock();
    }
  }
}
