package dev.fairlead.pool;

import java.util.concurrent.atomic.LongAdder;

/** Counts the demands that were not served, and why. Thread-safe. */
final class RefusalCounters {
  private final LongAdder rejected = new LongAdder();
  private final LongAdder timedOut = new LongAdder();
  private final LongAdder withdrawn = new LongAdder();

  void rejected() {
    rejected.increment();
  }

  void timedOut() {
    timedOut.increment();
  }

  void withdrawn() {
    withdrawn.increment();
  }

  PoolSnapshot.Refusals sums() {
    return new PoolSnapshot.Refusals(rejected.sum(), timedOut.sum(), withdrawn.sum());
  }
}
