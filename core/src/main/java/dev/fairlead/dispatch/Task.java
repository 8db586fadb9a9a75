package dev.fairlead.dispatch;

import dev.fairlead.device.DeviceId;
import dev.fairlead.device.DeviceWork;
import dev.fairlead.policy.Demand;
import dev.fairlead.pool.Job;
import dev.fairlead.pool.Lease;
import dev.fairlead.pool.PoolException;
import dev.fairlead.pool.Ticket;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Work that was submitted and ends some time later, once, with an {@link Outcome}.
 *
 * <p>State line, for each try: WAITING → RUNNING → WAITING for the next try, or ENDED; and from
 * anywhere through CANCELLING to ENDED. The state carries the number of the try, so that work which
 * was given up as hung and comes back after all finds that it is too late. Whoever cancels a
 * running task interrupts its thread while the state is CANCELLING, and the thread does not leave
 * the work before that is over, so that the interrupt cannot hit what runs there next. The device
 * counts as busy until the work has really returned, or its event has come.
 */
public final class Task<R> extends Watched<R> {
  private static final int PHASE = 3;
  private static final int NEXT_TRY = 4;
  private static final int WAITING = 0;
  private static final int RUNNING = 1;
  private static final int CANCELLING = 2;
  private static final int ENDED = 3;

