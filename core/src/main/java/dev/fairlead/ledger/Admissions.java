package dev.fairlead.ledger;

import dev.fairlead.event.PoolListener.Event;
import org.jspecify.annotations.Nullable;

/**
 * The ways by which a lease comes to a device: it takes a slot, joins the queue, or starts from
 * there. Each is one step under the lock of the device's ledger.
 *
 * <p>Most leases ask for one slot and nothing else ("plain"), of a device with which nothing is
 * wrong ("calm"); for these, coming and going touch a handful of fields.
 */
public final class Admissions {
  private Admissions() {}

  /**
   * Gives the lease a running slot and all that its demand asks for, or nothing.
   *
   * @param atMost the burden that the device was chosen on
   * @param first whether the lease has waited longest, so that it may pass others that wait
   */
  public static Admission take(Ledger at, HeldLease lease, int atMost, boolean first, long now) {
    long seen = lockFor(at, atMost);
    if (seen == LedgerWord.TAKEN) {
      return Admission.LOCKED;
    }
    Admission entry = Admission.RUNNING;
    try {
      entry = takeLocked(at, lease, seen, atMost, first, now);
    } finally {
      unlockAfter(entry, at);
    }
    return entry;
  }

  private static Admission takeLocked(
      Ledger at, HeldLease lease, long seen, int atMost, boolean first, long now) {
    long refusals = first ? LedgerWord.SHUT : LedgerWord.SHUT | LedgerWord.AWAITED;
    if (LedgerWord.burden(seen) > atMost || (seen & refusals) != 0) {
      return Admission.LOST;
    }
    if (at.slotTable.free() < lease.slots() || !at.hasRoom(lease)) {
      return Admission.UNFIT;
    }
    if (first && !lease.begin()) {
      return Admission.WITHDRAWN;
    }
    admit(at, lease);
    if (first) {
      at.startAtLast(lease, now);
    } else {
      at.start(lease, now);
    }
    return Admission.RUNNING;
  }

  /**
   * Gives the job a slot if one is free and none of better rank is queued, else a place in the
   * queue.
   *
   * @param atOnce whether a slot is all that will do
   */
  public static Admission enqueue(
      Ledger at, TrackedLease lease, int atMost, boolean atOnce, long now) {
    long seen = lockFor(at, atMost);
    if (seen == LedgerWord.TAKEN) {
      return Admission.LOCKED;
    }
    Admission entry = Admission.QUEUED;
    try {
      entry = enqueueLocked(at, lease, seen, atMost, atOnce, now);
    } finally {
      unlockAfter(entry, at);
    }
    return entry;
  }

  private static Admission enqueueLocked(
      Ledger at, TrackedLease lease, long seen, int atMost, boolean atOnce, long now) {
    if (LedgerWord.burden(seen) > atMost || (seen & (LedgerWord.SHUT | LedgerWord.AWAITED)) != 0) {
      return Admission.LOST;
    }
    TrackedLease head = at.queue.peek();
    boolean starts =
        at.slotTable.free() >= lease.slots() && (head == null || lease.ranksBefore(head.rank()));
    if (!starts && atOnce) {
      return Admission.LOST;
    }
    if (!at.hasRoom(lease)) {
      return Admission.UNFIT;
    }
    if (starts ? !lease.begin() : lease.isEnded()) {
      return Admission.WITHDRAWN;
    }
    admit(at, lease);
    if (starts) {
      at.start(lease, now);
      return Admission.RUNNING;
    }
    at.queue.add(lease);
    boolean follows = lease.isOpenToAll() && at.queue.open() > 1;
    return follows || !lease.isMovable() ? Admission.QUEUED : Admission.QUEUED_FIRST;
  }

  /** A lease that takes the device at any burden waits for the lock; others look elsewhere. */
  private static long lockFor(Ledger at, int atMost) {
    return atMost == Integer.MAX_VALUE ? at.lock() : at.tryLock();
  }

  /** An entry that an error has cut short counts as one: the books may have changed. */
  private static void unlockAfter(Admission entry, Ledger at) {
    if (entry.isIn()) {
      at.unlockMoreBurdened();
    } else {
      at.unlockUnchanged();
    }
  }

  private static void admit(Ledger at, HeldLease lease) {
    at.enter(lease);
    if (lease.number() != 0) {
      at.events.tell(
          new Event.Placed(
              lease.number(), at.device, lease.demand(), ((TrackedLease) lease).takeExplanation()));
    }
  }

  // ---- out of the queue

  /**
   * Starts queued jobs, as far as slots go, that rank before {@code limit}, unless the device takes
   * no work; a linked chain.
   */
  public static @Nullable HeldLease startQueuedBefore(Ledger at, long limit, long now) {
    at.lock();
    try {
      return at.serving.isShut(at.outstanding) ? null : startQueued(at, limit, now);
    } finally {
      at.unlock();
    }
  }

  /** Notes that a demand waits for this device, or that none does any more: then jobs may start. */
  public static @Nullable HeldLease await(Ledger at, boolean waited, long now) {
    at.lock();
    try {
      at.serving.awaited(waited);
      at.restate();
      return waited || at.serving.isShut(at.outstanding)
          ? null
          : startQueued(at, TrackedLease.NO_LIMIT, now);
    } finally {
      at.unlock();
    }
  }

  /** The same under the lock: the end of a lease hands its slots on. */
  static @Nullable HeldLease startQueued(Ledger at, long limit, long now) {
    HeldLease chain = null;
    for (TrackedLease head = at.queue.peek(); head != null; head = at.queue.peek()) {
      if (at.slotTable.free() < head.slots() || !head.ranksBefore(limit)) {
        break;
      }
      at.queue.remove(head);
      if (head.begin()) {
        at.startAtLast(head, now);
        head.next = chain;
        chain = head;
      } else {
        // It was withdrawn just now, and must not stand in the way meanwhile.
        at.leave(head, false);
        at.reportWithdrawn(head);
        head.dropped();
      }
    }
    return chain;
  }
}
