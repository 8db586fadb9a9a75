package dev.fairlead.dispatch;

import static dev.fairlead.pool.TestingBackend.devices;
import static dev.fairlead.pool.TestingPools.options;
import static dev.fairlead.pool.TestingPools.watched;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceWork;
import dev.fairlead.event.PoolListener;
import dev.fairlead.lease.Lease;
import dev.fairlead.lease.PoolException;
import dev.fairlead.outcome.Outcome;
import dev.fairlead.outcome.RetryOptions;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.PlacementPolicy;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.Eventually;
import dev.fairlead.pool.NoThreadLeft;
import dev.fairlead.pool.PoolOptions;
import dev.fairlead.pool.TestingPools;
import dev.fairlead.pool.Woven;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What tasks withstand: late returns, refusals, cancels, interrupts. */
@ExtendWith(NoThreadLeft.class)
class TaskAdversityTest {
  private static final Duration LIMIT = Duration.ofMillis(100);

  /** Work that goes on until the latch opens, interrupted or not. */
  private static DeviceWork<Integer, Exception> until(CountDownLatch latch) {
    return slot -> {
      Eventually.open(latch);
      return 1;
    };
  }

  /** Work that goes on until the latch opens or somebody interrupts it. */
  private static DeviceWork<Integer, Exception> interruptiblyUntil(CountDownLatch latch) {
    return slot -> {
      latch.await();
      return 1;
    };
  }

  /** Whose second try ends before the submitter is back from its first placement. */
  private static final class OvertakenSubmitter implements Callable<List<Device>> {
    @Override
    public List<Device> call() throws Exception {
      try (DevicePool pool = DevicePool.of(devices(2), options());
          Dispatcher dispatcher = Dispatcher.on(pool)) {
        List<Device> ran = new CopyOnWriteArrayList<>();
        var submitting =
            Eventually.start(() ->
                dispatcher.submit(
                    Demand.any(),
                    slot -> {
                      ran.add(slot.device());
                      if (ran.size() == 1) {
                        throw new IllegalStateException("first");
                      }
                      return 1;
                    },
                    RetryOptions.once().withTries(2)));
        Woven.seam().awaitReached();
        try {
          Eventually.until(
              "its second try has ended", () -> pool.snapshot().totals().completed() == 1);
        } finally {
          Woven.seam().letGo();
        }
        assertThat(ran).hasSize(2);
        Outcome<Integer> outcome = submitting.result().await(TestingPools.LONG).orElseThrow();
        return List.of(ran.get(1), ((Outcome.Succeeded<Integer>) outcome).device());
      }
    }
  }

  @Test
  void theOutcomeNamesTheDeviceThatDidTheWork() throws Exception {
    Callable<List<Device>> overtaken =
        Woven.<Callable<List<Device>>>heldBefore(
            "PlacedTask", "submit", "state", OvertakenSubmitter.class);
    assertThat(Set.copyOf(overtaken.call())).as("where it ran last, where it says").hasSize(1);
  }

