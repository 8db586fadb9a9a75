package dev.fairlead.pool;

import dev.fairlead.device.Device;
import dev.fairlead.device.Fault;
import dev.fairlead.policy.Policies;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The entries in a device's books: leases come and go.
 *
 * <p>Most leases ask for one slot and nothing else ("plain"), of a device with which nothing is
 * wrong ("calm"); for these, entering and leaving touch a handful of fields.
 */
final class Ledger extends Books {
  private static final long NO_LIMIT = Long.MAX_VALUE;

  Ledger(Device device, Floors floors, Shares shares, boolean timed) {
    super(device, floors, shares, timed);
  }

  /** A place whose device was removed: never takes anything. */
  static Ledger vacant(int index, Device device, Floors floors) {
    Ledger ledger = new Ledger(device.withSlots(1), floors, new Shares(), false);
    ledger.index = index;
    ledger.change(Standing::drain);
    return ledger;
  }

  // ---- entering

  /**
   * Gives the lease a running slot and all that its demand asks for, or nothing.
   *
   * @param atMost the burden that the device was chosen on
   * @param first whether the lease has waited longest, so that it may pass others that wait
   */
  Admission take(Lease lease, int atMost, boolean first, long now) {
    long seen = lockFor(atMost);
    if (seen == TAKEN) {
      return Admission.LOST;
    }
    if (burden(seen) > atMost || (seen & (first ? SHUT : SHUT | AWAITED)) != 0) {
      unlockUnchanged();
      return Admission.LOST;
    }
    if (berths.free() < lease.slots() || !hasRoom(lease)) {
      unlockUnchanged();
      return Admission.UNFIT;
    }
    if (first && !lease.begin()) {
      unlockUnchanged();
      return Admission.WITHDRAWN;
    }
    admit(lease);
    start(lease, now);
    unlockMoreBurdened();
    return Admission.RUNNING;
  }

  /** Gives the job a slot if one is free and nobody was there before it, else a place in line. */
  Admission enqueue(Lease lease, int atMost, long now) {
    long seen = lockFor(atMost);
    if (seen == TAKEN) {
      return Admission.LOST;
    }
    if (burden(seen) > atMost || (seen & (SHUT | AWAITED)) != 0) {
      unlockUnchanged();
      return Admission.LOST;
    }
    if (!hasRoom(lease)) {
      unlockUnchanged();
      return Admission.UNFIT;
    }
    boolean starts = berths.free() >= lease.slots() && queue.isEmpty();
    if (starts ? !lease.begin() : lease.isEnded()) {
      unlockUnchanged();
      return Admission.WITHDRAWN;
    }
    admit(lease);
    if (starts) {
      start(lease, now);
    } else {
      queue.add(lease);
    }
    unlockMoreBurdened();
    return starts ? Admission.RUNNING : Admission.QUEUED;
  }

  /** Whoever takes the device at any burden waits for the lock; others look elsewhere meanwhile. */
  private long lockFor(int atMost) {
    return atMost == Integer.MAX_VALUE ? lock() : tryLock();
  }

  private boolean hasRoom(Lease lease) {
    return lease.isPlain() || reservations.fit(lease.demand());
  }

  private void admit(Lease lease) {
    lease.admitted(outstanding, reservations.freeBytes());
    outstanding++;
    if (!lease.isPlain()) {
      reservations.take(lease.demand().resources());
    }
    if (shares.areKept()) {
      double weight = device.weight();
      double start = Policies.start(pass, shares.horizon(), weight);
      pass = start + 1 / weight;
      shares.reached(start);
    }
  }

  private void start(Lease lease, long now) {
    if (timed && berths.areAllFree()) {
      accounts.wake(now);
    }
    lease.started(berths.take(lease, now), generation, now);
  }

  /** Starts jobs in line, as far as slots go, that rank before {@code limit}; a linked chain. */
  private @Nullable Lease startQueued(long limit, long now) {
    Lease chain = null;
    for (Lease head = queue.peek(); head != null; head = queue.peek()) {
      if (berths.free() < head.slots() || (limit != NO_LIMIT && head.rank() - limit >= 0)) {
        break;
      }
      if (head.begin()) {
        queue.remove(head);
        start(head, now);
        head.next = chain;
        chain = head;
      } else {
        // Whoever withdraws it counts it out; it must not stand in the way meanwhile.
        queue.unlink(head);
      }
    }
    return chain;
  }

