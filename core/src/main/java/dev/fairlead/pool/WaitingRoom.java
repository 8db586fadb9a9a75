package dev.fairlead.pool;

import dev.fairlead.lease.PoolException;
import dev.fairlead.lease.QueuedWork;
import dev.fairlead.ledger.Admissions;
import dev.fairlead.ledger.HeldLease;
import dev.fairlead.ledger.Ledger;
import dev.fairlead.ledger.LedgerWord;
import dev.fairlead.ledger.TrackedLease;
import dev.fairlead.notify.ForeignCode;
import dev.fairlead.placing.EntryMode;
import dev.fairlead.placing.Fleet;
import dev.fairlead.placing.Placer;
import dev.fairlead.placing.PoolCandidates;
import dev.fairlead.policy.Choice;
import dev.fairlead.run.DeviceRuntime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where demands wait that no device can take now.
 *
 * <p>The order is by rank: when a demand came, less a head start for each step of its priority. So
 * it is first in, first out within a priority, urgent ones pass those that came a little earlier,
 * and no demand waits for ever, since a head start is finite.
 *
 * <p>A waiter marks every device that it could use as AWAITED, under the device's lock, before it
 * looks whether it fits. A thread that frees something on a device sees the mark in the word that
 * it changes, and calls {@link #serve}. So a freed device is either seen by the waiter or sees it;
 * and newcomers pass by devices that are waited for, and only those.
 */
final class WaitingRoom {
  /** A waiter that is served has its slot: it joins no queue. */
  private static final Placer.Joining JOINS_NONE = (lease, view, at, first) -> {};

  private final PoolCore pool;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Waiters waiters = new Waiters();
  private final List<Runnable> callbacks = new ArrayList<>();
  private long tickets;

  WaitingRoom(PoolCore pool) {
    this.pool = pool;
  }

  /** Unlocks; the last thread to do so then calls the foreign code that has come up. */
  private void leaveRoom() {
    List<Runnable> due = List.of();
    try {
      if (lock.getHoldCount() == 1) {
        waiters.claim(pool.fleet().memory().host());
        if (!callbacks.isEmpty()) {
          due = List.copyOf(callbacks);
          callbacks.clear();
        }
      }
    } finally {
      lock.unlock();
    }
    due.forEach(ForeignCode::quietly);
  }

  /** Runs a change of the fleet while no waiter is being served. */
  void change(Runnable change) {
    lock.lock();
    try {
      change.run();
      changed.signalAll();
      // All views first: serving one waiter looks at the others.
      waiters.all().forEach(waiter -> waiter.view = viewOf(waiter.lease));
      for (Waiter waiter : waiters.all()) {
        enterAgain(waiter);
      }
    } finally {
      leaveRoom();
    }
  }

  /** Waits until a change has made {@code fact} true; false if none has in time. */
  boolean awaitChange(BooleanSupplier fact, Duration patience) throws InterruptedException {
    lock.lock();
    try {
      long left = Timing.nanos(patience);
      while (!fact.getAsBoolean() && left > 0) {
        left = changed.awaitNanos(left);
      }
      return fact.getAsBoolean();
    } finally {
      leaveRoom();
    }
  }

  /** Wakes those who wait for a change: something other than the fleet is another. */
  void tellChange() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      leaveRoom();
    }
  }

  /** Runs something while no waiter is being served and nothing changes. */
  <T> T quietly(Supplier<T> question) {
    lock.lock();
    try {
      return question.get();
    } finally {
      leaveRoom();
    }
  }

  int size() {
    return quietly(waiters::size);
  }

  /** Waits until the lease runs. */
  void await(HeldLease lease, Duration patience) throws InterruptedException {
    long begun = System.nanoTime();
    long nanos = Timing.nanos(patience);
    Thread caller = Thread.currentThread();
    Waiter waiter = enter(lease, served -> LockSupport.unpark(caller));
    while (!waiter.isServed()) {
      long left = nanos - (System.nanoTime() - begun);
      if (left <= 0 || Thread.interrupted()) {
        if (leave(waiter)) {
          if (left > 0) {
            throw new InterruptedException("Interrupted while waiting for " + lease.demand());
          }
          pool.endings().refusals().timedOut();
          throw new PoolException.TimedOut(
              Snapshots.whyNone(
                  pool.snapshot(), lease.demand(), Duration.ofNanos(System.nanoTime() - begun)));
        }
        if (left > 0) {
          Thread.currentThread().interrupt();
        }
        break;
      }
      LockSupport.parkNanos(this, left);
    }
    RuntimeException refusal = waiter.refusal;
    if (refusal != null) {
      throw refusal;
    }
  }

  /** Stands in line for a moment; whether it was served there. */
  boolean tryOnce(HeldLease lease) {
    Waiter waiter = enter(lease, null);
    if (!waiter.isServed() && leave(waiter)) {
      return false;
    }
    RuntimeException refusal = waiter.refusal;
    if (refusal != null) {
      throw refusal;
    }
    return true;
  }

  /** Leaves a job to wait; it is started or abandoned. */
  void leaveHere(HeldLease lease) {
    Waiter waiter = enter(lease, null);
    RuntimeException refusal = waiter.refusal;
    if (refusal != null) {
      throw refusal;
    }
  }

  /**
   * Lets a lease wait.
   *
   * @param notice what to call when it is served; must not block
   */
  Waiter enter(HeldLease lease, @Nullable Consumer<Waiter> notice) {
    lock.lock();
    try {
      pool.checkOpen();
      PoolCandidates view = viewOf(lease);
      view.requireHope();
      Waiter waiter = new Waiter(lease, notice, view, tickets++);
      waiters.add(waiter);
      mark(waiter);
      waiter.hasEntered = true;
      return waiter;
    } finally {
      leaveRoom();
    }
  }

  private void enterAgain(Waiter waiter) {
    if (waiter.isServed()) {
      return;
    }
    if (waiter.view.hopesForAny()) {
      mark(waiter);
    } else {
      refuse(waiter, new PoolException.Rejected(waiter.view.objections()));
    }
  }

  private PoolCandidates viewOf(HeldLease lease) {
    return pool.fleet().view(lease.demand(), EntryMode.SERVE);
  }

  private void mark(Waiter waiter) {
    Fleet fleet = pool.fleet();
    for (int index = 0; index < fleet.size(); index++) {
      if (waiter.view.hopes(index)) {
        Admissions.await(fleet.ledger(index), true, 0);
      }
    }
    serveHopesOf(waiter);
  }

  private void serveHopesOf(Waiter waiter) {
    Fleet fleet = pool.fleet();
    for (int index = 0; index < fleet.size() && index < waiter.view.size(); index++) {
      if (waiter.view.hopes(index)
          && !fleet.isVacant(index)
          && !fleet.ledger(index).has(LedgerWord.FULL | LedgerWord.SHUT)) {
        serve(fleet.runtime(index));
      }
    }
  }

  /** Takes a waiter out that does not want to wait any longer; false if it was served just now. */
  boolean leave(Waiter waiter) {
    lock.lock();
    try {
      if (!waiters.remove(waiter)) {
        return false;
      }
      waiter.promise(null);
      serveHopesOf(waiter);
      return true;
    } finally {
      leaveRoom();
    }
  }

  void forget(HeldLease lease) {
    lock.lock();
    try {
      Waiter waiter = waiters.of(lease);
      if (waiter != null) {
        leave(waiter);
      }
    } finally {
      leaveRoom();
    }
  }

  /** Serves every device that is waited for and that has a free slot. */
  void serveAll() {
    lock.lock();
    try {
      for (DeviceRuntime runtime : pool.fleet().runtimes()) {
        if (runtime.ledger().has(LedgerWord.AWAITED)
            && !runtime.ledger().has(LedgerWord.FULL | LedgerWord.SHUT)) {
          serve(runtime);
        }
      }
    } finally {
      leaveRoom();
    }
  }

  /**
   * Gives what is free on a device to those who wait for it, in order; queued jobs that came
   * earlier go first, from whichever queue. A waiter that the device has no room for blocks later
   * ones from it, but not the jobs in its queue: those hold what they asked for, and only running
   * gives it back. Since no job joins the queue of a device that is waited for, the waiter is not
   * passed for ever. One that lacks only what the host has to give blocks later ones for that; for
   * the device, too, once it has waited for as long as a head start.
   */
  void serve(DeviceRuntime runtime) {
    lock.lock();
    try {
      Ledger ledger = runtime.ledger();
      boolean wanted = false;
      boolean blocked = false;
      // Serving one may remove others, so the next one is looked up rather than iterated to.
      for (Waiter waiter = waiters.first();
          waiter != null && !blocked;
          waiter = waiters.after(waiter)) {
        if (!waiter.view.hopes(ledger.place())) {
          continue;
        }
        long now = pool.now();
        pool.stealing().feedBefore(runtime, waiter.rank);
        if (ledger.has(LedgerWord.FULL | LedgerWord.SHUT)) {
          return;
        }
        if (waiter.isServed()) {
          continue; // by the device from which a job was taken over
        }
        if (!waiters.mayHave(waiter, pool.fleet().memory().host())) {
          wanted = true;
          blocked = isPatient(waiter, now) || waiters.allLack(pool.fleet().memory().host());
          continue;
        }
        long choice = offer(waiter, ledger.place(), now);
        wanted |= !waiter.isServed();
        blocked = choice == Choice.NONE && !waiter.isServed();
      }
      if (wanted) {
        // Jobs in the queue hold what they asked for, perhaps the very thing that a waiter lacks.
        DeviceRuntime.startAll(
            Admissions.startQueuedBefore(ledger, TrackedLease.NO_LIMIT, pool.now()));
      } else {
        DeviceRuntime.startAll(Admissions.await(ledger, false, pool.now()));
        pool.stealing().feed(runtime);
      }
    } finally {
      leaveRoom();
    }
  }

  /** Whether it has waited for so long that a device is kept for it. */
  private boolean isPatient(Waiter waiter, long now) {
    long headStart = pool.fleet().memory().headStart();
    int steps = 1 + waiter.lease.demand().priority().ordinal();
    return now - waiter.rank > steps * headStart;
  }

  private long offer(Waiter waiter, int index, long now) {
    long choice;
    waiter.promise(null);
    try {
      choice = Placer.place(waiter.view.servedBy(index), waiter.lease, now, JOINS_NONE);
    } catch (PoolException.PolicyFailed failure) {
      refuse(waiter, failure);
      return Choice.NONE;
    }
    if (Choice.isPlaced(choice)) {
      waiters.remove(waiter);
      waiter.granted = true;
      waiter.tell();
    } else if (choice != Choice.NONE) {
      Ledger awaited = waiter.view.ledger(Choice.index(choice));
      waiter.lease.predict(waiter.view.predictedSeconds(awaited.place()));
      waiter.promise(awaited);
    }
    return choice;
  }

  private void refuse(Waiter waiter, RuntimeException reason) {
    waiters.remove(waiter);
    waiter.promise(null);
    waiter.refusal = reason;
    waiter.tell();
    QueuedWork job = waiter.lease.job();
    // One that is refused on its way in hears of it by the exception.
    if (job != null && waiter.hasEntered) {
      callbacks.add(() -> job.abandon(reason));
    }
  }

  /** Refuses all waiters: the pool closes. */
  void refuseAll(RuntimeException reason) {
    lock.lock();
    try {
      waiters.all().forEach(waiter -> refuse(waiter, reason));
      changed.signalAll();
    } finally {
      leaveRoom();
    }
  }

  /** Jobs that wait here. */
  List<QueuedWork> jobs() {
    return quietly(waiters::jobs);
  }
}
