package dev.fairlead.dispatch;

import dev.fairlead.device.DeviceId;
import dev.fairlead.device.DeviceWork;
import dev.fairlead.policy.Demand;
import dev.fairlead.pool.Job;
import dev.fairlead.pool.Lease;
import dev.fairlead.pool.PoolException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Work that was submitted and ends some time later, once, with an {@link Outcome}.
 *
 * <p>State line: WAITING → RUNNING → ENDED, back to WAITING for another try, and from anywhere
 * through CANCELLING to ENDED. Whoever cancels a running task interrupts its thread while the state
 * is CANCELLING, and the thread does not leave the work before that is over, so that the interrupt
 * cannot hit what runs there next. The device counts as busy until the work has really returned.
 */
public final class Task<R> {
  private static final int WAITING = 0;
  private static final int RUNNING = 1;
  private static final int CANCELLING = 2;
  private static final int ENDED = 3;

  private static final VarHandle STATE;
  private static final VarHandle WATCHERS;
  private static final VarHandle RELEASED;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      STATE = lookup.findVarHandle(Task.class, "state", int.class);
      WATCHERS = lookup.findVarHandle(Task.class, "watchers", Watcher.class);
      RELEASED = lookup.findVarHandle(Task.class, "released", boolean.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  /** Someone who wants to know the end; the last in the list that has ended is {@link #CLOSED}. */
  private static final class Watcher {
    private final Runnable tell;
    private final @Nullable Watcher next;

    Watcher(Runnable tell, @Nullable Watcher next) {
      this.tell = tell;
      this.next = next;
    }
  }

  private static final Watcher CLOSED = new Watcher(() -> {}, null);

  private final Dispatcher dispatcher;
  private final Demand demand;
  private final DeviceWork<R, ?> work;
  private final Terms terms;
  private final Ride ride = new Ride();
  private volatile int state;
  private volatile @Nullable Watcher watchers;

  @SuppressWarnings("unused") // written through RELEASED
  private volatile boolean released;

  private volatile @Nullable Thread runner;
  private volatile @Nullable Lease lease;
  private List<Attempt> failures = List.of();
  private @Nullable Outcome<R> failure;
  private @Nullable R value;
  private @Nullable Future<?> alarm;

  Task(Dispatcher dispatcher, Demand demand, DeviceWork<R, ?> work, Terms terms) {
    this.dispatcher = dispatcher;
    this.demand = demand;
    this.work = work;
    this.terms = terms;
  }

  // ---- for its owner

  public boolean isEnded() {
    return watchers == CLOSED;
  }

  /** Waits for the end. */
  public Outcome<R> await() throws InterruptedException {
    if (!isEnded()) {
      Thread waiter = Thread.currentThread();
      watch(() -> LockSupport.unpark(waiter));
      while (!isEnded()) {
        LockSupport.park(this);
        if (Thread.interrupted()) {
          throw new InterruptedException("Interrupted while waiting for a task");
        }
      }
    }
    return ended();
  }

  /** Waits for the end, but not longer than that; empty if it has not come. */
  public Optional<Outcome<R>> await(Duration patience) throws InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    if (!isEnded()) {
      Thread waiter = Thread.currentThread();
      watch(() -> LockSupport.unpark(waiter));
      for (long left = patience.toNanos(); !isEnded() && left > 0; left = end - System.nanoTime()) {
        LockSupport.parkNanos(this, left);
        if (Thread.interrupted()) {
          throw new InterruptedException("Interrupted while waiting for a task");
        }
      }
    }
    return isEnded() ? Optional.of(ended()) : Optional.empty();
  }

  /** Calls back at the end, on the thread that brings it about; at once if it has come. */
  public void onEnd(Consumer<Outcome<R>> callback) {
    if (!watch(() -> callback.accept(ended()))) {
      callback.accept(ended());
    }
  }

  /** Cancels the task: it does not start any more, or is interrupted. False if it had ended. */
  public boolean cancel() {
    return end(new Outcome.Cancelled<>("Cancelled"));
  }

  // ---- for the dispatcher

  /** The task behind a job, if it is one of that dispatcher. */
  static Optional<Task<?>> of(Job job, Dispatcher dispatcher) {
    return job instanceof Task<?>.Ride ride && ride.isOf(dispatcher)
        ? Optional.of(ride.task())
        : Optional.empty();
  }

  void start() {
    terms
        .deadline()
        .ifPresent(deadline ->
            alarm =
                dispatcher.alarm(
                    () ->
                        end(
                            new Outcome.Failed<>(
                                new TaskException.DeadlinePassed(deadline), failures)),
                    deadline));
    lease = dispatcher.pool().submit(demand, ride);
  }

