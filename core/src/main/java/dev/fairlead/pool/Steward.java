package dev.fairlead.pool;

import dev.fairlead.device.Fault;
import dev.fairlead.policy.Work;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Sees to what follows from an end: the one place where books, costs, health and listeners hear
 * that a lease has ended, where devices that stop serving are relieved of their queued jobs, and
 * where drained or lost ones leave the pool.
 */
final class Steward {
  private final DevicePool pool;
  private final WaitingRoom room;
  private final boolean timed;
  private final PoolMemory memory;
  private final Duration grace;

  /** Devices that have left the pool and are not closed yet; closing the pool waits for them. */
  private final Set<Station> leaving = ConcurrentHashMap.newKeySet();

  private final LongAdder rejected = new LongAdder();
  private final LongAdder timedOut = new LongAdder();
  private final LongAdder withdrawn = new LongAdder();

  private volatile PoolSnapshot.Totals retired = new PoolSnapshot.Totals(0, 0, 0, Duration.ZERO);

  Steward(DevicePool pool, WaitingRoom room, PoolOptions options, PoolMemory memory) {
    this.pool = pool;
    this.room = room;
    this.timed = options.ticker().runs();
    this.memory = memory;
    this.grace = options.timing().grace();
  }

  /** Ends a lease; false if it had ended before. */
  boolean end(Station station, Lease lease, @Nullable Fault fault, boolean unused) {
    long now = timed ? pool.now() : 0;
    Exit exit = station.ledger().end(lease, fault, unused, now);
    if (exit == Exit.SETTLED) {
      Station.startAll(lease.takeNext());
      finish(station, lease, now);
    } else if (exit == Exit.SETTLED_OPEN) {
      settled(station, lease, now);
    }
    return exit != Exit.ENDED_BEFORE;
  }

