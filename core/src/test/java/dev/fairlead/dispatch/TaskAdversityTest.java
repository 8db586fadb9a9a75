package dev.fairlead.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.device.*;
import dev.fairlead.policy.*;
import dev.fairlead.pool.*;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What tasks withstand: late returns, refusals, cancels, interrupts. */
@ExtendWith(NoThreadLeft.class)
@SuppressWarnings({
  "UnusedVariable",
  "MissingOverride",
  "EmptyCatch",
  "UnnecessaryAsync",
  "ReferenceEquality",
  "FutureReturnValueIgnored",
  "unchecked",
  "rawtypes"
})
class TaskAdversityTest {
  static final Duration LONG = Duration.ofSeconds(30);
  final ManualTicker ticker = new ManualTicker();
  final TestingBackend backend = new TestingBackend();

  PoolOptions manual() {
    return PoolOptions.usual()
        .withTicker(ticker)
        .withTiming(Timing.usual().withPoll(Duration.ofHours(1)).withGrace(Duration.ofSeconds(2)));
  }

  PoolOptions quick() {
    return PoolOptions.usual()
        .withTiming(
            Timing.usual().withPoll(Duration.ofMillis(20)).withGrace(Duration.ofSeconds(2)));
  }

  @Test
  void theOutcomeNamesTheDeviceThatDidTheWork() throws Exception {
    Thread main = Thread.currentThread();
    CountDownLatch done = new CountDownLatch(1);
    PoolOptions options =
        quick()
            .withListener(event -> {
              if (event instanceof PoolListener.Event.Placed && Thread.currentThread() == main)
                Eventually.open(done);
            });
    List<Device> devices = TestingBackend.devices(2);
    try (DevicePool pool = DevicePool.of(devices, options);
        Dispatcher dispatcher = Dispatcher.on(pool)) {
      AtomicInteger tries = new AtomicInteger();
      AtomicReference<Device> last = new AtomicReference<>();
      PoolListener l;
      Task<Integer> task = null;
      // the second try ends before the submitter is back from its first placement
      var watcher =
          Eventually.start(() -> {
            Eventually.until("second try", () -> tries.get() == 2);
            Eventually.until("ended", () -> pool.snapshot().totals().completed() == 1);
            done.countDown();
            return 0;
          });
      task =
          dispatcher.submit(
              Demand.any(),
              slot -> {
                last.set(slot.device());
                if (tries.incrementAndGet() == 1) throw new IllegalStateException("first");
                return 1;
              },
              Terms.once().withTries(2));
      var outcome = (Outcome.Succeeded<Integer>) task.await();
      assertThat(outcome.device()).isEqualTo(last.get());
      watcher.result();
    }
  }

