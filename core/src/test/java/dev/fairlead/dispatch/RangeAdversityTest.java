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

/** What batches and ranges withstand. */
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
class RangeAdversityTest {
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
  void aCallbackThatThrowsAnErrorDoesNotEndTheDevicesThread() throws Exception {
    try (DevicePool pool = DevicePool.of(TestingBackend.devices(1), quick())) {
      Dispatcher dispatcher = Dispatcher.on(pool);
      CountDownLatch go = new CountDownLatch(1);
      Task<Integer> first =
          dispatcher.submit(
              Demand.any(),
              slot -> {
                Eventually.open(go);
                return 1;
              });
      first.onEnd(outcome -> {
        throw new AssertionError("callback");
      });
      go.countDown();
      first.await();
      Task<Integer> second = dispatcher.submit(Demand.any(), slot -> 2);
      assertThat(second.await(Duration.ofSeconds(4))).isPresent();
      dispatcher.close();
    }
  }

  @Test
  void anItemThatWasInterruptedOnItsWayInIsNotLost() throws Exception {
    try (DevicePool pool = DevicePool.of(TestingBackend.devices(1), quick())) {
      Dispatcher dispatcher = Dispatcher.on(pool, 1);
      CountDownLatch go = new CountDownLatch(1);
      dispatcher.submit(
          Demand.any(),
          slot -> {
            go.await();
            return 0;
          });
      Distribution<Integer> stream =
          dispatcher.stream(
              List.of(1, 2, 3).iterator(), 1, Demand.any(), (item, slot) -> item, Terms.once());
      Thread.currentThread().interrupt();
      assertThatThrownBy(stream::take).isInstanceOf(InterruptedException.class);
      go.countDown();
      List<Integer> seen = new ArrayList<>();
      while (stream.hasNext()) seen.add(stream.take().orThrow());
      dispatcher.close();
      assertThat(seen).containsExactly(1, 2, 3);
    }
  }

  @Test
  void anItemThatNoDeviceIsLeftForHasAnOutcomeOfItsOwn() throws Exception {
    try (DevicePool pool = DevicePool.of(TestingBackend.devices(1), quick())) {
      Dispatcher dispatcher = Dispatcher.on(pool);
      List<Outcome<Integer>> outcomes = new ArrayList<>();
      try (Distribution<Integer> stream =
          dispatcher.stream(
              List.of(1, 2, 3).iterator(),
              1,
              Demand.any(),
              (item, slot) -> {
                throw new DeviceException(Fault.LOST, "gone");
              },
              Terms.once())) {
        while (stream.hasNext()) {
          outcomes.add(stream.take());
          Eventually.until("gone", () -> pool.size() == 0);
        }
      }
      assertThat(outcomes).hasSize(3).allMatch(o -> o instanceof Outcome.Failed);
      dispatcher.close();
    }
  }

  @Test
  void aRangeWhosePolicyFailsSaysSo() throws Exception {
    PlacementPolicy bad =
        PlacementPolicy.of(
            "bad",
            c -> {
              throw new IllegalStateException("no");
            });
    try (DevicePool pool = DevicePool.of(TestingBackend.devices(1), quick().withPolicy(bad));
        Dispatcher dispatcher = Dispatcher.on(pool)) {
      RangeReport report = null;
      try {
        report = dispatcher.overRange(10, 1, Demand.any(), (part, slot) -> {});
      } catch (PoolException.PolicyFailed fine) {
        return;
      }
      assertThat(report.condemned().toString()).contains("bad");
    }
  }

  @Test
  void aHugeRangeThatNobodyCanDoIsReportedWhole() throws Exception {
    PlacementPolicy bad =
        PlacementPolicy.of(
            "bad",
            c -> {
              throw new IllegalStateException("no");
            });
    try (DevicePool pool = DevicePool.of(TestingBackend.devices(1), quick().withPolicy(bad));
        Dispatcher dispatcher = Dispatcher.on(pool)) {
      RangeReport report = null;
      try {
        report = dispatcher.overRange(Long.MAX_VALUE, 1L << 62, Demand.any(), (part, slot) -> {});
      } catch (PoolException.PolicyFailed fine) {
        return;
      }
      assertThat(report.condemned().stream().mapToLong(c -> c.part().length()).sum())
          .isEqualTo(Long.MAX_VALUE);
    }
  }