  void callEnded(Station station, Lease lease, boolean well) {
    long now = timed ? pool.now() : 0;
    if (station.ledger().callEnded(lease, well, now)) {
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
    Ledger ledger = station.ledger();
    if (ledger.has(LedgerWord.AWAITED | LedgerWord.ATTENTION)) {
      attend(station);
    } else if (!ledger.has(LedgerWord.FULL) && !Lane.isOf(station)) {
      // The device's own thread looks for more by itself, once it has run dry.
      pool.taking().feed(station);
    }
    finish(station, lease, now);
  }

  private void finish(Station station, Lease lease, long now) {
    if (!lease.isPlain()) {
      giveToHost(lease);
      learn(station, lease, lease.fault(), now - lease.startedAt());
    }
  }

  private void giveToHost(Lease lease) {
    if (memory.host().concerns(lease.demand().resources())) {
      memory.host().give(lease.demand().resources());
      room.serveAll();
    }
  }

  private void learn(Station station, Lease lease, @Nullable Fault fault, long heldNanos) {
    Work work = lease.demand().work();
    if (timed && fault == null && work.isSpecified() && !lease.isUnused()) {
      memory.costs().record(station.device().id(), work.kind(), lease.size(), heldNanos / 1e9);
    }
  }

  boolean withdraw(TrackedLease lease) {
    if (!lease.markWithdrawn()) {
      return false;
    }
    withdrawn.increment();
    for (Station at = lease.aimedAt(), last = null;
        at != last && at != null;
        at = lease.aimedAt()) {
      last = at;
      if (QueueMoves.withdraw(lease, at.ledger())) {
        giveToHost(lease);
        // It may have stood in the way of others.
        relieved(at);
        Station.startAll(at.ledger().startQueuedBefore(Ledger.NO_LIMIT, pool.now()));
      }
    }
    room.forget(lease);
    lease.forgetJob();
    return true;
  }

  /** A job has left the device's queue, with what it had reserved: somebody may wait for that. */
  void relieved(Station station) {
    if (station.ledger().has(LedgerWord.AWAITED | LedgerWord.ATTENTION)) {
      attend(station);
    } else if (!station.ledger().has(LedgerWord.FULL | LedgerWord.SHUT)) {
      // It may have kept a slot for that job.
      pool.taking().feed(station);
      Station.startAll(station.ledger().startQueuedBefore(Ledger.NO_LIMIT, pool.now()));
    }
  }

  /** Deals with whatever has happened to a device; harmless if nothing has. */
  void attend(Station station) {
    Ledger ledger = station.ledger();
    if (ledger.has(LedgerWord.ATTENTION)) {
      ledger.tellHealth();
    }
    if (ledger.has(LedgerWord.SHUT)) {
      relieve(station);
      if (ledger.mayLeave()) {
        retire(station);
      } else if (ledger.isDrained()) {
        room.tellChange();
      }
    } else if (ledger.has(LedgerWord.AWAITED)) {
      room.serve(station);
    } else if (!ledger.has(LedgerWord.FULL)) {
      pool.taking().feed(station);
    }
  }

  /** Lets a device take no new work; its queued jobs are placed anew. */
  void pause(Station station) {
    station.ledger().change(Standing::pause);
    attend(station);
  }

  /** Lets a device serve again, and take over what waits. */
  void resume(Station station) {
    station.ledger().change(Standing::resume);
    attend(station);
    room.tellChange();
  }

  /**
   * Pauses a device and waits until nothing is left on it.
   *
   * @return false if that took too long, or if the device was resumed meanwhile
   */
  boolean drain(Station station, Duration patience) throws InterruptedException {
    if (Lane.isOf(pool) && Timing.nanos(patience) == Long.MAX_VALUE) {
      throw new PoolException.WouldHang("Draining a device without a limit");
    }
    Ledger ledger = station.ledger();
    pause(station);
    boolean _ =
        room.awaitChange(
            () ->
                ledger.isDrained()
                    || !ledger.standing(Standing::isPaused)
                    || !pool.fleet().has(station)
                    || pool.isClosed(),
            patience);
    return ledger.isDrained() || !pool.fleet().has(station);
  }

  /** Removes a device once nothing is left on it; whether it is gone by then. */
  boolean remove(Station station, Duration patience) throws InterruptedException {
    station.ledger().change(Standing::remove);
    attend(station);
    boolean _ = room.awaitChange(() -> !pool.fleet().has(station) || pool.isClosed(), patience);
    return !pool.fleet().has(station);
  }

  /** Places the jobs in a device's queue anew: it does not serve. */
  private void relieve(Station station) {
    for (TrackedLease lease : QueueMoves.takeAll(station.ledger())) {
      if (memory.host().concerns(lease.demand().resources())) {
        memory.host().give(lease.demand().resources());
      }
      try {
        pool.leasing().again(lease);
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
        retired = retired.plus(station.ledger().page(pool.now()).stats());
        leaving.add(station);
        pool.fleet(fleet.without(station));
      }
    });
    if (gone[0]) {
      Thread.startVirtualThread(() -> {
        station.close(grace);
        leaving.remove(station);
      });
      memory.events().tell(new PoolListener.Event.Removed(station.device(), index));
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

  void rejected() {
    rejected.increment();
  }

  void withdrawn() {
    withdrawn.increment();
  }

  void timedOut() {
    timedOut.increment();
  }

  PoolSnapshot.Refusals refusals() {
    return new PoolSnapshot.Refusals(rejected.sum(), timedOut.sum(), withdrawn.sum());
  }

  /** Closes all devices, together, within one grace. */
  void close(PoolException.PoolClosed reason) {
    List<Station> stations = pool.fleet().stations();
    for (Station station : stations) {
      station.ledger().change(Standing::remove);
      for (TrackedLease lease : QueueMoves.takeAll(station.ledger())) {
        Job job = lease.job();
        if (job != null && lease.markWithdrawn()) {
          Lane.quietly(() -> job.abandon(reason));
        }
      }
    }
    long begun = System.nanoTime();
    for (Station station : stations) {
      while (!station.ledger().isIdle() && left(begun) > 0) {
        LockSupport.parkNanos(500_000);
      }
      if (!station.ledger().isIdle()) {
        station.interruptLanes();
      }
    }
    List<Thread> closing =
        Stream.concat(stations.stream(), leaving.stream())
            .map(station ->
                Thread.startVirtualThread(() -> station.close(Duration.ofNanos(left(begun)))))
            .toList();
    for (Thread thread : closing) {
      joinUninterruptibly(thread);
    }
  }

  private long left(long begun) {
    return Math.max(0, Timing.nanos(grace) - (System.nanoTime() - begun));
  }

  private static void joinUninterruptibly(Thread thread) {
    boolean interrupted = false;
    while (true) {
      try {
        thread.join();
        break;
      } catch (InterruptedException again) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
