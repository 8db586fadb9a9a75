package dev.fairlead.pool;

import dev.fairlead.device.Fault;
import dev.fairlead.event.PoolListener;
import dev.fairlead.lease.PoolException;
import dev.fairlead.lease.QueuedWork;
import dev.fairlead.ledger.Admissions;
import dev.fairlead.ledger.HeldLease;
import dev.fairlead.ledger.Ledger;
import dev.fairlead.ledger.LedgerPage;
import dev.fairlead.ledger.LedgerWord;
import dev.fairlead.ledger.QueueMoves;
import dev.fairlead.ledger.Release;
import dev.fairlead.ledger.Releases;
import dev.fairlead.ledger.ServingState;
import dev.fairlead.ledger.StackRoom;
import dev.fairlead.ledger.TrackedLease;
import dev.fairlead.notify.Events;
import dev.fairlead.notify.ForeignCode;
import dev.fairlead.placing.Fleet;
import dev.fairlead.policy.Work;
import dev.fairlead.run.DeviceOwner;
import dev.fairlead.run.DeviceRuntime;
import dev.fairlead.run.DeviceThread;
import dev.fairlead.shared.PolicyState;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Sees to what follows from an end: the one place where books, costs, health and listeners hear
 * that a lease has ended, where devices that stop serving are relieved of their queued jobs, and
 * where drained or lost ones leave the pool.
 */
final class LeaseEndings implements DeviceOwner {
  private final PoolCore pool;
  private final WaitingRoom room;
  private final boolean timed;
  private final PolicyState memory;
  private final Duration grace;

  /** Devices that have left the pool and are not closed yet; closing the pool waits for them. */
  private final Set<DeviceRuntime> leaving = ConcurrentHashMap.newKeySet();

  private final RefusalCounters refusals = new RefusalCounters();

  private volatile PoolSnapshot.Totals retired = new PoolSnapshot.Totals(0, 0, 0, Duration.ZERO);

  LeaseEndings(PoolCore pool, WaitingRoom room, PoolOptions options, PolicyState memory) {
    this.pool = pool;
    this.room = room;
    this.timed = options.ticker().runs();
    this.memory = memory;
    this.grace = options.timing().grace();
  }

  @Override
  public Duration opening() {
    return pool.options().timing().opening();
  }

  @Override
  public Duration grace() {
    return grace;
  }

  @Override
  public boolean contextsOnUse() {
    return pool.options().contextsOnUse();
  }

  @Override
  public long now() {
    return pool.now();
  }

  @Override
  public Events events() {
    return memory.events();
  }

  @Override
  public void run(HeldLease lease, QueuedWork job) {
    pool.requests().run(lease, job);
  }

  @Override
  public void ranDry(DeviceRuntime runtime) {
    pool.stealing().feed(runtime);
  }

  @Override
  public boolean end(
      DeviceRuntime runtime, HeldLease lease, @Nullable Fault fault, boolean unused) {
    try {
      long now = timed ? pool.now() : 0;
      Release exit = Releases.end(runtime.ledger(), lease, fault, unused, now);
      if (exit == Release.SETTLED) {
        DeviceRuntime.startAll(lease.takeNext());
        finish(runtime, lease, now);
      } else if (exit == Release.SETTLED_OPEN) {
        settled(runtime, lease, now);
      }
      return exit != Release.ENDED_BEFORE;
    } catch (StackOverflowError full) {
      throw StackRoom.regained(pool.fleet().ledgers(), full);
    }
  }

  @Override
  public void callEnded(DeviceRuntime runtime, HeldLease lease, boolean well) {
    long now = timed ? pool.now() : 0;
    if (Releases.callEnded(runtime.ledger(), lease, well, now)) {
      settled(runtime, lease, now);
    }
  }

  @Override
  public boolean endHung(DeviceRuntime runtime, HeldLease lease) {
    long now = timed ? pool.now() : 0;
    boolean ended = Releases.endHung(runtime.ledger(), lease, now);
    if (ended) {
      settled(runtime, lease, now);
    }
    return ended;
  }

  private void settled(DeviceRuntime runtime, HeldLease lease, long now) {
    DeviceRuntime.startAll(lease.takeNext());
    Ledger ledger = runtime.ledger();
    if (ledger.has(LedgerWord.AWAITED | LedgerWord.ATTENTION)) {
      attend(runtime);
    } else if (!ledger.has(LedgerWord.FULL) && !DeviceThread.isOf(runtime)) {
      // The device's own thread looks for more by itself, once it has run dry.
      pool.stealing().feed(runtime);
    }
    finish(runtime, lease, now);
  }

  private void finish(DeviceRuntime runtime, HeldLease lease, long now) {
    if (!lease.isPlain()) {
      giveToHost(lease);
      learn(runtime, lease, lease.fault(), now - lease.startedAt());
    }
    tellFreed(runtime);
  }

  /** After the device's word was published: a listener that hears of it finds what was freed. */
  private void tellFreed(DeviceRuntime runtime) {
    memory.events().tellFreed(runtime.device());
  }

