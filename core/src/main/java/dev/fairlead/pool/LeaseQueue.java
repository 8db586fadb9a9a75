package dev.fairlead.pool;

import dev.fairlead.policy.Priority;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that were placed on a busy device and wait for one of its slots: a first-in-first-out list
 * per priority, linked through the leases themselves. The head with the smallest rank goes first. A
 * job that was withdrawn stays linked until it comes to the head, but counts no more. Guarded by
 * the device's ledger.
 */
final class LeaseQueue {
  private static final int LISTS = Priority.values().length;

  private final @Nullable Lease[] heads = new @Nullable Lease[LISTS];
  private final @Nullable Lease[] tails = new @Nullable Lease[LISTS];
  private int count;
  private double seconds;

  boolean isEmpty() {
    return count == 0;
  }

  /** Predicted seconds of all that is in line. */
  double seconds() {
    return seconds;
  }

  void add(Lease lease) {
    int list = lease.demand().priority().ordinal();
    Lease tail = tails[list];
    if (tail == null) {
      heads[list] = lease;
    } else {
      tail.next = lease;
    }
    tails[list] = lease;
    lease.inLine(true);
    count++;
    seconds += lease.predictedSeconds();
  }

  /** The next to start, withdrawn ones dropped; null if none is in line. */
  @Nullable Lease peek() {
    if (count == 0) {
      return null;
    }
    Lease first = null;
    for (int list = 0; list < LISTS; list++) {
      Lease head = heads[list];
      while (head != null && !head.isInLine()) {
        unlink(head);
        head = heads[list];
      }
      if (head != null && (first == null || head.rank() - first.rank() < 0)) {
        first = head;
      }
    }
    return first;
  }

  /** Takes the one that {@link #peek} gave. */
  void remove(Lease head) {
    unlink(head);
    withdraw(head);
  }

  /** Counts a job no more that is in line; it is dropped when it comes to the head. */
  void withdraw(Lease lease) {
    lease.inLine(false);
    count--;
    seconds = count == 0 ? 0 : seconds - lease.predictedSeconds();
  }

  /** Drops the head of its list, whatever it counts for. */
  void unlink(Lease head) {
    int list = head.demand().priority().ordinal();
    heads[list] = head.next;
    if (head.next == null) {
      tails[list] = null;
    }
    head.next = null;
  }

  /** Who is in line. */
  List<Job> jobs() {
    List<Job> jobs = new ArrayList<>();
    for (Lease head : heads) {
      for (Lease lease = head; lease != null; lease = lease.next) {
        Job job = lease.job();
        if (job != null && lease.isInLine()) {
          jobs.add(job);
        }
      }
    }
    return jobs;
  }
}
