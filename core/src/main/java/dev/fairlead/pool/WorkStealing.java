package dev.fairlead.pool;

import dev.fairlead.ledger.Admissions;
import dev.fairlead.ledger.HeldLease;
import dev.fairlead.ledger.Ledger;
import dev.fairlead.ledger.LedgerWord;
import dev.fairlead.ledger.QueueMoves;
import dev.fairlead.ledger.TrackedLease;
import dev.fairlead.notify.ForeignCode;
import dev.fairlead.placing.EntryMode;
import dev.fairlead.placing.Fleet;
import dev.fairlead.placing.PoolCandidates;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.PlacementPolicy;
import dev.fairlead.run.DeviceRuntime;
import dev.fairlead.shared.QueueIndex;
import java.lang.invoke.VarHandle;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lets a device with a free slot take over jobs that wait in the queues of others, so that none
 * idles while a job that it may run waits.
 *
 * <p>A device whose own queue is empty takes the job of best rank that it may run from the longest
 * other queue; one whose queue is not empty takes only a job of a higher priority that ranks before
 * its own head. It may not take what its demand or its affinity keeps elsewhere, nor what the
 * policy says will be done sooner where it is; and a device that fails, or that others use, takes
 * only from one that is more burdened than that. What is found is moved in one step under the locks
 * of both devices, or not at all.
 */
final class WorkStealing {
  /**
   * How many jobs of a queue are looked at when a slot becomes free; the maintenance thread looks
   * at all.
   */
  private static final int DEPTH = 64;

  /** How many demands of a queue may be refused before the device looks no further. */
  private static final int REFUSALS = 8;

  private final PoolCore pool;
  private final QueueIndex queues;

  WorkStealing(PoolCore pool, QueueIndex queues) {
    this.pool = pool;
    this.queues = queues;
  }

  /** A slot of the device may have become free: gives it to whom it belongs. */
  void feed(DeviceRuntime runtime) {
    if (queues.isUsed()) {
      // The device's word was published before; the index is read after. See QueueIndex.
      VarHandle.fullFence();
      if (!queues.isEmpty()) {
        feed(runtime, TrackedLease.NO_LIMIT, false, DEPTH);
      }
    }
  }

  /** The same for all devices, and all that is queued. */
  void feedAll() {
    if (queues.isUsed() && !queues.isEmpty()) {
      for (DeviceRuntime runtime : pool.fleet().runtimes()) {
        feed(runtime, TrackedLease.NO_LIMIT, false, Integer.MAX_VALUE);
      }
    }
  }

  /** A job has joined a queue: a device that is free may take it over. */
  void joined(TrackedLease lease, Fleet fleet, int place) {
    VarHandle.fullFence();
    for (int other = 0; other < fleet.size(); other++) {
      if (other != place
          && (lease.reach() & 1L << other) != 0
          && !fleet.isVacant(other)
          && !fleet.ledger(other).has(LedgerWord.FULL | LedgerWord.SHUT | LedgerWord.AWAITED)) {
        feed(fleet.runtime(other), TrackedLease.NO_LIMIT, false, DEPTH);
      }
    }
  }

  /** The same for jobs that rank before a demand which waits for the device. */
  void feedBefore(DeviceRuntime runtime, long limit) {
    if (queues.isUsed()) {
      feed(runtime, limit, true, DEPTH);
    }
  }

  /**
   * Fills the free slots of a device with jobs that rank before {@code limit}, from its own queue
   * and from others.
   *
   * @param awaited whether the limit is the rank of a demand that waits for the device
   */
  private void feed(DeviceRuntime runtime, long limit, boolean awaited, int depth) {
    Ledger ledger = runtime.ledger();
    long refusals = LedgerWord.FULL | LedgerWord.SHUT | (awaited ? 0 : LedgerWord.AWAITED);
    while (!ledger.has(refusals)) {
      TrackedLease own = ledger.has(LedgerWord.QUEUED) ? QueueMoves.head(ledger) : null;
      long before = own != null && own.ranksBefore(limit) ? own.rank() : limit;
      boolean looks =
          own == null || queues.hasAbove(own.demand().priority().ordinal(), ledger.place());
      if (!looks || !takeOne(ledger, before, awaited, depth)) {
        HeldLease started = Admissions.startQueuedBefore(ledger, limit, pool.now());
        if (started == null) {
          return;
        }
        DeviceRuntime.startAll(started);
      }
    }
  }

  /** Takes over one job, from the longest queue that has one for this device. */
  private boolean takeOne(Ledger taker, long limit, boolean awaited, int depth) {
    Fleet fleet = pool.fleet();
    if (!fleet.hasAt(taker)) {
      return false;
    }
    long passed = Long.MAX_VALUE;
    while (true) {
      Ledger longest = null;
      long length = Long.MIN_VALUE;
      for (int place = queues.next(0); place >= 0; place = queues.next(place + 1)) {
        if (place >= fleet.size() || place == taker.place()) {
          continue;
        }
        long word = fleet.ledger(place).word();
        // Ties are told apart by place, so that each queue is looked at once.
        long its = (long) LedgerWord.burden(word) << 32 | place;
        if ((word & LedgerWord.QUEUED) != 0
            && its > length
            && its < passed
            && taker.handicap() < its >>> 32) {
          length = its;
          longest = fleet.ledger(place);
        }
      }
      if (longest == null) {
        return false;
      }
      if (takeFrom(fleet, longest, taker, limit, awaited, depth)) {
        return true;
      }
      passed = length;
    }
  }

  private boolean takeFrom(
      Fleet fleet, Ledger from, Ledger taker, long limit, boolean awaited, int depth) {
    Set<Demand> refused = Set.of();
    for (int refusals = 0; refusals < REFUSALS; refusals++) {
      TrackedLease best = QueueMoves.best(from, taker, limit, refused, depth);
      if (best == null) {
        return false;
      }
      PoolCandidates view = mayTake(fleet, best, taker, from);
      if (view == null) {
        refused = refused.isEmpty() ? Collections.newSetFromMap(new IdentityHashMap<>()) : refused;
        refused.add(best.demand());
      } else if (QueueMoves.takeOver(
          best, from, taker, awaited, view.predictedSeconds(taker.place()))) {
        DeviceRuntime.start(best);
        pool.endings().relieved(fleet.runtime(from.place()));
        return true;
      }
    }
    return false;
  }

  /** The job's candidates if the device may take it over; null if not. */
  private static @Nullable PoolCandidates mayTake(
      Fleet fleet, HeldLease lease, Ledger taker, Ledger from) {
    PoolCandidates view = fleet.view(lease.demand(), EntryMode.QUEUE);
    int free = taker.place();
    int busy = from.place();
    if (!view.hopes(free) || !taker.fits(lease.demand()) || !view.lets(free, busy)) {
      return null;
    }
    PlacementPolicy policy = fleet.policy();
    try {
      return policy.takes(view, free, busy) ? view : null;
    } catch (RuntimeException | Error failure) {
      // Where it is, it is served: a policy that cannot tell keeps it there.
      ForeignCode.report(failure);
      return null;
    }
  }
}