  @Test
  void aTaskThatReturnsAsTheWatchdogComesEnds() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    Device device = TestingBackend.device(0);
    PoolOptions options =
        quick()
            .withTiming(
                Timing.usual().withPoll(Duration.ofMillis(20)).withWatchdog(Duration.ofMillis(100)))
            .withListener(event -> {
              if (event instanceof PoolListener.Event.Ended) {
                release.countDown();
                Eventually.until(
                    "the lane is idle or dead",
                    () ->
                        Thread.getAllStackTraces().keySet().stream()
                            .filter(t -> t.getName().contains("lane"))
                            .noneMatch(t -> t.getState() == Thread.State.RUNNABLE));
              }
            });
    try (DevicePool pool = DevicePool.of(List.of(device), options)) {
      Dispatcher dispatcher = Dispatcher.on(pool);
      Task<Integer> task =
          dispatcher.submit(
              Demand.any(),
              slot -> {
                Eventually.open(release);
                return 1;
              });
      assertThat(task.await(Duration.ofSeconds(5))).isPresent();
      dispatcher.close();
    }
  }

  @Test
  void workThatComesBackLateIsHarmless() throws Exception {
    AtomicReference<Throwable> uncaught = new AtomicReference<>();
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((t, e) -> uncaught.set(e));
    CountDownLatch release = new CountDownLatch(1);
    try (DevicePool pool =
        DevicePool.of(
            TestingBackend.devices(1),
            quick()
                .withTiming(
                    Timing.usual()
                        .withPoll(Duration.ofMillis(20))
                        .withWatchdog(Duration.ofMillis(100))))) {
      Dispatcher dispatcher = Dispatcher.on(pool);
      Task<Integer> task =
          dispatcher.submit(
              Demand.any(),
              slot -> {
                Eventually.open(release);
                return 1;
              });
      assertThat(task.await(Duration.ofSeconds(5)).get()).isInstanceOf(Outcome.Failed.class);
      release.countDown();
      Eventually.until(
          "lane gone",
          () -> Eventually.fairleadThreads().stream().noneMatch(n -> n.contains("lane")));
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
            c -> {
              choosing.countDown();
              Eventually.open(go);
              return c.available(0) ? 0 : -1;
            });
    try (DevicePool pool = DevicePool.of(TestingBackend.devices(1), quick().withPolicy(slow))) {
      Dispatcher dispatcher = Dispatcher.on(pool);
      CountDownLatch never = new CountDownLatch(1);
      var submitting =
          Eventually.start(() ->
              dispatcher.submit(
                  Demand.any(),
                  slot -> {
                    never.await();
                    return 1;
                  }));
      Eventually.open(choosing);
      var closing =
          Eventually.start(() -> {
            dispatcher.cancelAndClose();
            return 0;
          });
      closing.isWaiting();
      go.countDown();
      try {
        closing.result();
      } finally {
        never.countDown();
      }
    }
  }

  @Test
  void aRefusedTaskGivesItsPlaceBackOnceThoughItHadADeadline() throws Exception {
    try (DevicePool pool = DevicePool.of(TestingBackend.devices(1), quick())) {
      Dispatcher dispatcher = Dispatcher.on(pool, 2);
      assertThatThrownBy(() ->
              dispatcher.submit(
                  Demand.any().withMemory(1),
                  slot -> 1,
                  Terms.once().withDeadline(Duration.ofMillis(1))))
          .isInstanceOf(PoolException.Rejected.class);
      CountDownLatch go = new CountDownLatch(1);
      // an alarm behind the first one
      Task<Integer> late =
          dispatcher.submit(
              Demand.any(),
              slot -> {
                go.await();
                return 1;
              },
              Terms.once().withDeadline(Duration.ofMillis(20)));
      assertThat(late.await().isSuccess()).isFalse();
      dispatcher.submit(
          Demand.any(),
          slot -> {
            go.await();
            return 1;
          });
      dispatcher.submit(
          Demand.any(),
          slot -> {
            go.await();
            return 1;
          });
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
            c -> {
              int call = calls.incrementAndGet();
              if (call == 2) throw new IllegalStateException("moody");
              return call == 1 ? -1 : c.available(0) ? 0 : -1;
            });
    try (DevicePool pool = DevicePool.of(TestingBackend.devices(1), quick().withPolicy(moody))) {
      Dispatcher dispatcher = Dispatcher.on(pool, 1);
      assertThatThrownBy(() -> dispatcher.submit(Demand.any(), slot -> 1))
          .isInstanceOf(PoolException.PolicyFailed.class);
      CountDownLatch go = new CountDownLatch(1);
      dispatcher.submit(
          Demand.any(),
          slot -> {
            go.await();
            return 1;
          });
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
            c -> {
              if (bad.get()) throw new NoClassDefFoundError("moody");
              return c.available(0) ? 0 : -1;
            });
    try (DevicePool pool = DevicePool.of(TestingBackend.devices(1), quick().withPolicy(moody))) {
      Dispatcher dispatcher = Dispatcher.on(pool, 1);
      assertThatThrownBy(() -> dispatcher.submit(Demand.any(), slot -> 1)).isNotNull();
      bad.set(false);
      var closing =
          Eventually.start(() -> {
            dispatcher.close();
            return 0;
          });
      closing.result();
    }
  }

  @Test
  void anInterruptThatWorkLeavesBehindDoesNotReachTheNextTask() throws Exception {
    try (DevicePool pool = DevicePool.of(TestingBackend.devices(1), quick());
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
