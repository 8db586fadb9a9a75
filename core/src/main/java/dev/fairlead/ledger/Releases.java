package dev.fairlead.ledger;

import dev.fairlead.device.Fault;
import dev.fairlead.event.PoolListener.Event;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The ways by which a running lease goes, and what has to be known for that: which calls run under
 * it, and how they went. Each is one step under the lock of the device's ledger.
 */
public final class Releases {
  private Releases() {}

  /**
   * Ends a running lease, and starts queued jobs unless others wait for this device; those hang on
   * the ended lease.
   *
   * @param fault null if it succeeded
   * @param unused whether nothing was done, so that nothing is to be counted
   */
  public static Release end(
      Ledger at, HeldLease lease, @Nullable Fault fault, boolean unused, long now) {
    at.lock();
    Release exit = Release.ENDED_BEFORE;
    boolean quiet = false;
    try {
      exit = conclude(lease, fault, unused);
      if (exit == Release.SETTLED) {
        release(at, lease, fault, now);
        quiet = at.slotTable.free() == 0 && at.calm && !at.serving.isAwaited();
      }
    } finally {
      unlock(exit == Release.SETTLED, at);
    }
    return exit == Release.SETTLED && !quiet ? Release.SETTLED_OPEN : exit;
  }

  /** The lease is settled unless a call still runs under it. */
  private static Release conclude(HeldLease lease, @Nullable Fault fault, boolean unused) {
    int seen = lease.state();
    if (!LeaseState.mayEnd(seen)) {
      return Release.ENDED_BEFORE;
    }
    int ended = LeaseState.ended(seen, fault, unused);
    lease.become(ended);
    return LeaseState.isSettled(ended) ? Release.SETTLED : Release.DEFERRED;
  }

  /** Ends a lease whose work does not come back; false if it was settled before. */
  public static boolean endHung(Ledger at, HeldLease lease, long now) {
    at.lock();
    boolean first = false;
    try {
      int seen = lease.state();
      first = !LeaseState.isSettled(seen);
      if (first) {
        lease.become(LeaseState.givenUp(seen));
        if (lease.generation() != at.generation) {
          // Work that hangs is the device's trouble, whichever context it is in.
          at.serving.ended(Optional.of(Fault.CONTEXT), now);
          at.restate();
        }
        release(at, lease, Fault.CONTEXT, now);
      }
      return first;
    } finally {
      unlock(first, at);
    }
  }

  private static void unlock(boolean released, Ledger at) {
    if (released) {
      at.unlock();
    } else {
      at.unlockUnchanged();
    }
  }

  // ---- calls

  /** False if the lease has ended, or its context is on its way out. */
  public static boolean callStarts(Ledger at, HeldLease lease, long now) {
    at.lock();
    try {
      boolean open = lease.generation() == at.generation && !lease.isEnded();
      if (open) {
        lease.become(LeaseState.callStarted(lease.state()));
        at.slotTable.begins(lease, now);
      }
      return open;
    } finally {
      at.unlockUnchanged();
    }
  }

  /** True if the lease waited for this call to settle. */
  public static boolean callEnded(Ledger at, HeldLease lease, boolean well, long now) {
    at.lock();
    boolean last = false;
    try {
      int before = lease.state();
      int after = LeaseState.callEnded(before, well);
      last = LeaseState.isSettled(after) && !LeaseState.isSettled(before);
      lease.become(after);
      if (last) {
        release(at, lease, lease.fault(), now);
      } else if (LeaseState.isAtRest(after)) {
        at.slotTable.rests(lease);
      }
      return last;
    } finally {
      unlock(last, at);
    }
  }

  /** Leaves the end to an event, which may hang as a call may: the watchdog sees both. */
  public static boolean handOver(Ledger at, HeldLease lease, long now) {
    at.lock();
    try {
      int seen = lease.state();
      boolean open = LeaseState.isOpen(seen);
      lease.become(LeaseState.handedOver(seen));
      if (open) {
        at.slotTable.begins(lease, now);
      }
      return open;
    } finally {
      at.unlockUnchanged();
    }
  }

  /** Notes a failure under the lease, in case its end does not say how it went. */
  public static void note(Ledger at, HeldLease lease, Fault fault) {
    at.lock();
    try {
      lease.become(LeaseState.failed(lease.state(), fault));
    } finally {
      at.unlockUnchanged();
    }
  }

  /** Notes that work has run under the lease without an exception. */
  public static void noteSuccess(Ledger at, HeldLease lease) {
    at.lock();
    try {
      lease.become(LeaseState.ran(lease.state()));
    } finally {
      at.unlockUnchanged();
    }
  }

  // ---- under the lock

  /** Gives back what the lease held, and hands it on. */
  private static void release(Ledger at, HeldLease lease, @Nullable Fault fault, long now) {
    at.slotTable.leave(lease);
    at.leave(lease, true);
    if (!lease.isUnused()) {
      record(at, lease, fault, now);
    }
    if (lease.number() != 0) {
      Duration held = Duration.ofNanos(now - lease.startedAt());
      at.events.tell(
          new Event.Ended(
              lease.number(), at.device, lease.demand(), held, lease.fault(), lease.isUnused()));
    }
    if (!at.queue.isEmpty() && mayStartOwn(at)) {
      lease.next = Admissions.startQueued(at, TrackedLease.NO_LIMIT, now);
    }
  }

  /** No demand waits for the device, and no other queue has a job of a higher priority. */
  private static boolean mayStartOwn(Ledger at) {
    TrackedLease head = at.queue.peek();
    return head != null
        && !at.serving.isAwaited()
        && !at.serving.isShut(at.outstanding)
        && !at.queue.isOutranked(head);
  }

  private static void record(Ledger at, HeldLease lease, @Nullable Fault fault, long now) {
    if (at.timed) {
      at.counters.ended(fault == null, lease.size(), lease.startedAt(), now);
      at.lastEnd = now;
    } else {
      at.counters.count(fault == null);
    }
    if ((fault != null || !at.calm)
        && (lease.generation() == at.generation || fault == Fault.LOST)) {
      // Nothing else that a lease of an old generation says is true of the context of today.
      at.serving.ended(Optional.ofNullable(fault), now);
      at.restate();
    }
  }
}
