package dev.fairlead.pool;

import dev.fairlead.lease.Lease;
import dev.fairlead.lease.PoolException;
import dev.fairlead.lease.QueuedWork;
import dev.fairlead.lease.Ticket;
import dev.fairlead.ledger.HeldLease;
import dev.fairlead.ledger.Ledger;
import dev.fairlead.ledger.QueueMoves;
import dev.fairlead.ledger.StackRoom;
import dev.fairlead.ledger.TrackedLease;
import dev.fairlead.notify.Events;
import dev.fairlead.notify.ForeignCode;
import dev.fairlead.placing.EntryMode;
import dev.fairlead.placing.Fleet;
import dev.fairlead.placing.Placer;
import dev.fairlead.placing.PoolCandidates;
import dev.fairlead.policy.Choice;
import dev.fairlead.policy.Demand;
import dev.fairlead.run.DeviceRuntime;
import dev.fairlead.shared.PolicyState;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** How demands become leases: at once where a device has room, else by way of the waiting room. */
final class LeaseRequests {
  private final PoolCore pool;
  private final WaitingRoom room;
  private final PolicyState memory;
  private final Events events;
  private final boolean timed;
  private final Placer.Joining joining = this::joined;

  LeaseRequests(PoolCore pool, WaitingRoom room, PoolOptions options, PolicyState memory) {
    this.pool = pool;
    this.room = room;
    this.memory = memory;
    this.events = memory.events();
    this.timed = options.ticker().runs();
  }

  /** Waits for a running slot; a device whose context does not open by its first use is passed. */
  HeldLease lease(Demand demand, Duration timeout) throws InterruptedException {
    Objects.requireNonNull(timeout, "timeout is null");
    try {
      HeldLease lease = leaseOrWait(demand, timeout);
      return DeviceRuntime.of(lease).contexts().open().firstUse() == null
          ? lease
          : leaseOpened(lease, timeout);
    } catch (StackOverflowError full) {
      throw StackRoom.regained(pool.fleet().ledgers(), full);
    }
  }

  private HeldLease leaseOpened(HeldLease first, Duration timeout) throws InterruptedException {
    long begun = System.nanoTime();
    long nanos = Timing.nanos(timeout);
    HeldLease lease = first;
    while (!opens(lease)) {
      lease.giveBack();
      long left = nanos == Long.MAX_VALUE ? nanos : nanos - (System.nanoTime() - begun);
      lease = leaseOrWait(first.demand(), Duration.ofNanos(Math.max(0, left)));
    }
    return lease;
  }

  private static boolean opens(HeldLease lease) throws InterruptedException {
    try {
      DeviceRuntime.of(lease).contexts().openFor(lease.demand());
      return true;
    } catch (PoolException.NoContext refused) {
      return false;
    } catch (InterruptedException interrupted) {
      lease.giveBack();
      throw interrupted;
    }
  }

  /** Runs a job that has its lease, on the device's own thread. */
  void run(HeldLease lease, QueuedWork job) {
    try {
      if (isOpenFor(lease, job)) {
        job.run(lease);
      }
    } catch (Throwable failure) {
      // A job sees to its lease itself; one that throws has not.
      ForeignCode.quietly(() -> lease.fail(failure));
      ForeignCode.report(failure);
    }
  }

  /**
   * Whether a job finds the context open that it is to use; if not, it is placed anew, since its
   * device is in quarantine now.
   */
  private boolean isOpenFor(HeldLease lease, QueuedWork job) {
    PoolException reason;
    try {
      if (opens(lease)) {
        return true;
      }
      lease.giveBack();
      submit(lease.demand(), job);
      return false;
    } catch (InterruptedException closing) {
      reason = new PoolException.PoolClosed();
    } catch (PoolException refusal) {
      reason = refusal;
    }
    job.abandon(reason);
    return false;
  }

  private HeldLease leaseOrWait(Demand demand, Duration timeout) throws InterruptedException {
    HeldLease lease = tryPlace(demand);
    if (lease != null) {
      return lease;
    }
    if (Timing.nanos(timeout) == Long.MAX_VALUE) {
      pool.checkWait("Waiting for a lease without a limit");
    }
    HeldLease waiting = waiting(demand);
    try {
      room.await(waiting, timeout);
    } catch (PoolException.Rejected rejected) {
      pool.endings().refusals().rejected();
      throw rejected;
    }
    return waiting;
  }

  /**
   * A running slot, now or later. The thread that gives a lease to a waiter may be a device's, with
   * other work to do, so that the future is completed on a thread of its own. A future that ends
   * otherwise takes its waiter out, and a lease that comes too late is given back.
   */
  CompletableFuture<Lease> leaseAsync(Demand demand) {
    Objects.requireNonNull(demand, "demand is null");
    try {
      HeldLease lease = tryPlace(demand);
      return lease == null ? promise(waiting(demand)) : CompletableFuture.completedFuture(lease);
    } catch (PoolException refusal) {
      countRejected(refusal);
      return CompletableFuture.failedFuture(refusal);
    }
  }