  private void giveToHost(HeldLease lease) {
    if (memory.host().concerns(lease.demand().resources())) {
      memory.host().give(lease.demand().resources());
      room.serveAll();
    }
  }

  private void learn(
      DeviceRuntime runtime, HeldLease lease, @Nullable Fault fault, long heldNanos) {
    Work work = lease.demand().work();
    if (timed && fault == null && work.isSpecified() && !lease.isUnused()) {
      memory.costs().record(runtime.device().id(), work.kind(), lease.size(), heldNanos / 1e9);
    }
  }

  boolean withdraw(TrackedLease lease) {
    if (!lease.markWithdrawn()) {
      return false;
    }
    refusals.withdrawn();
    for (DeviceRuntime at = aimOf(lease), last = null;
        at != last && at != null;
        at = aimOf(lease)) {
      last = at;
      if (QueueMoves.withdraw(lease, at.ledger())) {
        giveToHost(lease);
        // It may have stood in the way of others.
        relieved(at);
        DeviceRuntime.startAll(
            Admissions.startQueuedBefore(at.ledger(), TrackedLease.NO_LIMIT, pool.now()));
      }
    }
    room.forget(lease);
    lease.forgetJob();
    return true;
  }

  private static @Nullable DeviceRuntime aimOf(HeldLease lease) {
    return (DeviceRuntime) lease.aimedAt();
  }

  /** A job has left the device's queue, with what it had reserved: a waiter may want that. */
  void relieved(DeviceRuntime runtime) {
    if (runtime.ledger().has(LedgerWord.AWAITED | LedgerWord.ATTENTION)) {
      attend(runtime);
    } else if (!runtime.ledger().has(LedgerWord.FULL | LedgerWord.SHUT)) {
      // It may have kept a slot for that job.
      pool.stealing().feed(runtime);
      DeviceRuntime.startAll(
          Admissions.startQueuedBefore(runtime.ledger(), TrackedLease.NO_LIMIT, pool.now()));
    }
    tellFreed(runtime);
  }

  @Override
  public void attend(DeviceRuntime runtime) {
    Ledger ledger = runtime.ledger();
    if (ledger.has(LedgerWord.ATTENTION)) {
      ledger.reportHealth();
    }
    if (ledger.has(LedgerWord.SHUT)) {
      relieve(runtime);
      if (ledger.mayLeave()) {
        retire(runtime);
      } else if (ledger.isDrained()) {
        room.tellChange();
      }
    } else if (ledger.has(LedgerWord.AWAITED)) {
      room.serve(runtime);
    } else if (!ledger.has(LedgerWord.FULL)) {
      pool.stealing().feed(runtime);
    }
  }

  /** Places the jobs in a device's queue anew: it does not serve. */
  private void relieve(DeviceRuntime runtime) {
    for (TrackedLease lease : QueueMoves.takeAll(runtime.ledger())) {
      if (memory.host().concerns(lease.demand().resources())) {
        memory.host().give(lease.demand().resources());
      }
      try {
        pool.requests().again(lease);
      } catch (PoolException refusal) {
        QueuedWork job = lease.job();
        if (job != null && lease.markWithdrawn()) {
          ForeignCode.quietly(() -> job.abandon(refusal));
        }
      }
    }
  }

  private void retire(DeviceRuntime runtime) {
    int index = runtime.ledger().index();
    boolean[] gone = {false};
    room.change(() -> {
      Fleet fleet = pool.fleet();
      if (fleet.has(runtime)) {
        gone[0] = true;
        retired = retired.plus(LedgerPage.of(runtime.ledger(), pool.now()).stats());
        leaving.add(runtime);
        pool.fleet(fleet.without(runtime));
      }
    });
    if (gone[0]) {
      Thread.startVirtualThread(() -> {
        runtime.close(grace);
        leaving.remove(runtime);
      });
      memory.events().tell(new PoolListener.Event.Removed(runtime.device(), index));
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

  /** How many demands were not served. */
  RefusalCounters refusals() {
    return refusals;
  }

  /** Closes all devices, together, within one grace. */
  void close(PoolException.PoolClosed reason) {
    List<DeviceRuntime> runtimes = pool.fleet().runtimes();
    for (DeviceRuntime runtime : runtimes) {
      runtime.ledger().change(ServingState::remove);
      for (TrackedLease lease : QueueMoves.takeAll(runtime.ledger())) {
        QueuedWork job = lease.job();
        if (job != null && lease.markWithdrawn()) {
          ForeignCode.quietly(() -> job.abandon(reason));
        }
      }
    }
    long begun = System.nanoTime();
    for (DeviceRuntime runtime : runtimes) {
      while (!runtime.ledger().isIdle() && left(begun) > 0) {
        LockSupport.parkNanos(500_000);
      }
      if (!runtime.ledger().isIdle()) {
        runtime.interruptLanes();
      }
    }
    List<Thread> closing =
        Stream.concat(runtimes.stream(), leaving.stream())
            .map(runtime ->
                Thread.startVirtualThread(() -> runtime.close(Duration.ofNanos(left(begun)))))
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