  /** Ends the task from outside of its work. */
  boolean end(Outcome<R> outcome) {
    for (int seen = state; seen <= RUNNING; seen = state) {
      if (STATE.compareAndSet(this, seen, CANCELLING)) {
        Thread running = runner;
        if (seen == RUNNING && running != null) {
          running.interrupt();
        }
        failure = outcome;
        state = ENDED;
        Lease held = lease;
        if (held != null) {
          dispatcher.pool().withdraw(held);
        }
        if (seen == WAITING) {
          release();
        }
        finish();
        return true;
      }
    }
    return false;
  }

  /** The task as the pool sees it, kept apart so that users of a task cannot run it. */
  private final class Ride implements Job {
    @Override
    public void run(Lease current) {
      runner = Thread.currentThread();
      if (!STATE.compareAndSet(Task.this, WAITING, RUNNING)) {
        current.giveBack();
        return;
      }
      R result;
      try {
        result = current.run(work);
      } catch (Throwable thrown) {
        failed(current, thrown);
        return;
      }
      boolean mine = leaveWork(ENDED);
      current.succeed();
      release();
      if (mine) {
        lease = current;
        value = result;
        finish();
      }
    }

    boolean isOf(Dispatcher asked) {
      return dispatcher == asked;
    }

    Task<R> task() {
      return Task.this;
    }

    @Override
    public void abandon(Throwable reason) {
      Task.this.end(new Outcome.Failed<>(reason, failures));
      release();
    }

    @Override
    public String holder() {
      String kind = demand.work().isSpecified() ? demand.work().kind() : "task";
      return kind + "@" + Integer.toHexString(System.identityHashCode(Task.this));
    }
  }

  private void failed(Lease current, Throwable thrown) {
    boolean again = failures.size() + 1 < terms.tries();
    List<Attempt> soFar = new ArrayList<>(failures);
    soFar.add(new Attempt(current.device(), thrown));
    boolean mine = leaveWork(again ? WAITING : ENDED);
    current.fail(thrown);
    if (!mine) {
      release();
    } else {
      failures = List.copyOf(soFar);
      if (again) {
        tryElsewhere();
      } else {
        failure = new Outcome.Failed<>(thrown, failures);
        release();
        finish();
      }
    }
  }

  /** Submits the work again, to a device that has not failed it if there is one. */
  private void tryElsewhere() {
    Set<DeviceId> avoided = new HashSet<>(demand.eligibility().excluded());
    failures.forEach(attempt -> avoided.add(attempt.device().id()));
    try {
      try {
        lease = dispatcher.pool().submit(demand.except(avoided), ride);
      } catch (PoolException.Rejected nowhereElse) {
        lease = dispatcher.pool().submit(demand, ride);
      }
      Lease fresh = lease;
      if (dispatcher.isCancelling()) {
        cancel();
      } else if (isEnded() && fresh != null) {
        dispatcher.pool().withdraw(fresh);
      }
    } catch (PoolException refused) {
      end(new Outcome.Failed<>(refused, failures));
    }
  }

  /** Leaves RUNNING, once whoever interrupts this thread is done with it; false if cancelled. */
  private boolean leaveWork(int to) {
    runner = null;
    if (STATE.compareAndSet(this, RUNNING, to)) {
      return true;
    }
    while (state == CANCELLING) {
      Thread.onSpinWait();
    }
    Thread.interrupted();
    return false;
  }

  /** Gives back the task's place among those in flight, once. */
  private void release() {
    if ((boolean) RELEASED.compareAndSet(this, false, true)) {
      dispatcher.released();
    }
  }

  private void finish() {
    Future<?> set = alarm;
    if (set != null) {
      set.cancel(false);
    }
    for (Watcher each = (Watcher) WATCHERS.getAndSet(this, CLOSED);
        each != null;
        each = each.next) {
      try {
        each.tell.run();
      } catch (RuntimeException thrown) {
        Thread thread = Thread.currentThread();
        thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
      }
    }
  }

  private boolean watch(Runnable tell) {
    for (Watcher seen = watchers; seen != CLOSED; seen = watchers) {
      if (WATCHERS.compareAndSet(this, seen, new Watcher(tell, seen))) {
        return true;
      }
    }
    return false;
  }

  @SuppressWarnings("NullAway") // a value may be null where R says so
  private Outcome<R> ended() {
    Outcome<R> other = failure;
    if (other != null) {
      return other;
    }
    Lease used = Objects.requireNonNull(lease);
    return new Outcome.Succeeded<>(value, used.device(), used.load(), failures);
  }
}
