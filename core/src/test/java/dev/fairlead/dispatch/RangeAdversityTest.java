package dev.fairlead.dispatch;

import static dev.fairlead.pool.TestingBackend.devices;
import static dev.fairlead.pool.TestingPools.LONG;
import static dev.fairlead.pool.TestingPools.fault;
import static dev.fairlead.pool.TestingPools.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.device.Device;
import dev.fairlead.device.Fault;
import dev.fairlead.lease.Lease;
import dev.fairlead.outcome.FailedAttempt;
import dev.fairlead.outcome.Outcome;
import dev.fairlead.outcome.RetryOptions;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.PlacementPolicy;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.Eventually;
import dev.fairlead.pool.ManualTicker;
import dev.fairlead.pool.NoThreadLeft;
import dev.fairlead.pool.PoolOptions;
import dev.fairlead.pool.PoolSnapshot;
import dev.fairlead.pool.TestingBackend;
import dev.fairlead.pool.TestingPools;
import dev.fairlead.pool.Timing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What batches and ranges withstand. */
@ExtendWith(NoThreadLeft.class)
class RangeAdversityTest {
  private static final PlacementPolicy BAD =
      PlacementPolicy.of(
          "bad",
          candidates -> {
            throw new IllegalStateException("no");
          });

  private final TestingBackend backend = new TestingBackend();

  @Test
  void aCallbackThatThrowsAnErrorDoesNotEndTheDevicesThread() throws Exception {
    try (DevicePool pool = DevicePool.of(devices(1), options())) {
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
    try (DevicePool pool = DevicePool.of(devices(1), options())) {
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
              List.of(1, 2, 3).iterator(),
              1,
              Demand.any(),
              (item, slot) -> item,
              RetryOptions.once());
      Thread.currentThread().interrupt();
      assertThatThrownBy(stream::take).isInstanceOf(InterruptedException.class);
      go.countDown();
      List<Integer> seen = new ArrayList<>();
      while (stream.hasNext()) {
        seen.add(stream.take().orThrow());
      }
      dispatcher.close();
      assertThat(seen).containsExactly(1, 2, 3);
    }
  }

  @Test
  void anItemThatNoDeviceIsLeftForHasAnOutcomeOfItsOwn() throws Exception {
    try (DevicePool pool = DevicePool.of(devices(1), options())) {
      Dispatcher dispatcher = Dispatcher.on(pool);
      List<Outcome<Integer>> outcomes = new ArrayList<>();
      try (Distribution<Integer> stream =
          dispatcher.stream(
              List.of(1, 2, 3).iterator(),
              1,
              Demand.any(),
              (item, slot) -> {
                throw fault(Fault.LOST);
              },
              RetryOptions.once())) {
        while (stream.hasNext()) {
          outcomes.add(stream.take());
          Eventually.until("gone", () -> pool.size() == 0);
        }
      }
      assertThat(outcomes).hasSize(3).allMatch(outcome -> outcome instanceof Outcome.Failed);
      dispatcher.close();
    }
  }

  @Test
  void aRangeWhosePolicyFailsSaysSo() throws Exception {
    try (DevicePool pool = DevicePool.of(devices(1), options().withPolicy(BAD));
        Dispatcher dispatcher = Dispatcher.on(pool)) {
      RangeReport report = dispatcher.overRange(10, 1, Demand.any(), (part, slot) -> {});
      assertThat(report.condemned().toString()).contains("bad");
    }
  }

  @Test
  void aHugeRangeThatNobodyCanDoIsReportedWhole() throws Exception {
    try (DevicePool pool = DevicePool.of(devices(1), options().withPolicy(BAD));
        Dispatcher dispatcher = Dispatcher.on(pool)) {
      RangeReport report =
          dispatcher.overRange(Long.MAX_VALUE, 1L << 62, Demand.any(), (part, slot) -> {});
      assertThat(report.condemned().stream().mapToLong(lost -> lost.part().length()).sum())
          .isEqualTo(Long.MAX_VALUE);
    }
  }

  @Test
  void aUnitThatFailsEverywhereIsCondemnedWithAllItsFailures() throws Exception {
    try (DevicePool pool = DevicePool.of(devices(3), options());
        Dispatcher dispatcher = Dispatcher.on(pool)) {
      var run =
          Eventually.start(() ->
              dispatcher.overRange(
                  1,
                  1,
                  Demand.any(),
                  (part, slot) -> {
                    throw new IllegalStateException("nowhere");
                  }));
      RangeReport report = run.result();
      assertThat(report.condemned()).hasSize(1);
      assertThat(report.condemned().getFirst().attempts())
          .extracting(FailedAttempt::device)
          .hasSize(3)
          .doesNotHaveDuplicates();
    }
  }

  @Test
  void aUnitIsTriedAgainWhereItFailedOnceTheOtherDeviceHasStoppedServing() throws Exception {
    List<Device> devices = devices(2);
    devices.forEach(device ->
        backend
            .on(device)
            .probes(() -> {
              throw fault(Fault.DEVICE);
            }));
    try (DevicePool pool = DevicePool.open(backend.found(devices), options());
        Dispatcher dispatcher = Dispatcher.on(pool)) {
      Lease other = pool.lease(Demand.any().onlyOn(devices.getLast().id()), LONG);
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
      Eventually.until(
          "given back", () -> pool.snapshot().devices().getFirst().stats().failed() == 1);
      other.fail(fault(Fault.CONTEXT));
      assertThat(run.result().isComplete()).isTrue();
      assertThat(tries).hasValue(2);
    }
  }