  private static final VarHandle STATE;
  private static final VarHandle RELEASED;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      STATE = lookup.findVarHandle(Task.class, "state", int.class);
      RELEASED = lookup.findVarHandle(Task.class, "released", boolean.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  private final Dispatcher dispatcher;
  private final Demand demand;
  private final DeviceWork<?, ?> work;
  private final boolean givesEvent;
  private final Terms terms;
  private volatile Ride ride = new Ride(0);
  private volatile int state;

  @SuppressWarnings("unused") // written through RELEASED
  private volatile boolean released;

  private volatile @Nullable Ticket ticket;
  private volatile List<Attempt> failures = List.of();
  private @Nullable Lease used;
  private @Nullable Outcome<R> failure;
  private @Nullable R value;
  private volatile @Nullable Future<?> alarm;

  /** A task that ends with what the work gives. */
  static <R> Task<R> of(Dispatcher dispatcher, Demand demand, DeviceWork<R, ?> work, Terms terms) {
    return new Task<>(dispatcher, demand, work, false, terms);
  }

  /** A task that ends when the stage completes that the work gives. */
  static <R> Task<R> later(
      Dispatcher dispatcher,
      Demand demand,
      DeviceWork<? extends CompletionStage<R>, ?> work,
      Terms terms) {
    return new Task<>(dispatcher, demand, work, true, terms);
  }

  private Task(
      Dispatcher dispatcher, Demand demand, DeviceWork<?, ?> work, boolean gives, Terms terms) {
    this.dispatcher = dispatcher;
    this.demand = demand;
    this.work = work;
    this.givesEvent = gives;
    this.terms = terms;
  }

  /** Cancels the task: it does not start any more, or is interrupted. False if it had ended. */
  public boolean cancel() {
    return end(new Outcome.Cancelled<>("Cancelled"));
  }

  /** The task behind a job, if it is one of that dispatcher. */
  static Optional<Task<?>> of(Job job, Dispatcher dispatcher) {
    return job instanceof Task<?>.Ride ride && ride.task().dispatcher == dispatcher
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
    try {
      submitted(dispatcher.pool().submit(demand, ride));
    } catch (RuntimeException | Error refused) {
      end(new Outcome.Failed<>(refused, failures));
      release();
      throw refused;
    }
  }

  /** The pool has a try of the task; whoever ended the task before that could not take it back. */
  private void submitted(Ticket fresh) {
    ticket = fresh;
    if ((state & PHASE) == ENDED) {
      withdraw(fresh);
    }
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
  boolean end(Outcome<R> outcome) {
    for (int seen = state; (seen & PHASE) <= RUNNING; seen = state) {
      if (STATE.compareAndSet(this, seen, (seen & ~PHASE) | CANCELLING)) {
        Thread running = ride.runner;
        if (running != null) {
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

  /** One try of the task as the pool sees it; apart, so that users of a task cannot run it. */
  private final class Ride implements Job {
    private final int waiting;
    private volatile @Nullable Thread runner;

    Ride(int attempt) {
      this.waiting = attempt | WAITING;
    }

    @Override
    public void run(Lease lease) {
      runner = Thread.currentThread();
      if (!STATE.compareAndSet(Task.this, waiting, waiting | RUNNING)) {
        lease.giveBack();
        release();
        return;
      }
      Object result;
      try {
        result = lease.run(work);
      } catch (Throwable thrown) {
        failed(lease, thrown);
        return;
      }
      if (givesEvent && result instanceof CompletionStage<?> event) {
        runner = null;
        event.whenComplete((later, thrown) -> {
          if (thrown == null) {
            succeeded(lease, later);
          } else {
            Throwable cause = thrown.getCause();
            failed(lease, thrown instanceof CompletionException && cause != null ? cause : thrown);
          }
        });
      } else {
        succeeded(lease, result);
      }
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // the work's type says what it gives
    private void succeeded(Lease lease, @Nullable Object result) {
      boolean mine = leave((waiting & ~PHASE) | ENDED);
      boolean late = !mine && isLate();
      lease.succeedIfOpen();
      if (mine) {
        used = lease;
        value = (R) result;
        release();
        close();
      } else if (!late) {
        release();
      }
    }

    private void failed(Lease lease, Throwable thrown) {
      List<Attempt> soFar = failuresWith(lease, thrown);
      boolean again = soFar.size() < terms.tries();
      boolean mine = leave(again ? waiting + NEXT_TRY : (waiting & ~PHASE) | ENDED);
      boolean late = !mine && isLate();
      lease.fail(thrown);
      if (mine) {
        failures = soFar;
        if (again) {
          tryElsewhere(waiting + NEXT_TRY);
        } else {
          failure = new Outcome.Failed<>(thrown, soFar);
          release();
          close();
        }
      } else if (!late) {
        release();
      }
    }

    /** The pool will not run it, or has given it up as hung; then it is tried elsewhere. */
    @Override
    public void abandon(Throwable reason) {
      if (reason instanceof PoolException.WorkHung hung) {
        List<Attempt> soFar = failuresWith(hung);
        if (soFar.size() < terms.tries()
            && STATE.compareAndSet(Task.this, waiting | RUNNING, waiting + NEXT_TRY)) {
          failures = soFar;
          tryElsewhere(waiting + NEXT_TRY);
          return;
        }
      }
      Task.this.end(new Outcome.Failed<>(reason, failures));
      release();
    }

    @Override
    public String holder() {
      String kind = demand.work().isSpecified() ? demand.work().kind() : "task";
      return kind + "@" + Integer.toHexString(System.identityHashCode(Task.this));
    }

    Task<R> task() {
      return Task.this;
    }

    /** Leaves RUNNING, once whoever interrupts this thread is done with it; false if too late. */
    private boolean leave(int to) {
      runner = null;
      if (STATE.compareAndSet(Task.this, waiting | RUNNING, to)) {
        return true;
      }
      while ((state & PHASE) == CANCELLING) {
        Thread.onSpinWait();
      }
      Thread.interrupted();
      return false;
    }

    /** Whether the task has gone on to another try. */
    private boolean isLate() {
      return (state & ~PHASE) != (waiting & ~PHASE);
    }
  }

  private List<Attempt> failuresWith(Lease lease, Throwable thrown) {
    List<Attempt> soFar = new ArrayList<>(failures);
    soFar.add(new Attempt(lease.device(), thrown));
    return List.copyOf(soFar);
  }

  private List<Attempt> failuresWith(PoolException.WorkHung hung) {
    List<Attempt> soFar = new ArrayList<>(failures);
    soFar.add(new Attempt(hung.device(), hung));
    return List.copyOf(soFar);
  }

  /** Submits the work again, to a device that has not failed it if there is one. */
  private void tryElsewhere(int attempt) {
    Set<DeviceId> avoided = new HashSet<>(demand.eligibility().excluded());
    failures.forEach(failed -> avoided.add(failed.device().id()));
    Ride next = new Ride(attempt);
    ride = next;
    try {
      Ticket fresh;
      try {
        fresh = dispatcher.pool().submit(demand.except(avoided), next);
      } catch (PoolException.Rejected nowhereElse) {
        fresh = dispatcher.pool().submit(demand, next);
      }
      submitted(fresh);
      if (dispatcher.isCancelling()) {
        cancel();
      }
    } catch (PoolException refused) {
      end(new Outcome.Failed<>(refused, failures));
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
    finish();
  }

  @Override
  @SuppressWarnings("NullAway") // a value may be null where R says so
  Outcome<R> ended() {
    Outcome<R> other = failure;
    if (other != null) {
      return other;
    }
    Lease lease = Objects.requireNonNull(used);
    return new Outcome.Succeeded<>(value, lease.device(), lease.load(), failures);
  }
}
