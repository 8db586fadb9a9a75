package dev.fairlead.dispatch;

import dev.fairlead.device.DeviceWork;
import dev.fairlead.lease.Lease;
import dev.fairlead.lease.PoolException;
import dev.fairlead.lease.QueuedWork;
import dev.fairlead.lease.Ticket;
import dev.fairlead.outcome.Completion;
import dev.fairlead.outcome.Failures;
import dev.fairlead.outcome.Outcome;
import dev.fairlead.outcome.RetryOptions;
import dev.fairlead.outcome.TaskException;
import dev.fairlead.policy.Demand;
import dev.fairlead.pool.Timing;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * A task as the pool sees it.
 *
 * <p>State line, for each try: WAITING → RUNNING (→ PENDING, where the work has given an event) →
 * WAITING for the next try, or DONE; and from anywhere through CANCELLING to ENDED. The state
 * carries the number of the try, so that work which was given up as hung and comes back after all
 * finds that it is too late. A thread that cancels a RUNNING task interrupts the one that runs it
 * while the state is CANCELLING, and that one does not leave the work before that is over, so that
 * the interrupt cannot hit what runs there next. A PENDING task has no thread to interrupt. The
 * device counts as busy until the work has really returned, or its event has come.
 *
 * <p>The first try is the task itself; further ones, which are rare, are jobs of their own.
 */
final class PlacedTask<R> extends Task<R> implements QueuedWork {
  private static final int PHASE = 7;
  private static final int NEXT_TRY = 8;
  private static final int WAITING = 0;
  private static final int RUNNING = 1;
  private static final int PENDING = 2;
  private static final int CANCELLING = 3;
  private static final int ENDED = 4;
  private static final int DONE = 5;