  @Test
  void aUnitIsTriedAgainWhereItFailedOnceTheOtherDeviceHasStoppedServing() throws Exception {
    List<Device> devices = TestingBackend.devices(2);
    devices.forEach(d ->
        backend
            .on(d)
            .probes(() -> {
              throw new DeviceException(Fault.DEVICE, "dead");
            }));
    try (DevicePool pool = DevicePool.open(backend.found(devices), quick());
        Dispatcher dispatcher = Dispatcher.on(pool)) {
      Lease other = pool.lease(Demand.any().onlyOn(devices.get(1).id()), LONG);
      AtomicInteger tries = new AtomicInteger();
      CountDownLatch failed = new CountDownLatch(1);
      var run =
          Eventually.start(() ->
              dispatcher.overRange(
                  1,
                  1,
                  Demand.any(),
                  (part, slot) -> {
                    if (tries.incrementAndGet() == 1) {
                      failed.countDown();
                      throw new IllegalStateException("once");
                    }
                  }));
      Eventually.open(failed);
      Eventually.until("given back", () -> pool.snapshot().devices().get(0).stats().failed() == 1);
      other.fail(new DeviceException(Fault.CONTEXT, "poisoned"));
      assertThat(run.result().isComplete()).isTrue();
      assertThat(tries.get()).isEqualTo(2);
    }
  }

  @Test
  void aRangeWhoseWatchdogComesAsAPartReturnsEnds() throws Exception {
    for (int i = 0; i < 400; i++) {
      ManualTicker time = new ManualTicker();
      PoolOptions options =
          PoolOptions.usual()
              .withTicker(time)
              .withTiming(
                  Timing.usual()
                      .withPoll(Duration.ofMillis(4))
                      .withWatchdog(Duration.ofMillis(4))
                      .withOverdue(Duration.ZERO));
      try (DevicePool pool = DevicePool.of(TestingBackend.devices(2), options);
          Dispatcher dispatcher = Dispatcher.on(pool)) {
        var run =
            Eventually.start(() ->
                dispatcher.overRange(
                    40,
                    1,
                    Demand.any(),
                    (part, slot) -> {
                      time.advance(Duration.ofMillis(3));
                    }));
        var clock =
            Eventually.start(() -> {
              while (!run.future().isDone()) {
                time.advance(Duration.ofMillis(1));
                java.util.concurrent.locks.LockSupport.parkNanos(50_000);
              }
              return 0;
            });
        try {
          run.result();
        } catch (AssertionError hang) {
          var snap = pool.snapshot();
          run.thread().interrupt();
          throw new AssertionError(
              "round "
                  + i
                  + " "
                  + snap.devices().stream()
                      .map(e ->
                          e.device()
                              + " "
                              + e.health()
                              + " "
                              + e.stats().outstanding()
                              + " "
                              + e.leases())
                      .toList()
                  + " waiting "
                  + snap.waiting()
                  + " moved "
                  + Duration.ofNanos(time.nanos()),
              hang);
        }
        clock.result();
      }
    }
  }

  @Test
  void aTaskThatHangsIsTriedElsewhereIfItsTermsSaySo() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    try (DevicePool pool =
        DevicePool.of(
            TestingBackend.devices(2),
            quick()
                .withTiming(
                    Timing.usual()
                        .withPoll(Duration.ofMillis(20))
                        .withWatchdog(Duration.ofMillis(100))))) {
      Dispatcher dispatcher = Dispatcher.on(pool);
      AtomicInteger tries = new AtomicInteger();
      Task<Integer> task =
          dispatcher.submit(
              Demand.any(),
              slot -> {
                if (tries.incrementAndGet() == 1) Eventually.open(release);
                return 1;
              },
              Terms.once().withTries(2));
      Outcome<Integer> outcome = task.await(Duration.ofSeconds(5)).get();
      release.countDown();
      dispatcher.close();
      assertThat(outcome.isSuccess()).isTrue();
    }
  }

  @Test
  void aVeryLongPatienceIsNoError() throws Exception {
    try (DevicePool pool = DevicePool.of(TestingBackend.devices(1), quick());
        Dispatcher dispatcher = Dispatcher.on(pool)) {
      Duration age = Duration.ofSeconds(Long.MAX_VALUE);
      assertThat(
              dispatcher.submit(Demand.any(), slot -> 1, Terms.once().withDeadline(age)).await(age))
          .isPresent();
      assertThat(pool.remove(TestingBackend.device(0).id(), age)).isTrue();
    }
  }
}