  @Test
  void aTaskThatReturnsAsTheWatchdogComesEnds() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    PoolOptions options =
        watched(LIMIT)
            .withListener(event -> {
              if (event instanceof PoolListener.Event.Ended) {
                release.countDown();
                Eventually.until(
                    "the thread is idle or dead",
                    () ->
                        Thread.getAllStackTraces().keySet().stream()
                            .filter(thread -> isDeviceThread(thread.getName()))
                            .noneMatch(thread -> thread.getState() == Thread.State.RUNNABLE));
              }
            });
    try (DevicePool pool = DevicePool.of(devices(1), options)) {
      Dispatcher dispatcher = Dispatcher.on(pool);
      Task<Integer> task = dispatcher.submit(Demand.any(), until(release));
      assertThat(task.await(Duration.ofSeconds(5))).isPresent();
      dispatcher.close();
    }
  }

  /** Those who run the tests have threads, too. */
  private static boolean isDeviceThread(String name) {
    return name.startsWith("fairlead ") && name.contains(" thread ");
  }

  @Test
  void workThatComesBackLateIsHarmless() throws Exception {
    AtomicReference<Throwable> uncaught = new AtomicReference<>();
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> uncaught.set(failure));
    CountDownLatch release = new CountDownLatch(1);
    try (DevicePool pool = DevicePool.of(devices(1), watched(LIMIT))) {
      Dispatcher dispatcher = Dispatcher.on(pool);
      Task<Integer> task = dispatcher.submit(Demand.any(), until(release));
      assertThat(task.await(Duration.ofSeconds(5))).get().isInstanceOf(Outcome.Failed.class);
      release.countDown();
      Eventually.until(
          "thread gone",
          () -> Eventually.fairleadThreads().stream().noneMatch(name -> name.contains("thread")));
      dispatcher.close();
      assertThat(uncaught.get()).isNull();
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
  }

  @Test
  void cancelAndCloseReachesATaskThatIsJustBeingPlaced() throws Exception {
    CountDownLatch choosing = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    PlacementPolicy slow =
        PlacementPolicy.of(
            "slow",
            candidates -> {
              choosing.countDown();
              Eventually.open(go);
              return candidates.available(0) ? 0 : -1;
            });
    try (DevicePool pool = DevicePool.of(devices(1), options().withPolicy(slow))) {
      Dispatcher dispatcher = Dispatcher.on(pool);
      CountDownLatch never = new CountDownLatch(1);
      var submitting =
          Eventually.start(() -> dispatcher.submit(Demand.any(), interruptiblyUntil(never)));
      Eventually.open(choosing);
      var closing = Eventually.close(dispatcher::cancelAndClose);
      closing.isWaiting();
      go.countDown();
      try {
        closing.result();
        assertThat(submitting.future()).isDone();
      } finally {
        never.countDown();
      }
    }
  }

  @Test
  void aRefusedTaskGivesItsPlaceBackOnceThoughItHadADeadline() throws Exception {
    try (DevicePool pool = DevicePool.of(devices(1), options())) {
      Dispatcher dispatcher = Dispatcher.on(pool, 2);
      assertThatThrownBy(() ->
              dispatcher.submit(
                  Demand.any().withMemory(1),
                  slot -> 1,
                  RetryOptions.once().withDeadline(Duration.ofMillis(1))))
          .isInstanceOf(PoolException.Rejected.class);
      CountDownLatch go = new CountDownLatch(1);
      // Its alarm comes after the one of the task that was refused.
      Task<Integer> late =
          dispatcher.submit(
              Demand.any(),
              interruptiblyUntil(go),
              RetryOptions.once().withDeadline(Duration.ofMillis(20)));
      assertThat(late.await().isSuccess()).isFalse();
      dispatcher.submit(Demand.any(), interruptiblyUntil(go));
      dispatcher.submit(Demand.any(), interruptiblyUntil(go));
      var third = Eventually.start(() -> dispatcher.submit(Demand.any(), slot -> 3));
      third.isWaiting();
      boolean slipped = third.future().isDone();
      go.countDown();
      third.result();
      dispatcher.close();
      assertThat(slipped).isFalse();
    }
  }

  @Test
  void aTaskRefusedByItsPolicyGivesItsPlaceBackOnce() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    PlacementPolicy moody =
        PlacementPolicy.of(
            "moody",
            candidates -> {
              int call = calls.incrementAndGet();
              if (call == 2) {
                throw new IllegalStateException("moody");
              }
              return call > 1 && candidates.available(0) ? 0 : -1;
            });
    try (DevicePool pool = DevicePool.of(devices(1), options().withPolicy(moody))) {
      Dispatcher dispatcher = Dispatcher.on(pool, 1);
      assertThatThrownBy(() -> dispatcher.submit(Demand.any(), slot -> 1))
          .isInstanceOf(PoolException.PolicyFailed.class);
      CountDownLatch go = new CountDownLatch(1);
      dispatcher.submit(Demand.any(), interruptiblyUntil(go));
      var second = Eventually.start(() -> dispatcher.submit(Demand.any(), slot -> 3));
      second.isWaiting();
      boolean slipped = second.future().isDone();
      go.countDown();
      second.result();
      dispatcher.close();
      assertThat(slipped).isFalse();
    }
  }

  @Test
  void anErrorWhileSubmittingGivesThePlaceBack() throws Exception {
    AtomicBoolean bad = new AtomicBoolean(true);
    PlacementPolicy moody =
        PlacementPolicy.of(
            "moody",
            candidates -> {
              if (bad.get()) {
                throw new NoClassDefFoundError("moody");
              }
              return candidates.available(0) ? 0 : -1;
            });
    try (DevicePool pool = DevicePool.of(devices(1), options().withPolicy(moody))) {
      Dispatcher dispatcher = Dispatcher.on(pool, 1);
      assertThatThrownBy(() -> dispatcher.submit(Demand.any(), slot -> 1))
          .isInstanceOf(PoolException.PolicyFailed.class);
      bad.set(false);
      assertThat(Eventually.close(dispatcher).result()).isTrue();
    }
  }

  /** A thread whose interrupt is held up: as if whoever interrupts it had lost its core. */
  private static final class HeldUp extends Thread {
    private final CountDownLatch interrupting = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private volatile boolean wasInterrupted;

    HeldUp(Runnable body) {
      super(body, "test helper");
      setDaemon(true);
    }

    @Override
    public void interrupt() {
      interrupting.countDown();
      Eventually.open(goOn);
      wasInterrupted = true;
      super.interrupt();
    }

    boolean isIn(String method) {
      return Arrays.stream(getStackTrace()).anyMatch(each -> each.getMethodName().equals(method));
    }
  }

  @Test
  void aThreadLeavesACancelledTaskOnlyWhenItsInterruptHasCome() throws Exception {
    try (DevicePool pool = DevicePool.of(devices(1), options());
        Dispatcher dispatcher = Dispatcher.on(pool)) {
      CountDownLatch inside = new CountDownLatch(1);
      CountDownLatch release = new CountDownLatch(1);
      DeviceWork<Integer, Exception> work =
          slot -> {
            inside.countDown();
            Eventually.open(release);
            return 1;
          };
      var task =
          new PlacedTask<Integer>(dispatcher, Demand.any(), work, false, RetryOptions.once());
      Lease lease = TestingPools.lease(pool);
      AtomicReference<String> left = new AtomicReference<>();
      HeldUp runner =
          new HeldUp(() -> {
            task.run(lease);
            HeldUp self = (HeldUp) Thread.currentThread();
            left.set(
                (self.wasInterrupted ? "after" : "before")
                    + " the interrupt, which is "
                    + (self.isInterrupted() ? "kept" : "taken away"));
          });
      runner.start();
      Eventually.open(inside);
      var cancelling = Eventually.start(task::cancel);
      Eventually.open(runner.interrupting);
      release.countDown();
      Eventually.until("it wants to leave", () -> left.get() != null || runner.isIn("leave"));
      runner.goOn.countDown();
      assertThat(cancelling.result()).isTrue();
      Eventually.until("it has left", () -> left.get() != null);
      assertThat(left).hasValue("after the interrupt, which is taken away");
      assertThat(task.await()).isInstanceOf(Outcome.Cancelled.class);
    }
  }

  @Test
  void anInterruptThatWorkLeavesBehindDoesNotReachTheNextTask() throws Exception {
    try (DevicePool pool = DevicePool.of(devices(1), options());
        Dispatcher dispatcher = Dispatcher.on(pool)) {
      CountDownLatch go = new CountDownLatch(1);
      dispatcher.submit(
          Demand.any(),
          slot -> {
            Eventually.open(go);
            Thread.currentThread().interrupt();
            return 1;
          });
      Task<Boolean> next =
          dispatcher.submit(Demand.any(), slot -> Thread.currentThread().isInterrupted());
      go.countDown();
      assertThat(next.await().orThrow()).isFalse();
    }
  }
}