  private static final VarHandle STATE;
  private static final VarHandle RELEASED;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      STATE = lookup.findVarHandle(PlacedTask.class, "state", int.class);
      RELEASED = lookup.findVarHandle(PlacedTask.class, "released", boolean.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  private final Dispatcher dispatcher;
  private final Demand demand;

  /** The work gives a stage, with whose completion the task ends. */
  private final boolean givesEvent;

  private final RetryOptions retry;
  private volatile int state;

  @SuppressWarnings("unused") // written through RELEASED
  private volatile boolean released;

  /** Let go of at the end: it may hold a lot. */
  private @Nullable DeviceWork<?, ?> work;

  /** The thread that runs the work; written before RUNNING and read after it. */
  private @Nullable Thread runner;

  /** What takes the latest try back; written before the pool places it. */
  private @Nullable Ticket ticket;

  /** Published by the state, or by the end. */
  private Failures failures = Failures.NONE;

  private @Nullable Lease used;
  private @Nullable Outcome<R> failure;
  private @Nullable R value;
  private volatile @Nullable Future<?> alarm;

  PlacedTask(
      Dispatcher dispatcher,
      Demand demand,
      DeviceWork<?, ?> work,
      boolean givesEvent,
      RetryOptions retry) {
    this.dispatcher = dispatcher;
    this.demand = demand;
    this.work = work;
    this.givesEvent = givesEvent;
    this.retry = retry;
  }

  /** The task behind a job, if it is one of that dispatcher. */
  static Optional<Task<?>> of(QueuedWork job, Dispatcher dispatcher) {
    PlacedTask<?> task =
        switch (job) {
          case PlacedTask<?> first -> first;
          case PlacedTask<?>.Again again -> again.task();
          default -> null;
        };
    return task != null && task.dispatcher == dispatcher ? Optional.of(task) : Optional.empty();
  }

  @Override
  protected void checkWait() {
    dispatcher.pool().checkWait("Waiting for a task without a limit");
  }

  @Override
  public boolean cancel() {
    return end(new Outcome.Cancelled<>("Cancelled"));
  }

  /** Sets the alarm of a task with a deadline; false if that has passed before admission. */
  boolean startClock(long elapsedNanos) {
    Duration deadline = retry.deadline().orElse(null);
    if (deadline == null) {
      return true;
    }
    long left = Timing.nanos(deadline) - elapsedNanos;
    Runnable tooLate =
        () ->
            end(
                new Outcome.Failed<>(
                    new TaskException.DeadlinePassed(deadline), failures.attempts()));
    if (left <= 0) {
      tooLate.run();
      return false;
    }
    alarm = dispatcher.alarm(tooLate, Duration.ofNanos(left));
    return true;
  }

  void start() {
    try {
      submit(demand, this);
    } catch (RuntimeException | Error refused) {
      end(new Outcome.Failed<>(refused, failures.attempts()));
      release();
      throw refused;
    }
  }

  /** Leaves a try with the pool; an end that came meanwhile could not take it back. */
  private void submit(Demand asked, QueuedWork attempt) {
    Ticket fresh = dispatcher.pool().submit(asked, attempt);
    if ((state & PHASE) == ENDED) {
      withdraw(fresh);
    }
  }

  @Override
  public void accepted(Ticket fresh) {
    ticket = fresh;
  }

  /**
   * Takes back a try that has not started; then nothing of the task is in flight any more. One that
   * has started finds itself late, and says so when the device has let go of it.
   */
  private void withdraw(Ticket held) {
    if (dispatcher.pool().withdraw(held)) {
      release();
    }
  }

  /** Ends the task from outside of its work. */
  private boolean end(Outcome<R> outcome) {
    for (int seen = state; (seen & PHASE) <= PENDING; seen = state) {
      if (STATE.compareAndSet(this, seen, (seen & ~PHASE) | CANCELLING)) {
        Thread running = runner;
        if ((seen & PHASE) == RUNNING && running != null) {
          running.interrupt();
        }
        failure = outcome;
        state = (seen & ~PHASE) | ENDED;
        Ticket held = ticket;
        if (held != null) {
          withdraw(held);
        }
        close();
        return true;
      }
    }
    return false;
  }

  @Override
  public void run(Lease lease) {
    run(0, lease);
  }

  @Override
  public void abandon(Throwable reason) {
    abandon(0, reason);
  }

  @Override
  public String holder() {
    String kind = demand.work().isSpecified() ? demand.work().kind() : "task";
    return kind + "@" + Integer.toHexString(System.identityHashCode(this));
  }

  /** A further try. */
  private final class Again implements QueuedWork {
    private final int attempt;

    Again(int attempt) {
      this.attempt = attempt;
    }

    @Override
    public void accepted(Ticket fresh) {
      PlacedTask.this.accepted(fresh);
    }

    @Override
    public void run(Lease lease) {
      PlacedTask.this.run(attempt, lease);
    }

    @Override
    public void abandon(Throwable reason) {
      PlacedTask.this.abandon(attempt, reason);
    }

    @Override
    public String holder() {
      return PlacedTask.this.holder();
    }

    PlacedTask<R> task() {
      return PlacedTask.this;
    }
  }

  private void run(int attempt, Lease lease) {
    DeviceWork<?, ?> its = work;
    runner = Thread.currentThread();
    if (its == null || !STATE.compareAndSet(this, attempt | WAITING, attempt | RUNNING)) {
      lease.giveBack();
      release();
      return;
    }
    Object result;
    try {
      result = lease.run(its);
    } catch (Throwable thrown) {
      failed(attempt, lease, thrown, RUNNING);
      return;
    }
    if (givesEvent && result instanceof CompletionStage<?> event) {
      await(attempt, lease, event);
    } else {
      succeeded(attempt, lease, result, RUNNING);
    }
  }

  /** The thread is free for other work; the device is not, until the event has come. */
  private void await(int attempt, Lease lease, CompletionStage<?> event) {
    leave(attempt, RUNNING, attempt | PENDING);
    try {
      event.whenComplete((later, thrown) -> {
        if (thrown == null) {
          succeeded(attempt, lease, later, PENDING);
        } else {
          failed(attempt, lease, Completion.unwrapped(thrown), PENDING);
        }
      });
    } catch (RuntimeException | Error refusal) {
      // An event that cannot be asked will not come.
      failed(attempt, lease, refusal, PENDING);
    }
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // the work's type says what it gives
  private void succeeded(int attempt, Lease lease, @Nullable Object result, int from) {
    boolean mine = leave(attempt, from, attempt | DONE);
    boolean late = !mine && (state & ~PHASE) != attempt; // it has gone on to another try
    lease.succeedIfOpen();
    if (mine) {
      used = lease;
      value = (R) result;
      dispatcher.released(); // a task that is DONE is released nowhere else
      close();
    } else if (!late) {
      release();
    }
  }

  private void failed(int attempt, Lease lease, Throwable thrown, int from) {
    Failures soFar = failures.after(lease.device(), thrown);
    boolean again = !soFar.areTooMany(retry.tries(), false);
    boolean mine = leave(attempt, from, again ? attempt + NEXT_TRY : attempt | DONE);
    boolean late = !mine && (state & ~PHASE) != attempt; // it has gone on to another try
    lease.fail(thrown);
    if (mine) {
      failures = soFar;
      if (again) {
        tryElsewhere(attempt + NEXT_TRY);
      } else {
        failure = new Outcome.Failed<>(thrown, soFar.attempts());
        dispatcher.released();
        close();
      }
    } else if (!late) {
      release();
    }
  }

  /** The pool will not run it, or has given it up as hung; then it is tried elsewhere. */
  private void abandon(int attempt, Throwable reason) {
    if (reason instanceof PoolException.WorkHung hung) {
      Failures soFar = failures.after(hung.device(), hung);
      if (!soFar.areTooMany(retry.tries(), false)
          && (STATE.compareAndSet(this, attempt | RUNNING, attempt + NEXT_TRY)
              || STATE.compareAndSet(this, attempt | PENDING, attempt + NEXT_TRY))) {
        failures = soFar;
        tryElsewhere(attempt + NEXT_TRY);
        return;
      }
    }
    end(new Outcome.Failed<>(reason, failures.attempts()));
    if ((state & PHASE) == ENDED) {
      release();
    }
  }

  /**
   * Leaves RUNNING or PENDING; false if the task was ended from outside, or has gone on. A thread
   * that leaves RUNNING waits until the thread that interrupts it is done with that.
   */
  private boolean leave(int attempt, int from, int to) {
    if (STATE.compareAndSet(this, attempt | from, to)) {
      return true;
    }
    if (from == RUNNING) {
      while (state == (attempt | CANCELLING)) {
        Thread.onSpinWait();
      }
      Thread.interrupted();
    }
    return false;
  }

  /** Submits the work again, to a device that has not failed it if there is one. */
  private void tryElsewhere(int attempt) {
    Again next = new Again(attempt);
    try {
      try {
        submit(demand.except(failures.devices()), next);
      } catch (PoolException.Rejected nowhereElse) {
        submit(demand, next);
      }
      if (dispatcher.isCancelling()) {
        cancel();
      }
    } catch (PoolException refused) {
      end(new Outcome.Failed<>(refused, failures.attempts()));
      release();
    }
  }

  /** Gives back the task's place among those in flight, once. */
  private void release() {
    if ((boolean) RELEASED.compareAndSet(this, false, true)) {
      dispatcher.released();
    }
  }

  private void close() {
    Future<?> set = alarm;
    if (set != null) {
      set.cancel(false);
    }
    work = null;
    runner = null;
    finish();
  }

  @Override
  @SuppressWarnings("NullAway") // a value may be null where R says so
  protected Outcome<R> ended() {
    Outcome<R> other = failure;
    if (other != null) {
      return other;
    }
    Lease lease = Objects.requireNonNull(used);
    return new Outcome.Succeeded<>(value, lease.device(), lease.load(), failures.attempts());
  }
}
