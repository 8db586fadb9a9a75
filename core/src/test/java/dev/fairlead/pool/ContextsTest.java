package dev.fairlead.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceContext;
import dev.fairlead.device.Discovery;
import dev.fairlead.device.Fault;
import dev.fairlead.health.Health;
import dev.fairlead.lease.Lease;
import dev.fairlead.lease.PoolException;
import dev.fairlead.policy.Demand;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every context that was opened is closed, once, with nobody inside. */
@ExtendWith(NoThreadLeft.class)
class ContextsTest {
  private static final int COMINGS_AND_GOINGS =
      Boolean.getBoolean("fairlead.full") ? 20_000 : 1_000;

  @Test
  void devicesThatComeAndGoWhileTheyArePolledAreClosedWithNobodyInside() throws Exception {
    TestingBackend backend = new TestingBackend();
    PoolOptions options =
        TestingPools.options()
            .withTiming(TestingPools.options().timing().withPoll(Duration.ofNanos(1)));
    try (DevicePool pool = DevicePool.open(backend.found(TestingBackend.devices(1)), options)) {
      for (int i = 1; i <= COMINGS_AND_GOINGS; i++) {
        Device device = TestingBackend.device(i);
        pool.add(new Discovery.Found(device, backend));
        assertThat(pool.remove(device.id(), TestingPools.LONG)).isTrue();
      }
    }
    assertThat(backend.contexts())
        .hasSize(1 + COMINGS_AND_GOINGS)
        .allSatisfy(context -> {
          assertThat(context.closedOn()).hasSize(1);
          assertThat(context.closedUnderWork()).isFalse();
          assertThat(context.usedAfterClose()).isFalse();
        });
  }

  @ParameterizedTest
  @EnumSource(names = {"OUT_OF_MEMORY", "BUSY"})
  void aDeviceThatHasNoRoomForAContextIsNotGivenUp(Fault fault) throws Exception {
    TestingBackend backend = new TestingBackend();
    List<Device> devices = TestingBackend.devices(2);
    Device full = devices.getFirst();
    backend
        .on(full)
        .opens(() -> {
          throw TestingPools.fault(fault);
        });
    ManualTicker ticker = new ManualTicker();
    try (DevicePool pool = DevicePool.open(backend.found(devices), TestingPools.still(ticker))) {
      assertThat(pool.devices()).isEqualTo(devices);
      assertThat(pool.health(full.id())).isEqualTo(Health.QUARANTINED);
      assertThat(pool.problems())
          .containsExactly(new Discovery.Problem(full.label(), "a fault of class " + fault));
      assertThat(pool.tryLease(Demand.any().onlyOn(full.id()))).isEmpty();
      TestingPools.lease(pool).succeed();
      TestingPools.tick(pool, ticker, Duration.ofSeconds(1));
      Eventually.until("it was tried again", () -> backend.on(full).opened() == 2);
      assertThat(pool.health(full.id())).isEqualTo(Health.QUARANTINED);

      backend.on(full).opens(() -> {});
      Eventually.until(
          "it is opened",
          () -> {
            TestingPools.tick(pool, ticker, Duration.ofSeconds(2));
            return pool.health(full.id()) == Health.PROBING;
          });
      TestingPools.lease(pool, full).succeed();
      assertThat(pool.health(full.id())).isEqualTo(Health.READY);
    }
    assertThat(backend.contexts())
        .hasSize(2)
        .allSatisfy(each -> assertThat(each.closedOn()).hasSize(1));
  }

  /** A driver may take longer to close a poisoned context than the pool waits for a probe. */
  @Test
  void aRebuildThatComesBackLateLeavesTheNextContextAlone() throws Exception {
    TestingBackend backend = new TestingBackend();
    Device device = TestingBackend.device(0);
    AtomicReference<@Nullable Thread> late = new AtomicReference<>();
    CountDownLatch leave = new CountDownLatch(1);
    backend
        .on(device)
        .closes(() -> {
          if (late.compareAndSet(null, Thread.currentThread())) {
            Eventually.open(leave);
          }
        });
    ManualTicker ticker = new ManualTicker();
    PoolOptions options = TestingPools.still(ticker);
    Timing timing = options.timing().withOpening(Duration.ofSeconds(1));
    try (DevicePool pool =
        DevicePool.open(backend.found(List.of(device)), options.withTiming(timing))) {
      TestingPools.lease(pool, device).fail(TestingPools.fault(Fault.CONTEXT));
      TestingPools.tick(pool, ticker, Duration.ofSeconds(2));
      Eventually.until("the poisoned context is being closed", () -> late.get() != null);
      TestingPools.tick(pool, ticker, Duration.ofSeconds(2));
      TestingPools.tick(pool, ticker, Duration.ofMinutes(1));
      TestingPools.awaitHealth(pool, device, Health.PROBING);

      leave.countDown();
      Thread stuck = Objects.requireNonNull(late.get());
      Eventually.until("the late thread has ended", () -> !stuck.isAlive());
      try (Lease lease = TestingPools.lease(pool, device)) {
        assertThat(
                lease.<DeviceContext, RuntimeException>run(
                    slot -> slot.context(TestingContext.class)))
            .isSameAs(backend.contexts(device).get(1));
      }
    }
    assertThat(backend.contexts(device)).allSatisfy(each -> assertThat(each.closedOn()).hasSize(1));
  }

  @Test
  void devicesOfWhichNoneHasRoomForAContextAreNoPool() {
    TestingBackend backend = new TestingBackend();
    List<Device> devices = TestingBackend.devices(1);
    backend
        .on(devices.getFirst())
        .opens(() -> {
          throw TestingPools.fault(Fault.BUSY);
        });
    assertThatThrownBy(() -> DevicePool.open(backend.found(devices), TestingPools.options()))
        .isInstanceOf(PoolException.NoDevices.class)
        .hasMessageContaining("a fault of class BUSY");
  }

  @Test
  void aPoisonedContextIsNotClosedUnderAPoll() throws Exception {
    TestingBackend backend = new TestingBackend();
    Device device = TestingBackend.device(0);
    CountDownLatch inside = new CountDownLatch(1);
    ManualTicker ticker = new ManualTicker();
    CountDownLatch leave = new CountDownLatch(1);
    backend
        .on(device)
        .samples(() -> {
          inside.countDown();
          Eventually.open(leave);
          return Optional.empty();
        });
    try (DevicePool pool =
        DevicePool.open(backend.found(TestingBackend.devices(1)), TestingPools.options(ticker))) {
      Eventually.open(inside);
      TestingPools.lease(pool, device).fail(TestingPools.fault(Fault.CONTEXT));
      ticker.advance(Duration.ofHours(1));
      Eventually.until(
          "the rebuilding thread waits for the poll",
          () ->
              Thread.getAllStackTraces().entrySet().stream()
                  .anyMatch(each ->
                      each.getKey().getName().contains("thread 0")
                          && each.getKey().getState() == Thread.State.TIMED_WAITING));
      leave.countDown();
      TestingPools.awaitHealth(pool, device, Health.PROBING);
      assertThat(pool.snapshot().devices().getFirst().generation()).isEqualTo(1);
    }
    assertThat(backend.contexts())
        .hasSize(2)
        .allSatisfy(context -> {
          assertThat(context.closedOn()).hasSize(1);
          assertThat(context.closedUnderWork()).isFalse();
        });
  }
}