  @Nullable Lease startQueuedBefore(long limit, long now) {
    lock();
    Lease chain = standing.isShut(outstanding) ? null : startQueued(limit, now);
    unlock();
    return chain;
  }

  // ---- leaving

  /**
   * Ends a running lease, and starts jobs in line unless others wait for this device; those hang on
   * the ended lease.
   *
   * @param fault null if it succeeded
   * @param unused whether nothing was done, so that nothing is to be counted
   */
  Exit end(Lease lease, @Nullable Fault fault, boolean unused, long now) {
    lock();
    Exit exit = lease.conclude(fault, unused);
    if (exit == Exit.SETTLED) {
      release(lease, fault, now);
    } else {
      unlockUnchanged();
    }
    return exit;
  }

  boolean endHung(Lease lease, long now) {
    lock();
    boolean first = lease.giveUp();
    if (first) {
      if (lease.generation() != generation) {
        // Work that hangs is the device's trouble, whichever context it is in.
        standing.ended(Optional.of(Fault.CONTEXT), now);
        restate();
      }
      release(lease, Fault.CONTEXT, now);
    } else {
      unlockUnchanged();
    }
    return first;
  }

  /** False if the lease has ended, or its context is on its way out. */
  boolean callStarts(Lease lease, long now) {
    lock();
    boolean open = lease.generation() == generation && lease.callStarts();
    if (open) {
      berths.begins(lease, now);
    }
    unlockUnchanged();
    return open;
  }

  /** True if the lease waited for this call to settle. */
  boolean callEnded(Lease lease, long now) {
    lock();
    boolean last = lease.callEnded();
    if (last) {
      release(lease, lease.fault(), now);
    } else {
      if (!lease.hasCalls() && !lease.isHandedOver()) {
        berths.rests(lease);
      }
      unlockUnchanged();
    }
    return last;
  }

  /** Leaves the end to an event, which may hang as a call may: the watchdog sees both. */
  boolean handOver(Lease lease, long now) {
    lock();
    boolean open = lease.handOver();
    if (open) {
      berths.begins(lease, now);
    }
    unlockUnchanged();
    return open;
  }

  void note(Lease lease, Fault fault) {
    lock();
    lease.note(fault);
    unlockUnchanged();
  }

  /** Gives back what the lease held, hands it on, and unlocks. */
  private void release(Lease lease, @Nullable Fault fault, long now) {
    berths.leave(lease);
    leave(lease);
    if (!lease.isUnused()) {
      record(lease, fault, now);
    }
    if (!queue.isEmpty() && !standing.isAwaited() && !standing.isShut(outstanding)) {
      lease.next = startQueued(NO_LIMIT, now);
    }
    unlock();
  }

  private void leave(Lease lease) {
    outstanding--;
    if (!lease.isPlain()) {
      reservations.give(lease.demand().resources());
    }
  }

  private void record(Lease lease, @Nullable Fault fault, long now) {
    if (timed) {
      accounts.ended(fault == null, lease.size(), lease.startedAt(), now);
      lastEnd = now;
    } else {
      accounts.count(fault == null);
    }
    if ((fault != null || !calm) && (lease.generation() == generation || fault == Fault.LOST)) {
      // Nothing else that a lease of an old generation says is true of the context of today.
      standing.ended(Optional.ofNullable(fault), now);
      restate();
    }
  }

  /** Takes back a job that was withdrawn, if it is still in line here. */
  boolean withdraw(Lease lease) {
    lock();
    boolean inLine = lease.isInLine();
    if (inLine) {
      queue.withdraw(lease);
      leave(lease);
    }
    unlock();
    return inLine;
  }

  /** Empties the line; the jobs are to be placed anew. */
  List<Lease> takeQueued() {
    List<Lease> taken = new ArrayList<>();
    lock();
    for (Lease head = queue.peek(); head != null; head = queue.peek()) {
      queue.remove(head);
      leave(head);
      taken.add(head);
    }
    unlock();
    return taken;
  }

  /** Says that a demand waits for this device, or that none does any more: then jobs may start. */
  @Nullable Lease await(boolean waited, long now) {
    lock();
    standing.awaited(waited);
    restate();
    Lease chain = waited || standing.isShut(outstanding) ? null : startQueued(NO_LIMIT, now);
    unlock();
    return chain;
  }
}
