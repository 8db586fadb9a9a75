package dev.fairlead.ledger;

import dev.fairlead.event.PoolListener.Event;
import dev.fairlead.policy.Demand;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The ways by which jobs leave a device's queue without having run there: another device takes them
 * over, they are withdrawn, or the device does not serve and they are placed anew. Each is one step
 * under the lock of the ledger, or of both.
 */
public final class QueueMoves {
  private QueueMoves() {}

  /** The job of best rank that another device might take over; see {@link LeaseQueue#best}. */
  public static @Nullable TrackedLease best(
      Ledger from, Ledger taker, long limit, Set<Demand> refused, int depth) {
    int slots = taker.freeSlots();
    from.lock();
    try {
      return from.queue.best(taker, slots, limit, refused, depth);
    } finally {
      from.unlockUnchanged();
    }
  }

  /** The rank of the job that starts next, and its priority; null if none is queued. */
  public static @Nullable TrackedLease head(Ledger ledger) {
    ledger.lock();
    try {
      return ledger.queue.peek();
    } finally {
      ledger.unlockUnchanged();
    }
  }

  /**
   * Moves a job from the queue of {@code from} into a free slot of {@code taker}; false if it is
   * not there any more, or there is no room for it.
   *
   * @param awaited whether it may pass demands that wait for the taker
   * @param seconds what it is expected to take there
   */
  public static boolean takeOver(
      TrackedLease lease, Ledger from, Ledger taker, boolean awaited, double seconds) {
    Ledger first = from.index < taker.index ? from : taker;
    Ledger second = first == from ? taker : from;
    long now = taker.host().now();
    first.lock();
    try {
      second.lock();
      try {
        boolean taken = mayTakeOver(lease, from, taker, awaited) && lease.begin();
        if (taken) {
          move(lease, from, taker, seconds, now);
        }
        return taken;
      } finally {
        second.unlock();
      }
    } finally {
      first.unlock();
    }
  }

  private static boolean mayTakeOver(
      TrackedLease lease, Ledger from, Ledger taker, boolean awaited) {
    return lease.isQueued()
        && lease.isAimedAt(from.host)
        && !taker.serving.isShut(taker.outstanding)
        && (awaited || !taker.serving.isAwaited())
        && taker.slotTable.free() >= lease.slots()
        && taker.hasRoom(lease);
  }

  private static void move(
      TrackedLease lease, Ledger from, Ledger taker, double seconds, long now) {
    from.queue.remove(lease);
    from.leave(lease, false);
    from.pass -= from.shares.areKept() ? 1 / from.device.weight() : 0;
    lease.predict(seconds);
    lease.aim(taker.host());
    taker.enter(lease);
    taker.startAtLast(lease, now);
    if (lease.number() != 0) {
      taker.events.tell(new Event.Moved(lease.number(), from.device, taker.device, lease.demand()));
    }
  }

  /** Devices have come or gone: others may take what is queued here, or may no longer. */
  public static void refresh(Ledger ledger, Function<Demand, Reach> reaches) {
    ledger.lock();
    try {
      ledger.queue.refresh(reaches);
    } finally {
      ledger.unlockUnchanged();
    }
  }

  /** Takes back a job that was withdrawn; whether it was queued there. */
  public static boolean withdraw(TrackedLease lease, Ledger from) {
    from.lock();
    try {
      if (lease.isDropped()) {
        return lease.isAimedAt(from.host);
      }
      boolean queued = lease.isQueued() && lease.isAimedAt(from.host);
      if (queued) {
        takeOut(lease, from);
      }
      return queued;
    } finally {
      from.unlock();
    }
  }

  /** Empties a queue; the jobs are to be placed anew. */
  public static List<TrackedLease> takeAll(Ledger from) {
    List<TrackedLease> taken = new ArrayList<>();
    from.lock();
    try {
      for (TrackedLease head = from.queue.peek(); head != null; head = from.queue.peek()) {
        takeOut(head, from);
        taken.add(head);
      }
      return taken;
    } finally {
      from.unlock();
    }
  }

  private static void takeOut(TrackedLease lease, Ledger from) {
    from.queue.remove(lease);
    from.leave(lease, false);
    from.reportWithdrawn(lease);
  }
}
