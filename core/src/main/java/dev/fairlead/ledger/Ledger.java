package dev.fairlead.ledger;

import dev.fairlead.device.Device;
import dev.fairlead.device.Fault;
import dev.fairlead.event.PoolListener.Event;
import dev.fairlead.policy.Policies;
import dev.fairlead.shared.PolicyState;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The entries in a device's books: leases come and go. {@link QueueMoves} has the ways by which a
 * queued job goes elsewhere.
 *
 * <p>Most leases ask for one slot and nothing else ("plain"), of a device with which nothing is
 * wrong ("calm"); for these, entering and leaving touch a handful of fields. Events are handed over
 * under the lock, so that they come in the order in which things happened.
 */
public final class Ledger extends Books {
  public Ledger(Device device, PolicyState memory, boolean timed) {
    super(device, memory, timed);
  }

  /** A place whose device was removed: never takes anything. */
  public static Ledger vacant(Ledger old, PolicyState memory) {
    Ledger ledger = new Ledger(old.device().withSlots(1), memory, false);
    ledger.index = old.index();
    ledger.place = old.place();
    ledger.change(ServingState::remove);
    return ledger;
  }

  // ---- entering

  /**
   * Gives the lease a running slot and all that its demand asks for, or nothing.
   *
   * @param atMost the burden that the device was chosen on
   * @param first whether the lease has waited longest, so that it may pass others that wait
   */
  public Admission take(HeldLease lease, int atMost, boolean first, long now) {
    long seen = lockFor(atMost);
    if (seen == TAKEN) {
      return Admission.LOCKED;
    }
    Admission entry = Admission.RUNNING;
    try {
      entry = takeLocked(lease, seen, atMost, first, now);
    } finally {
      unlockAfter(entry);
    }
    return entry;
  }

  private Admission takeLocked(HeldLease lease, long seen, int atMost, boolean first, long now) {
    if (burden(seen) > atMost || (seen & (first ? SHUT : SHUT | AWAITED)) != 0) {
      return Admission.LOST;
    }
    if (slotTable.free() < lease.slots() || !hasRoom(lease)) {
      return Admission.UNFIT;
    }
    if (first && !lease.begin()) {
      return Admission.WITHDRAWN;
    }
    admit(lease);
    if (first) {
      startAtLast(lease, now);
    } else {
      start(lease, now);
    }
    return Admission.RUNNING;
  }

  /**
   * Gives the job a slot if one is free and nobody was there before it, else a place in the queue.
   *
   * @param atOnce whether a slot is all that will do
   */
  public Admission enqueue(TrackedLease lease, int atMost, boolean atOnce, long now) {
    long seen = lockFor(atMost);
    if (seen == TAKEN) {
      return Admission.LOCKED;
    }
    Admission entry = Admission.QUEUED;
    try {
      entry = enqueueLocked(lease, seen, atMost, atOnce, now);
    } finally {
      unlockAfter(entry);
    }
    return entry;
  }

  private Admission enqueueLocked(
      TrackedLease lease, long seen, int atMost, boolean atOnce, long now) {
    if (burden(seen) > atMost || (seen & (SHUT | AWAITED)) != 0) {
      return Admission.LOST;
    }
    TrackedLease head = queue.peek();
    boolean starts =
        slotTable.free() >= lease.slots() && (head == null || lease.ranksBefore(head.rank()));
    if (!starts && atOnce) {
      return Admission.LOST;
    }
    if (!hasRoom(lease)) {
      return Admission.UNFIT;
    }
    if (starts ? !lease.begin() : lease.isEnded()) {
      return Admission.WITHDRAWN;
    }
    admit(lease);
    if (starts) {
      start(lease, now);
      return Admission.RUNNING;
    }
    queue.add(lease);
    boolean follows = lease.isOpenToAll() && queue.open() > 1;
    return follows || !lease.isMovable() ? Admission.QUEUED : Admission.QUEUED_FIRST;
  }

  /** Whoever takes the device at any burden waits for the lock; others look elsewhere meanwhile. */
  private long lockFor(int atMost) {
    return atMost == Integer.MAX_VALUE ? lock() : tryLock();
  }

  /** An entry that an error has cut short counts as one: the books may have changed. */
  private void unlockAfter(Admission entry) {
    if (entry.isIn()) {
      unlockMoreBurdened();
    } else {
      unlockUnchanged();
    }
  }

  boolean hasRoom(HeldLease lease) {
    return lease.isPlain() || reservations.fit(lease.demand());
  }

  private void admit(HeldLease lease) {
    enter(lease);
    if (lease.number() != 0) {
      events.tell(
          new Event.Placed(
              lease.number(), device, lease.demand(), ((TrackedLease) lease).takeExplanation()));
    }
  }