  @Test
  void aRangeWhoseWatchdogComesAsAPartReturnsEnds() throws Exception {
    int rounds =
        Boolean.getBoolean("fairlead.full") ? 400 : 60; // 400 take minutes on a busy machine
    for (int round = 0; round < rounds; round++) {
      ManualTicker time = new ManualTicker();
      PoolOptions options =
          PoolOptions.usual()
              .withTicker(time)
              .withTiming(
                  Timing.usual()
                      .withPoll(Duration.ofMillis(4))
                      .withWatchdog(Duration.ofMillis(4))
                      .withOverdue(Duration.ZERO));
      try (DevicePool pool = DevicePool.of(devices(2), options);
          Dispatcher dispatcher = Dispatcher.on(pool)) {
        var run =
            Eventually.start(() ->
                dispatcher.overRange(
                    40, 1, Demand.any(), (part, slot) -> time.advance(Duration.ofMillis(3))));
        var clock =
            Eventually.start(() -> {
              while (!run.future().isDone()) {
                time.advance(Duration.ofMillis(1));
                LockSupport.parkNanos(50_000);
              }
              return true;
            });
        try {
          run.result();
        } catch (AssertionError hang) {
          PoolSnapshot snapshot = pool.snapshot();
          run.thread().interrupt();
          throw new AssertionError("Round %d: %s".formatted(round, snapshot), hang);
        }
        assertThat(clock.result()).isTrue();
      }
    }
  }

  @Test
  void aTaskThatHangsIsTriedElsewhereIfItsTermsSaySo() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    CountDownLatch inside = new CountDownLatch(1);
    ManualTicker ticker = new ManualTicker();
    PoolOptions options =
        TestingPools.options(ticker)
            .withTiming(TestingPools.options().timing().withWatchdog(Duration.ofMinutes(1)));
    try (DevicePool pool = DevicePool.of(devices(2), options)) {
      Dispatcher dispatcher = Dispatcher.on(pool);
      AtomicInteger tries = new AtomicInteger();
      Task<Integer> task =
          dispatcher.submit(
              Demand.any(),
              slot -> {
                if (tries.incrementAndGet() == 1) {
                  inside.countDown();
                  Eventually.open(release);
                }
                return 1;
              },
              RetryOptions.once().withTries(2));
      Eventually.open(inside);
      ticker.advance(Duration.ofMinutes(2));
      Outcome<Integer> outcome = task.await(TestingPools.LONG).orElseThrow();
      release.countDown();
      dispatcher.close();
      assertThat(outcome.isSuccess()).isTrue();
    }
  }

  @Test
  void aVeryLongPatienceIsNoError() throws Exception {
    try (DevicePool pool = DevicePool.of(devices(1), options());
        Dispatcher dispatcher = Dispatcher.on(pool)) {
      Duration age = Duration.ofSeconds(Long.MAX_VALUE);
      assertThat(
              dispatcher
                  .submit(Demand.any(), slot -> 1, RetryOptions.once().withDeadline(age))
                  .await(age))
          .isPresent();
      assertThat(pool.remove(TestingBackend.device(0).id(), age)).isTrue();
    }
  }

  /** A part that has failed on one device is left to another only while that one serves. */
  @Test
  void aPartIsNotLeftToADeviceThatIsPaused() throws Exception {
    List<Device> two = devices(2);
    try (DevicePool pool = DevicePool.of(two, options())) {
      Dispatcher dispatcher = Dispatcher.on(pool);
      pool.pause(two.get(1).id());
      AtomicInteger tries = new AtomicInteger();
      var range =
          Eventually.start(() ->
              dispatcher.overRange(
                  1,
                  1,
                  Demand.any(),
                  (part, slot) -> {
                    if (tries.incrementAndGet() == 1) {
                      throw new IllegalStateException("the first time");
                    }
                  }));
      try {
        assertThat(range.result().isComplete()).isTrue();
        dispatcher.close();
      } finally {
        pool.resume(two.get(1).id());
      }
    }
  }

  /** The device that could take it falls ill while all others have nothing to do. */
  @Test
  void aPartThatAwaitsADeviceGoesElsewhereWhenThatOneIsQuarantined() throws Exception {
    Device well = devices(1).getFirst();
    Device ill = TestingBackend.device(1).withSlots(2);
    ManualTicker ticker = new ManualTicker();
    try (DevicePool pool =
        DevicePool.open(backend.found(List.of(well, ill)), TestingPools.still(ticker))) {
      Dispatcher dispatcher = Dispatcher.on(pool);
      Lease otherSlot = TestingPools.lease(pool, ill);
      Lease lastSlot = TestingPools.lease(pool, ill);
      AtomicInteger tries = new AtomicInteger();
      CountDownLatch failed = new CountDownLatch(1);
      var range =
          Eventually.start(() ->
              dispatcher.overRange(
                  1,
                  1,
                  Demand.any(),
                  (part, slot) -> {
                    if (tries.incrementAndGet() == 1) {
                      failed.countDown();
                      throw new IllegalStateException("the first time");
                    }
                  }));
      Eventually.open(failed);
      Eventually.until("it has failed", () -> TestingPools.entry(pool, well).stats().failed() == 1);
      // Nothing shows that the worker has found nothing to do; had it not, the test would pass.
      long since = System.nanoTime();
      Eventually.until("it has looked around", () -> System.nanoTime() - since > 200_000_000);
      otherSlot.fail(fault(Fault.CONTEXT));
      lastSlot.giveBack();
      assertThat(range.result().isComplete()).isTrue();
      assertThat(tries).hasValue(2);
      dispatcher.close();
    }
  }
}
