package dev.fairlead.dispatch;

import static dev.fairlead.pool.TestingPools.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceWork;
import dev.fairlead.lease.Lease;
import dev.fairlead.lease.PoolException;
import dev.fairlead.outcome.Outcome;
import dev.fairlead.outcome.RetryOptions;
import dev.fairlead.outcome.TaskException;
import dev.fairlead.policy.Demand;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.Eventually;
import dev.fairlead.pool.NoThreadLeft;
import dev.fairlead.pool.TestingBackend;
import dev.fairlead.pool.TestingPools;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The ways in which people use a dispatcher and its tasks. */
@ExtendWith(NoThreadLeft.class)
class TaskUseTest {
  private final List<Device> devices = TestingBackend.devices(2);
  private final DevicePool pool = DevicePool.of(devices, options());
  private final Dispatcher dispatcher = Dispatcher.on(pool, 2);
  private final CountDownLatch go = new CountDownLatch(1);

  @AfterEach
  void close() throws Exception {
    go.countDown();
    Eventually.close(dispatcher).result();
    Eventually.close(pool).result();
  }

  /** How a task ended; it must not take for ever. */
  private static <R> Outcome<R> end(Task<R> task) throws InterruptedException {
    return task.await(TestingPools.LONG).orElseThrow(() -> new AssertionError(task + " hangs"));
  }

  private Task<Integer> held() throws InterruptedException {
    return dispatcher.submit(
        Demand.any(),
        slot -> {
          go.await();
          return 1;
        });
  }

  /** The device that has failed it is idle, the other one is busy: it waits for that. */
  @Test
  void aTaskIsTriedAgainOnADeviceThatHasNotFailedIt() throws Exception {
    Device idle = devices.getFirst();
    Device busy = devices.getLast();
    Task<Integer> other =
        dispatcher.submit(
            Demand.any().onlyOn(busy.id()),
            slot -> {
              go.await();
              return 1;
            });
    List<Device> tried = new CopyOnWriteArrayList<>();
    Task<Integer> again =
        dispatcher.submit(
            Demand.any(),
            slot -> {
              tried.add(slot.device());
              if (slot.device().equals(idle)) {
                throw new IllegalStateException("not here");
              }
              return 3;
            },
            RetryOptions.once().withTries(2));
    Eventually.until(
        "a second try, or a place in the queue of the busy device",
        () -> tried.size() > 1 || pool.stats(busy.id()).outstanding() > 1);
    go.countDown();
    assertThat(end(again).orThrow()).isEqualTo(3);
    assertThat(end(other).orThrow()).isEqualTo(1);
    assertThat(tried).containsExactly(idle, busy);
  }

  /** Both devices that have failed it are idle, the third one is busy: it waits for that. */
  @Test
  void aTaskRemembersAllDevicesThatHaveFailedIt() throws Exception {
    List<Device> three = TestingBackend.devices(3);
    Device busy = three.getLast();
    List<Device> tried = new CopyOnWriteArrayList<>();
    try (DevicePool wider = DevicePool.of(three, options());
        Dispatcher tasks = Dispatcher.on(wider, 2)) {
      Lease held = TestingPools.lease(wider, busy);
      Task<Integer> again =
          tasks.submit(
              Demand.any(),
              slot -> {
                tried.add(slot.device());
                if (!slot.device().equals(busy)) {
                  throw new IllegalStateException("not here");
                }
                return 3;
              },
              RetryOptions.once().withTries(3));
      Eventually.until(
          "a third try, or a place in the queue of the busy device",
          () -> tried.size() > 2 || wider.stats(busy.id()).outstanding() > 1);
      held.succeed();
      assertThat(end(again).orThrow()).isEqualTo(3);
    }
    assertThat(tried).hasSize(3).doesNotHaveDuplicates().last().isEqualTo(busy);
  }