  private CompletableFuture<Lease> promise(HeldLease lease) {
    CompletableFuture<Lease> future = new CompletableFuture<>();
    Waiter waiter =
        room.enter(lease, served -> Thread.startVirtualThread(() -> complete(future, served)));
    var _ =
        future.whenComplete((granted, failure) -> {
          if (!waiter.isServed() && room.leave(waiter)) {
            pool.endings().refusals().withdrawn();
          }
        });
    return future;
  }

  private void complete(CompletableFuture<Lease> future, Waiter served) {
    RuntimeException refusal = served.refusal;
    if (refusal != null) {
      countRejected(refusal);
      future.completeExceptionally(refusal);
    } else if (!future.complete(served.lease)) {
      served.lease.giveBack();
    }
  }

  private void countRejected(RuntimeException refusal) {
    if (refusal instanceof PoolException.Rejected) {
      pool.endings().refusals().rejected();
    }
  }

  /** A running slot if there is one now. */
  @Nullable HeldLease tryLease(Demand demand) {
    try {
      HeldLease lease = tryPlace(demand);
      return lease != null ? lease : tryPassing(demand);
    } catch (StackOverflowError full) {
      throw StackRoom.regained(pool.fleet().ledgers(), full);
    }
  }

  /** A waiter may lack only what the host has to give, and then is not in the way. */
  private @Nullable HeldLease tryPassing(Demand demand) {
    pool.fleet().view(demand, EntryMode.LEASE).requireHope();
    if (!memory.host().areClaimed()) {
      return null;
    }
    HeldLease passing = waiting(demand);
    return room.tryOnce(passing) ? passing : null;
  }

  private @Nullable HeldLease tryPlace(Demand demand) {
    Objects.requireNonNull(demand, "demand is null");
    PoolCandidates view = pool.fleet().view(demand, EntryMode.LEASE);
    HeldLease lease = lease(view, 0);
    return Choice.isPlaced(place(view, lease, timed ? pool.now() : 0)) ? lease : null;
  }

  private HeldLease waiting(Demand demand) {
    return lease(pool.fleet().view(demand, EntryMode.LEASE), rank(demand, pool.now()));
  }

  private HeldLease lease(PoolCandidates view, long rank) {
    Thread holder = Thread.currentThread();
    return events.tellsLeases()
        ? new TrackedLease(
            view.demand(), view.reach(), holder, view.isPlain(), rank, events.number())
        : new HeldLease(view.demand(), holder, view.isPlain(), rank);
  }

  /** Starts a job, puts it into a queue, or lets it wait. */
  Ticket submit(Demand demand, QueuedWork job) {
    Objects.requireNonNull(demand, "demand is null");
    long now = pool.now();
    PoolCandidates view = pool.fleet().view(demand, EntryMode.QUEUE);
    TrackedLease lease =
        new TrackedLease(
            demand,
            view.reach(),
            Objects.requireNonNull(job, "job is null"),
            view.isPlain(),
            rank(demand, now),
            events.number());
    job.accepted(lease);
    try {
      if (!Choice.isPlaced(place(view, lease, now))) {
        room.leaveHere(lease);
      }
      return lease;
    } catch (PoolException.Rejected rejected) {
      pool.endings().refusals().rejected();
      throw rejected;
    } catch (StackOverflowError full) {
      throw StackRoom.regained(pool.fleet().ledgers(), full);
    }
  }

  /** Places a job anew whose device does not serve any more. */
  void again(HeldLease lease) {
    PoolCandidates view = pool.fleet().view(lease.demand(), EntryMode.QUEUE);
    if (!Choice.isPlaced(place(view, lease, pool.now()))) {
      room.leaveHere(lease);
    }
  }

  /** Work has joined a queue: a device that is free may take it over. */
  private void joined(TrackedLease lease, PoolCandidates view, Ledger at, boolean first) {
    Fleet fleet = pool.fleet();
    if (fleet != view.fleet()) {
      // Devices have come or gone since the job was looked at: it may not know who could take it.
      QueueMoves.refresh(at, fleet::reachOf);
    } else if (!first) {
      return;
    }
    pool.stealing().joined(lease, fleet, at.place());
  }

  private long rank(Demand demand, long now) {
    return now - demand.priority().ordinal() * memory.headStart();
  }

  private long place(PoolCandidates view, HeldLease lease, long now) {
    pool.checkOpen();
    boolean explains = events.explains();
    if (explains && lease instanceof TrackedLease tracked) {
      tracked.explainedBy(Placer.explain(view, Placer.preview(view), now));
    }
    long choice = Placer.place(view, lease, now, joining);
    if (explains && lease instanceof TrackedLease tracked && !Choice.isPlaced(choice)) {
      tracked.explainedBy(null);
    }
    return choice;
  }
}
