package dev.fairlead.dispatch;

import dev.fairlead.device.DeviceId;
import dev.fairlead.device.DeviceWork;
import dev.fairlead.lease.Lease;
import dev.fairlead.lease.PoolException;
import dev.fairlead.outcome.Outcome;
import dev.fairlead.outcome.RetryOptions;
import dev.fairlead.outcome.TaskException;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.Load;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.Timing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs work on a pool: {@link #dispatch} now, {@link #submit} later, {@link #distribute} a batch,
 * {@link #stream} a sequence, {@link #overRange} an index range. Thread-safe.
 *
 * <p>At most so many submitted tasks are in flight; a thread that submits more waits. Closing waits
 * for all of them, or cancels them; the pool belongs to the caller that opened it.
 */
public final class Dispatcher implements AutoCloseable {
  private static final int USUAL_IN_FLIGHT = 1 << 16;

  /** A time limit that is none. */
  public static final Duration NO_LIMIT = Timing.NO_LIMIT;

  private final DevicePool pool;
  private final InFlightLimit inFlight;
  private @Nullable ScheduledThreadPoolExecutor clock;
  private final Set<Thread> callers = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;
  private volatile boolean cancelling;

  private Dispatcher(DevicePool pool, int mostInFlight) {
    this.pool = pool;
    this.inFlight = new InFlightLimit(mostInFlight);
  }

  public static Dispatcher on(DevicePool pool) {
    return on(pool, USUAL_IN_FLIGHT);
  }

  /** A dispatcher with at most {@code mostInFlight} submitted tasks that have not ended. */
  public static Dispatcher on(DevicePool pool, int mostInFlight) {
    if (mostInFlight < 1) {
      throw new IllegalArgumentException("mostInFlight is less than one: " + mostInFlight);
    }
    return new Dispatcher(Objects.requireNonNull(pool, "pool is null"), mostInFlight);
  }

  /** Runs work once, on a thread of the device that takes it; its exception comes out unchanged. */
  public <R, X extends Exception> Dispatched<R> dispatch(Demand demand, DeviceWork<R, X> work)
      throws X, InterruptedException {
    return dispatch(demand, work, NO_LIMIT);
  }

  /**
   * The same, with a limit to how long it may wait for a device.
   *
   * @throws PoolException.TimedOut if no device could take it in time
   */
  public <R, X extends Exception> Dispatched<R> dispatch(
      Demand demand, DeviceWork<R, X> work, Duration timeout) throws X, InterruptedException {
    Objects.requireNonNull(work, "work is null");
    long begun = System.nanoTime();
    long nanos = Timing.nanos(timeout);
    enter(nanos);
    try {
      long left = nanos == Long.MAX_VALUE ? nanos : nanos - (System.nanoTime() - begun);
      try (Lease lease = pool.lease(demand, Duration.ofNanos(Math.max(0, left)))) {
        Load load = lease.load();
        R result = lease.run(work);
        lease.succeed();
        return new Dispatched<>(result, lease.device(), load);
      }
    } finally {
      leave();
    }
  }

  /** Runs work once on that device, however busy it is. */
  public <R, X extends Exception> Dispatched<R> dispatchOn(DeviceId device, DeviceWork<R, X> work)
      throws X, InterruptedException {
    return dispatch(Demand.any().onlyOn(device), work);
  }

  /** Leaves work to be done when its turn comes; waits only while too many are in flight. */
  public <R> Task<R> submit(Demand demand, DeviceWork<R, ?> work) throws InterruptedException {
    return submit(demand, work, RetryOptions.once());
  }

  public <R> Task<R> submit(Demand demand, DeviceWork<R, ?> work, RetryOptions retry)
      throws InterruptedException {
    Objects.requireNonNull(work, "work is null");
    return launch(new PlacedTask<R>(this, demand, work, false, retry), retry);
  }

  /** The same if there is room among those in flight; empty if not, without waiting. */
  public <R> Optional<Task<R>> trySubmit(Demand demand, DeviceWork<R, ?> work, RetryOptions retry) {
    Objects.requireNonNull(work, "work is null");
    checkOpen();
    return inFlight.tryEnter()
        ? Optional.of(admitted(new PlacedTask<R>(this, demand, work, false, retry), 0))
        : Optional.empty();
  }

  /**
   * Leaves work that gives an event: the device is busy until the event comes, its thread only
   * while the work itself runs, so that it can enqueue what comes next.
   */
  public <R> Task<R> submitAsync(
      Demand demand, DeviceWork<? extends CompletionStage<R>, ?> work, RetryOptions retry)
      throws InterruptedException {
    Objects.requireNonNull(work, "work is null");
    return launch(new PlacedTask<R>(this, demand, work, true, retry), retry);
  }

  private <R> Task<R> launch(PlacedTask<R> task, RetryOptions retry) throws InterruptedException {
    checkOpen();
    if (retry.deadline().isEmpty()) {
      inFlight.enter();
      return admitted(task, 0);
    }
    long begun = System.nanoTime();
    if (!inFlight.enter(Timing.nanos(retry.deadline().get()))) {
      boolean _ = task.startClock(Long.MAX_VALUE);
      return task;
    }
    return admitted(task, System.nanoTime() - begun);
  }

  private <R> Task<R> admitted(PlacedTask<R> task, long elapsedNanos) {
    if (closed) {
      inFlight.leave();
      throw new TaskException.DispatcherClosed();
    }
    if (!task.startClock(elapsedNanos)) {
      inFlight.leave();
      return task;
    }
    task.start();
    if (cancelling) {
      task.cancel();
    }
    return task;
  }

  /**
   * The dispatcher as an executor of plain tasks, each of them placed by that demand. Shutting it
   * down leaves the dispatcher open.
   */
  public ExecutorService executor(Demand demand) {
    return new DispatcherExecutor(this, Objects.requireNonNull(demand, "demand is null"));
  }

  /** Does the work for each item, all devices at once; the outcomes are in the items' order. */
  public <T, R> List<Outcome<R>> distribute(
      List<T> items, Demand demand, ItemWork<T, R> work, RetryOptions retry)
      throws InterruptedException {
    List<Outcome<R>> outcomes = new ArrayList<>(items.size());
    try (Distribution<R> all =
        stream(items.iterator(), Math.max(1, items.size()), demand, work, retry)) {
      while (all.hasNext()) {
        outcomes.add(all.take());
      }
    }
    return outcomes;
  }

  public <T, R> List<Outcome<R>> distribute(List<T> items, Demand demand, ItemWork<T, R> work)
      throws InterruptedException {
    return distribute(items, demand, work, RetryOptions.once());
  }

  /**
   * Does the work for each item of a sequence that need not fit in memory; the outcomes come in the
   * items' order.
   *
   * @param window how many items may be ahead of the one that is taken next
   */
  public <T, R> Distribution<R> stream(
      Iterator<T> items, int window, Demand demand, ItemWork<T, R> work, RetryOptions retry) {
    Objects.requireNonNull(work, "work is null");
    checkOpen();
    return new Distribution<>(
        new Iterator<>() {
          @Override
          public boolean hasNext() {
            return items.hasNext();
          }

          @Override
          public Distribution.Submission<R> next() {
            T item = items.next();
            return () -> launchOrFail(demand, slot -> work.run(item, slot), retry);
          }
        },
        window);
  }

  /**
   * Does the work for every index in {@code [0, total)}: each device starts with a share by its
   * speed, and steals from the slowest when it is done. A part that fails is done again elsewhere,
   * so the work must be safe to repeat.
   *
   * @param grain the smallest part that is handed out
   */
  public RangeReport overRange(long total, long grain, Demand demand, RangeWork work)
      throws InterruptedException {
    Objects.requireNonNull(work, "work is null");
    enter(Long.MAX_VALUE);
    try {
      return RangeRun.of(pool, total, grain, demand, work).finish();
    } finally {
      leave();
    }
  }

  /**
   * Waits for everything that was submitted, then closes.
   *
   * @throws PoolException.WouldHang if work on one of the pool's devices calls it
   */
  @Override
  public void close() {
    pool.checkWait("Closing the dispatcher");
    closed = true;
    inFlight.awaitEmpty();
    synchronized (this) {
      if (clock != null) {
        clock.shutdownNow();
      }
    }
  }

  /** Cancels everything that was submitted and waits until the devices have let go of it. */
  public void cancelAndClose() {
    pool.checkWait("Closing the dispatcher");
    closed = true;
    cancelling = true;
    pool.jobs().forEach(job -> PlacedTask.of(job, this).ifPresent(Task::cancel));
    callers.forEach(Thread::interrupt);
    close();
  }

  boolean isCancelling() {
    return cancelling;
  }

  /** A task that cannot be placed is a failed one: the other items of a batch go on. */
  private <R> Task<R> launchOrFail(Demand demand, DeviceWork<R, ?> work, RetryOptions retry)
      throws InterruptedException {
    PlacedTask<R> task = new PlacedTask<R>(this, demand, work, false, retry);
    try {
      return launch(task, retry);
    } catch (PoolException refused) {
      return task;
    }
  }

  /** A caller that waits here counts as in flight, and can be interrupted by a close. */
  private void enter(long nanos) throws InterruptedException {
    checkOpen();
    if (!inFlight.tryEnter()) {
      if (nanos == Long.MAX_VALUE) {
        pool.checkWait("Waiting for others in flight");
      }
      if (!inFlight.enter(nanos)) {
        throw new TaskException.TooManyInFlight(Duration.ofNanos(nanos));
      }
    }
    callers.add(Thread.currentThread());
    if (closed) {
      leave();
      throw new TaskException.DispatcherClosed();
    }
  }

  private void leave() {
    callers.remove(Thread.currentThread());
    inFlight.leave();
  }

  private void checkOpen() {
    if (closed) {
      throw new TaskException.DispatcherClosed();
    }
  }

  DevicePool pool() {
    return pool;
  }

  void released() {
    inFlight.leave();
  }

  /** Calls {@code action} after {@code delay} unless it is cancelled before. */
  synchronized Future<?> alarm(Runnable action, Duration delay) {
    if (clock == null) {
      clock =
          new ScheduledThreadPoolExecutor(
              1, Thread.ofPlatform().daemon().name("fairlead deadlines").factory());
      clock.setRemoveOnCancelPolicy(true);
    }
    return clock.schedule(action, Timing.nanos(delay), TimeUnit.NANOSECONDS);
  }
}
