package dev.fairlead.ledger;

import dev.fairlead.lease.QueuedWork;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.Priority;
import dev.fairlead.shared.QueueIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that were placed on a busy device and wait for one of its slots: a list per priority, first
 * in, first out, linked both ways through the leases themselves, so that one which is withdrawn or
 * taken by another device leaves at once. The head with the smallest rank goes first. Guarded by
 * the device's ledger.
 */
final class LeaseQueue {
  private static final int LISTS = Priority.values().length;

  private final QueueIndex index;
  private final @Nullable TrackedLease[] heads = new @Nullable TrackedLease[LISTS];
  private final @Nullable TrackedLease[] tails = new @Nullable TrackedLease[LISTS];
  private final int[] movable = new int[LISTS];
  private final boolean[] marked = new boolean[LISTS];
  private int place;
  private int count;
  private int open;
  private double seconds;

  /** The devices that might take some job from here; may name more until the queue is empty. */
  private long reach;

  LeaseQueue(QueueIndex index) {
    this.index = index;
  }

  void settleAt(int where) {
    place = where;
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** How many jobs any device could take. */
  int open() {
    return open;
  }

  /** Predicted seconds of all that is queued. */
  double seconds() {
    return seconds;
  }

  /**
   * Nothing is called between the first and the last link, so that a list is whole or unchanged.
   */
  void add(TrackedLease lease) {
    int list = lease.demand().priority().ordinal();
    double more = lease.predictedSeconds();
    TrackedLease tail = tails[list];
    if (lease.isMovable()) {
      reach |= lease.reach();
      open += lease.isOpenToAll() ? 1 : 0;
      movable[list]++;
      mark(list);
    }
    lease.queued(true);
    lease.previous = tail;
    lease.next = null;
    if (tail == null) {
      heads[list] = lease;
    } else {
      tail.next = lease;
    }
    tails[list] = lease;
    count++;
    seconds += more;
  }

  private void mark(int list) {
    if (!marked[list]) {
      marked[list] = true;
      index.mark(place, list);
    }
  }

  /** Takes back the marks of lists that have nothing for other devices. */
  private void unmark() {
    for (int list = 0; list < LISTS; list++) {
      if (marked[list] && movable[list] == 0) {
        marked[list] = false;
        index.clear(place, list);
      }
    }
  }

  /** The next to start; null if none is queued. */
  @Nullable TrackedLease peek() {
    TrackedLease first = null;
    for (int list = 0; list < LISTS && count > 0; list++) {
      TrackedLease head = heads[list];
      if (head != null && (first == null || head.rank() - first.rank() < 0)) {
        first = head;
      }
    }
    return first;
  }

  /** Whether the queue of another device has a job of a higher priority than this one's head. */
  boolean isOutranked(TrackedLease head) {
    return index.isUsed() && index.hasAbove(head.demand().priority().ordinal(), place);
  }

  /** Takes a job out that is queued here. */
  void remove(TrackedLease lease) {
    int list = lease.demand().priority().ordinal();
    double less = lease.predictedSeconds();
    boolean movesOn = lease.isMovable();
    boolean wasOpen = lease.isOpenToAll();
    TrackedLease before = lease.previous;
    TrackedLease after = (TrackedLease) lease.next;
    lease.queued(false);
    if (before == null) {
      heads[list] = after;
    } else {
      before.next = after;
    }
    if (after == null) {
      tails[list] = before;
    } else {
      after.previous = before;
    }
    lease.previous = null;
    lease.next = null;
    count--;
    seconds = count == 0 ? 0 : seconds - less;
    open -= movesOn && wasOpen ? 1 : 0;
    movable[list] -= movesOn ? 1 : 0;
    if (count == 0) {
      reach = 0;
    }
  }

  /**
   * The job of best rank that the device at another place might take: it may run there, asks for no
   * more slots than are free there, and its demand was not refused before.
   *
   * @param limit only jobs that rank before it
   * @param depth how many jobs are looked at, at most
   */
  @Nullable TrackedLease best(Ledger taker, int slots, long limit, Set<Demand> refused, int depth) {
    if (count == 0) {
      unmark();
    }
    long bit = 1L << taker.place();
    if ((reach & bit) == 0) {
      return null;
    }
    TrackedLease best = null;
    int looks = depth;
    for (int list = LISTS - 1; list >= 0; list--) {
      if (movable[list] == 0) {
        continue;
      }
      for (TrackedLease each = heads[list];
          each != null && looks-- > 0;
          each = (TrackedLease) each.next) {
        if ((each.reach() & bit) != 0
            && each.isMovable()
            && !each.isEnded()
            && each.slots() <= slots
            && (each.isPlain() || taker.fits(each.demand()))
            && !refused.contains(each.demand())) {
          if (each.ranksBefore(limit) && (best == null || each.rank() - best.rank() < 0)) {
            best = each;
          }
          break;
        }
      }
    }
    return best;
  }

  /** The fleet is another one: which devices might take what has to be worked out anew. */
  void refresh(Function<Demand, Reach> reaches) {
    reach = 0;
    open = 0;
    for (int list = 0; list < LISTS; list++) {
      movable[list] = 0;
      for (HeldLease each = heads[list]; each != null; each = each.next) {
        TrackedLease lease = (TrackedLease) each;
        lease.reachedBy(reaches.apply(lease.demand()));
        reach |= lease.reach();
        open += lease.isOpenToAll() ? 1 : 0;
        movable[list] += lease.isMovable() ? 1 : 0;
      }
      if (movable[list] > 0) {
        mark(list);
      }
    }
  }

  /** All jobs in the queue. */
  List<QueuedWork> jobs() {
    List<QueuedWork> jobs = new ArrayList<>();
    for (TrackedLease head : heads) {
      for (HeldLease lease = head; lease != null; lease = lease.next) {
        QueuedWork job = lease.job();
        if (job != null) {
          jobs.add(job);
        }
      }
    }
    return jobs;
  }
}
