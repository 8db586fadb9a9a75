package dev.fairlead.pool;

import dev.fairlead.device.Fault;
import dev.fairlead.policy.Work;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Sees to what follows from an end: the one place where books, costs, health and listeners hear
 * that a lease has ended, where devices that stop serving are relieved of their queued jobs, and
 * where drained or lost ones leave the pool.
 */
final class Steward {
  private final DevicePool pool;
  private final WaitingRoom room;
  private final PoolListener listener;
  private final boolean tellsLeases;
  private final boolean timed;
  private final PoolMemory memory;
  private final Duration grace;

  /** Devices that have left the pool and are not closed yet; closing the pool waits for them. */
  private final Set<Station> leaving = ConcurrentHashMap.newKeySet();

  private volatile PoolSnapshot.Totals retired = new PoolSnapshot.Totals(0, 0, 0, Duration.ZERO);

  Steward(DevicePool pool, WaitingRoom room, PoolOptions options, PoolMemory memory) {
    this.pool = pool;
    this.room = room;
    this.listener = options.listener();
    this.tellsLeases = listener.wantsLeases();
    this.timed = options.ticker().runs();
    this.memory = memory;
    this.grace = options.timing().grace();
  }

  /** Ends a lease; false if it had ended before. */
  boolean end(Station station, Lease lease, @Nullable Fault fault, boolean unused) {
    long now = timed ? pool.now() : 0;
    Exit exit = station.ledger().end(lease, fault, unused, now);
    if (exit == Exit.SETTLED) {
      settled(station, lease, now);
    }
    return exit != Exit.ENDED_BEFORE;
  }

  void callEnded(Station station, Lease lease) {
    long now = timed ? pool.now() : 0;
    if (station.ledger().callEnded(lease, now)) {
      settled(station, lease, now);
    }
  }

  /** Ends a lease whose work hangs, though it has not come back. */
  boolean endHung(Station station, Lease lease) {
    long now = timed ? pool.now() : 0;
    boolean ended = station.ledger().endHung(lease, now);
    if (ended) {
      settled(station, lease, now);
    }
    return ended;
  }

  private void settled(Station station, Lease lease, long now) {
    Station.startAll(lease.takeNext());
    if (station.ledger().has(LedgerWord.AWAITED | LedgerWord.ATTENTION)) {
      attend(station);
    }
    if (!lease.isPlain()) {
      if (memory.host().concerns(lease.demand().resources())) {
        memory.host().give(lease.demand().resources());
        room.serveAll();
      }
      learn(station, lease, lease.fault(), now - lease.startedAt());
    }
    if (tellsLeases) {
      Duration held = Duration.ofNanos(now - lease.startedAt());
      tell(
          new PoolListener.Event.Ended(
              station.device(), lease.demand(), held, lease.fault(), lease.isUnused()));
    }
  }

  private void learn(Station station, Lease lease, @Nullable Fault fault, long heldNanos) {
    Work work = lease.demand().work();
    if (timed && fault == null && work.isSpecified() && !lease.isUnused()) {
      memory.costs().record(station.device().id(), work.kind(), lease.size(), heldNanos / 1e9);
    }
  }

  boolean withdraw(Lease lease) {
    if (!lease.markWithdrawn()) {
      return false;
    }
    for (Station at = lease.aimedAt(), last = null;
        at != last && at != null;
        at = lease.aimedAt()) {
      last = at;
      if (at.ledger().withdraw(lease)) {
        // It may have stood in the way of others.
        Station.startAll(at.ledger().startQueuedBefore(Long.MAX_VALUE, pool.now()));
        if (memory.host().concerns(lease.demand().resources())) {
          memory.host().give(lease.demand().resources());
          room.serveAll();
        }
        attend(at);
      }
    }
    room.forget(lease);
    return true;
  }

  /** Deals with whatever has happened to a device; harmless if nothing has. */
  void attend(Station station) {
    Ledger ledger = station.ledger();
    ledger
        .standing(Standing::change)
        .ifPresent(change ->
            tell(
                new PoolListener.Event.HealthChanged(
                    station.device(), change.from(), change.to(), change.reason())));
    if (ledger.has(LedgerWord.SHUT)) {
      relieve(station);
      if (ledger.isDrained()) {
        retire(station);
      }
    } else if (ledger.has(LedgerWord.AWAITED)) {
      room.serve(station);
    }
  }

  /** Places the jobs in a device's line anew: it does not serve. */
  private void relieve(Station station) {
    for (Lease lease : station.ledger().takeQueued()) {
      if (memory.host().concerns(lease.demand().resources())) {
        memory.host().give(lease.demand().resources());
      }
      try {
        pool.resubmit(lease);
      } catch (PoolException refusal) {
        Job job = lease.job();
        if (job != null && lease.markWithdrawn()) {
          Lane.quietly(() -> job.abandon(refusal));
        }
      }
    }
  }

  private void retire(Station station) {
    int index = station.ledger().index();
    boolean[] gone = {false};
    room.change(() -> {
      Fleet fleet = pool.fleet();
      if (fleet.has(station)) {
        gone[0] = true;
        station.ledger().lock();
        retired = retired.plus(station.ledger().pageLocked(pool.now()).stats());
        station.ledger().unlockUnchanged();
        leaving.add(station);
        pool.fleet(fleet.without(station));
      }
    });
    if (gone[0]) {
      Thread.startVirtualThread(() -> {
        station.close(grace);
        leaving.remove(station);
      });
      tell(new PoolListener.Event.Removed(station.device(), index));
    }
  }

  void serveAll() {
    if (room.size() > 0) {
      room.serveAll();
    }
  }

  PoolSnapshot.Totals retired() {
    return retired;
  }

  void close(PoolException.PoolClosed reason) {
    List<Station> stations = pool.fleet().stations();
    for (Station station : stations) {
      station.ledger().change(Standing::drain);
      for (Lease lease : station.ledger().takeQueued()) {
        Job job = lease.job();
        if (job != null && lease.markWithdrawn()) {
          Lane.quietly(() -> job.abandon(reason));
        }
      }
    }
    long end = System.nanoTime() + Timing.nanos(grace);
    for (Station station : stations) {
      while (!station.ledger().isIdle() && System.nanoTime() - end < 0) {
        LockSupport.parkNanos(500_000);
      }
      if (!station.ledger().isIdle()) {
        station.interruptLanes();
      }
      station.close(grace);
    }
    leaving.forEach(station -> station.close(grace));
  }

  /** Tells that a demand which had to wait has its slot. */
  void placed(Lease lease) {
    if (tellsLeases) {
      tell(new PoolListener.Event.Placed(lease.device(), lease.demand(), null));
    }
  }

  /** Tells the listener; one that throws harms nothing and is not silent either. */
  void tell(PoolListener.Event event) {
    Lane.quietly(() -> listener.on(event));
  }
}