  void enter(HeldLease lease) {
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

  private void start(HeldLease lease, long now) {
    if (timed && slotTable.areAllFree()) {
      counters.wake(now);
    }
    if (!lease.isPlain()) {
      reservations.started(lease.demand().resources());
    }
    lease.started(slotTable.take(lease, now), generation, now);
  }

  /** Starts a lease that had to wait for it. */
  void startAtLast(HeldLease lease, long now) {
    if (timed) {
      counters.waited(now - lease.rank() - lease.demand().priority().ordinal() * headStart);
    }
    start(lease, now);
  }

  /** Starts queued jobs, as far as slots go, that rank before {@code limit}; a linked chain. */
  private @Nullable HeldLease startQueued(long limit, long now) {
    HeldLease chain = null;
    for (TrackedLease head = queue.peek(); head != null; head = queue.peek()) {
      if (slotTable.free() < head.slots() || !head.ranksBefore(limit)) {
        break;
      }
      queue.remove(head);
      if (head.begin()) {
        startAtLast(head, now);
        head.next = chain;
        chain = head;
      } else {
        // It was withdrawn just now, and must not stand in the way meanwhile.
        leave(head, false);
        tellWithdrawn(head);
        head.dropped();
      }
    }
    return chain;
  }

  public @Nullable HeldLease startQueuedBefore(long limit, long now) {
    lock();
    try {
      return serving.isShut(outstanding) ? null : startQueued(limit, now);
    } finally {
      unlock();
    }
  }

  // ---- leaving

  /**
   * Ends a running lease, and starts queued jobs unless others wait for this device; those hang on
   * the ended lease.
   *
   * @param fault null if it succeeded
   * @param unused whether nothing was done, so that nothing is to be counted
   */
  public Release end(HeldLease lease, @Nullable Fault fault, boolean unused, long now) {
    lock();
    Release exit = Release.ENDED_BEFORE;
    boolean quiet = false;
    try {
      exit = lease.conclude(fault, unused);
      if (exit == Release.SETTLED) {
        release(lease, fault, now);
        quiet = slotTable.free() == 0 && calm && !serving.isAwaited();
      }
    } finally {
      unlockReleased(exit == Release.SETTLED);
    }
    return exit == Release.SETTLED && !quiet ? Release.SETTLED_OPEN : exit;
  }

  public boolean endHung(HeldLease lease, long now) {
    lock();
    boolean first = false;
    try {
      first = lease.giveUp();
      if (first) {
        if (lease.generation() != generation) {
          // Work that hangs is the device's trouble, whichever context it is in.
          serving.ended(Optional.of(Fault.CONTEXT), now);
          restate();
        }
        release(lease, Fault.CONTEXT, now);
      }
      return first;
    } finally {
      unlockReleased(first);
    }
  }

  private void unlockReleased(boolean released) {
    if (released) {
      unlock();
    } else {
      unlockUnchanged();
    }
  }

  /** False if the lease has ended, or its context is on its way out. */
  public boolean callStarts(HeldLease lease, long now) {
    lock();
    try {
      boolean open = lease.generation() == generation && lease.callStarts();
      if (open) {
        slotTable.begins(lease, now);
      }
      return open;
    } finally {
      unlockUnchanged();
    }
  }

  /** True if the lease waited for this call to settle. */
  public boolean callEnded(HeldLease lease, boolean well, long now) {
    lock();
    boolean last = false;
    try {
      last = lease.callEnded(well);
      if (last) {
        release(lease, lease.fault(), now);
      } else if (!lease.hasCalls() && !lease.isHandedOver()) {
        slotTable.rests(lease);
      }
      return last;
    } finally {
      unlockReleased(last);
    }
  }

  /** Leaves the end to an event, which may hang as a call may: the watchdog sees both. */
  public boolean handOver(HeldLease lease, long now) {
    lock();
    try {
      boolean open = lease.handOver();
      if (open) {
        slotTable.begins(lease, now);
      }
      return open;
    } finally {
      unlockUnchanged();
    }
  }

  public void note(HeldLease lease, Fault fault) {
    lock();
    try {
      lease.note(fault);
    } finally {
      unlockUnchanged();
    }
  }

  public void noteSuccess(HeldLease lease) {
    lock();
    try {
      lease.noteSuccess();
    } finally {
      unlockUnchanged();
    }
  }

  /** Gives back what the lease held, and hands it on. */
  private void release(HeldLease lease, @Nullable Fault fault, long now) {
    slotTable.leave(lease);
    leave(lease, true);
    if (!lease.isUnused()) {
      record(lease, fault, now);
    }
    if (lease.number() != 0) {
      Duration held = Duration.ofNanos(now - lease.startedAt());
      events.tell(
          new Event.Ended(
              lease.number(), device, lease.demand(), held, lease.fault(), lease.isUnused()));
    }
    if (!queue.isEmpty() && mayStartOwn()) {
      lease.next = startQueued(TrackedLease.NO_LIMIT, now);
    }
  }

  /** Nobody waits for the device, and no other queue has a job of a higher priority. */
  private boolean mayStartOwn() {
    TrackedLease head = queue.peek();
    return head != null
        && !serving.isAwaited()
        && !serving.isShut(outstanding)
        && !queue.isOutranked(head);
  }

  void leave(HeldLease lease, boolean started) {
    outstanding--;
    if (!lease.isPlain()) {
      reservations.give(lease.demand().resources(), started);
    }
  }

  private void record(HeldLease lease, @Nullable Fault fault, long now) {
    if (timed) {
      counters.ended(fault == null, lease.size(), lease.startedAt(), now);
      lastEnd = now;
    } else {
      counters.count(fault == null);
    }
    if ((fault != null || !calm) && (lease.generation() == generation || fault == Fault.LOST)) {
      // Nothing else that a lease of an old generation says is true of the context of today.
      serving.ended(Optional.ofNullable(fault), now);
      restate();
    }
  }

  void tellWithdrawn(HeldLease lease) {
    if (lease.number() != 0) {
      events.tell(new Event.Withdrawn(lease.number(), device, lease.demand()));
    }
  }

  /** Says that a demand waits for this device, or that none does any more: then jobs may start. */
  public @Nullable HeldLease await(boolean waited, long now) {
    lock();
    try {
      serving.awaited(waited);
      restate();
      return waited || serving.isShut(outstanding) ? null : startQueued(TrackedLease.NO_LIMIT, now);
    } finally {
      unlock();
    }
  }
}
