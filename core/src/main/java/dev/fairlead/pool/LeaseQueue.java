package dev.fairlead.pool;

import dev.fairlead.policy.Priority;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that were placed on a busy device and wait for one of its slots: a first-in-first-out list
 * per priority, linked through the leases themselves. The head with the smallest rank goes first.
 * Guarded by the device's ledger.
 */
final class LeaseQueue {
  private static final int LISTS = Priority.values().length;

  private final @Nullable Lease[] heads = new @Nullable Lease[LISTS];
  private final @Nullable Lease[] tails = new @Nullable Lease[LISTS];

  void add(Lease lease) {
    int list = lease.demand().priority().ordinal();
    Lease tail = tails[list];
    if (tail == null) {
      heads[list] = lease;
    } else {
      tail.next = lease;
    }
    tails[list] = lease;
  }

  /** The next to start, withdrawn ones dropped; null if none waits. */
  @Nullable Lease peek() {
    Lease first = null;
    for (int list = 0; list < LISTS; list++) {
      Lease head = heads[list];
      while (head != null && head.isEnded()) {
        remove(head);
        head = heads[list];
      }
      if (head != null && (first == null || head.rank() - first.rank() < 0)) {
        first = head;
      }
    }
    return first;
  }

  /** Removes the head of its list. */
  void remove(Lease head) {
    int list = head.demand().priority().ordinal();
    heads[list] = head.next;
    if (head.next == null) {
      tails[list] = null;
    }
    head.next = null;
  }

  void collect(List<Job> jobs) {
    for (Lease head : heads) {
      for (Lease lease = head; lease != null; lease = lease.next) {
        Job job = lease.job();
        if (job != null) {
          jobs.add(job);
        }
      }
    }
  }
}