  @Test
  void aTaskIsAFutureThatOthersDependOn() throws Exception {
    CompletableFuture<Integer> sum =
        dispatcher
            .submit(Demand.any(), slot -> 20)
            .future()
            .thenCombine(dispatcher.submit(Demand.any(), slot -> 22).future(), Integer::sum);
    assertThat(sum.get(20, TimeUnit.SECONDS)).isEqualTo(42);
    CompletableFuture<Integer> broken =
        dispatcher
            .<Integer>submit(
                Demand.any(),
                slot -> {
                  throw new IOException("broken");
                })
            .future();
    assertThatThrownBy(() -> broken.get(20, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasRootCauseInstanceOf(IOException.class);
  }

  @Test
  void cancellingTheFutureCancelsTheTaskAndTheOtherWayRound() throws Exception {
    Task<Integer> task = held();
    assertThat(task.future().cancel(true)).isTrue();
    assertThat(end(task)).isInstanceOf(Outcome.Cancelled.class);
    Task<Integer> other = held();
    CompletableFuture<Integer> future = other.future();
    other.cancel();
    assertThatThrownBy(() -> future.get(20, TimeUnit.SECONDS))
        .isInstanceOf(CancellationException.class);
  }

  @Test
  void uncheckedExceptionsOfTheWorkComeOutAsTheyAre() throws Exception {
    IllegalStateException mine = new IllegalStateException("mine");
    assertThatThrownBy(() -> failing(mine).orThrow()).isSameAs(mine);
    AssertionError error = new AssertionError("mine, too");
    assertThatThrownBy(() -> failing(error).orThrow()).isSameAs(error);
    assertThatThrownBy(() -> failing(new IOException("a checked one")).orThrow())
        .isInstanceOf(TaskException.Condemned.class)
        .hasRootCauseInstanceOf(IOException.class)
        .hasMessageContaining("1 try");
  }

  /** How a task ends that throws. It must find a place, though others have failed before. */
  private Outcome<Integer> failing(Throwable thrown) throws Exception {
    DeviceWork<Integer, Exception> work =
        slot -> {
          if (thrown instanceof Error error) {
            throw error;
          }
          throw (Exception) thrown;
        };
    return end(Eventually.start(() -> dispatcher.submit(Demand.any(), work)).result());
  }

  @Test
  void trySubmitNeverWaits() throws Exception {
    Task<Integer> one = held();
    Optional<Task<Integer>> two =
        dispatcher.trySubmit(Demand.any(), slot -> 2, RetryOptions.once());
    assertThat(two).isPresent();
    assertThat(end(two.get()).orThrow()).isEqualTo(2);
    Task<Integer> three = held();
    var four =
        Eventually.start(() -> dispatcher.trySubmit(Demand.any(), slot -> 4, RetryOptions.once()));
    assertThat(four.result()).isEmpty();
    go.countDown();
    assertThat(end(one).orThrow() + end(three).orThrow()).isEqualTo(2);
  }

  @Test
  void aDispatchWaitsNoLongerThanItSays() throws Exception {
    try (Lease first = TestingPools.lease(pool, devices.get(0));
        Lease second = TestingPools.lease(pool, devices.get(1))) {
      assertThatThrownBy(dispatching(Duration.ofMillis(1))::result)
          .isInstanceOf(PoolException.TimedOut.class);
      first.succeed();
      second.succeed();
    }
    Task<Integer> one = held();
    Task<Integer> two = held();
    assertThatThrownBy(dispatching(Duration.ofMillis(1))::result)
        .isInstanceOf(TaskException.TooManyInFlight.class);
    go.countDown();
    end(one);
    end(two);
    assertThat(dispatching(Dispatcher.NO_LIMIT).result().value()).isEqualTo(3);
  }

  private Eventually.Started<Dispatched<Integer>> dispatching(Duration limit) {
    return Eventually.start(
        () -> dispatcher.<Integer, RuntimeException>dispatch(Demand.any(), slot -> 3, limit));
  }

  @Test
  void dispatchOnRunsOnThatDevice() throws Exception {
    // Each twice: placed anywhere, they would take turns.
    for (Device device : List.of(devices.get(0), devices.get(0), devices.get(1), devices.get(1))) {
      assertThat(dispatcher.dispatchOn(device.id(), slot -> slot.device()).value())
          .isEqualTo(device);
    }
  }

  @Test
  void aDistributionIsIterable() {
    List<Integer> values = new ArrayList<>();
    try (Distribution<Integer> all =
        dispatcher.stream(
            List.of(1, 2, 3, 4, 5).iterator(),
            2,
            Demand.any(),
            (item, slot) -> item * item,
            RetryOptions.once())) {
      for (Outcome<Integer> outcome : all) {
        values.add(outcome.orThrow());
      }
    }
    assertThat(values).containsExactly(1, 4, 9, 16, 25);
  }

  @Test
  void anExecutorPlacesWhatItExecutes() throws Exception {
    ExecutorService executor = dispatcher.executor(Demand.any().onlyOn(devices.get(1).id()));
    Future<String> name = executor.submit(() -> Thread.currentThread().getName());
    assertThat(name.get(20, TimeUnit.SECONDS)).contains(devices.get(1).label());
    Future<?> stuck =
        executor.submit(() -> {
          go.await();
          return 1;
        });
    executor.shutdown();
    assertThatThrownBy(() -> executor.execute(() -> {}))
        .isInstanceOf(RejectedExecutionException.class);
    assertThat(executor.awaitTermination(1, TimeUnit.MILLISECONDS)).isFalse();
    assertThat(executor.shutdownNow()).isNotEmpty();
    assertThat(executor.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    assertThat(executor.isTerminated()).isTrue();
    assertThat(stuck.isDone()).isTrue();
    assertThat(dispatcher.dispatch(Demand.any(), slot -> 1).value()).isEqualTo(1);
  }

  @Test
  void aDeadlineCountsTheTimeBeforeAdmission() throws Exception {
    Task<Integer> one = held();
    Task<Integer> two = held();
    AtomicBoolean ran = new AtomicBoolean();
    var submitting =
        Eventually.start(() ->
            dispatcher.submit(
                Demand.any(),
                slot -> {
                  ran.set(true);
                  return 1;
                },
                RetryOptions.once().withDeadline(Duration.ofMillis(5))));
    Task<Integer> late = submitting.result();
    assertThatThrownBy(() -> end(late).orThrow()).isInstanceOf(TaskException.DeadlinePassed.class);
    go.countDown();
    end(one);
    end(two);
    assertThat(ran).isFalse();
  }

  @Test
  void anAlarmThatIsCancelledIsLetGoOf() {
    WeakReference<Future<?>> alarm = cancelledAlarm();
    Eventually.until(
        "nobody holds it until its time would have come",
        () -> {
          System.gc();
          return alarm.get() == null;
        });
  }

  private WeakReference<Future<?>> cancelledAlarm() {
    Future<?> alarm = dispatcher.alarm(() -> {}, Duration.ofDays(1));
    assertThat(alarm.cancel(false)).isTrue();
    return new WeakReference<>(alarm);
  }

  @Test
  void aCallbackThatBlocksDoesNotDelayThoseWhoWait() throws Exception {
    CountDownLatch waits = new CountDownLatch(1);
    Task<Integer> task = held();
    var waiter = Eventually.start(task::await);
    waiter.isWaiting();
    task.onEnd(outcome -> Eventually.open(waits));
    go.countDown();
    try {
      assertThat(waiter.result().orThrow()).isEqualTo(1);
    } finally {
      waits.countDown();
    }
  }

  @Test
  void whatCouldWaitForItselfIsRefusedWithASentence() throws Exception {
    Task<Integer> stuck = held();
    Outcome<Integer> nested = end(dispatcher.submit(Demand.any(), slot -> stuck.await().orThrow()));
    assertThatThrownBy(nested::orThrow)
        .isInstanceOf(PoolException.WouldHang.class)
        .hasMessageContaining("a device's own thread");
    Outcome<Integer> closing =
        end(
            dispatcher.submit(
                Demand.any(),
                slot -> {
                  dispatcher.close();
                  return 1;
                }));
    assertThatThrownBy(closing::orThrow).isInstanceOf(PoolException.WouldHang.class);
    go.countDown();
    end(stuck);
  }
}
