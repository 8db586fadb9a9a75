package dev.fairlead.pool;

import static dev.fairlead.pool.TestingBackend.devices;
import static dev.fairlead.pool.TestingPools.LONG;
import static dev.fairlead.pool.TestingPools.awaitHealth;
import static dev.fairlead.pool.TestingPools.fault;
import static dev.fairlead.pool.TestingPools.lease;
import static dev.fairlead.pool.TestingPools.options;
import static dev.fairlead.pool.TestingPools.still;
import static dev.fairlead.pool.TestingPools.tick;
import static dev.fairlead.pool.TestingPools.withSlots;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.device.Device;
import dev.fairlead.device.Fault;
import dev.fairlead.device.Slot;
import dev.fairlead.event.PoolListener.Event;
import dev.fairlead.health.Health;
import dev.fairlead.lease.Lease;
import dev.fairlead.lease.PoolException;
import dev.fairlead.policy.Demand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Contexts that are opened by their first use. */
@ExtendWith(NoThreadLeft.class)
class FirstUseTest {
  private static final Duration A_WHILE = Duration.ofSeconds(2);
  private static final Demand CONTEXTLESS = Demand.any().withoutContext();

  private final ManualTicker ticker = new ManualTicker();
  private final TestingBackend backend = new TestingBackend();
  private final TestingListener listener = new TestingListener();
  private final List<Device> devices = withSlots(devices(2), 4);
  private final Device first = devices.getFirst();
  private final Device second = devices.getLast();
  private final CountDownLatch goOn = new CountDownLatch(1);

  @AfterEach
  void letGo() {
    goOn.countDown();
  }

  private DevicePool open(PoolOptions options) {
    return DevicePool.open(
        backend.found(devices), options.withListener(listener).withContextsOnUse());
  }

  private DevicePool open() {
    return open(still(ticker));
  }

  private static TestingContext context(Slot slot) {
    return slot.context(TestingContext.class);
  }

  private static Device where(DevicePool pool, Demand demand) throws InterruptedException {
    return pool.<Device, RuntimeException>run(demand, slot -> context(slot).device());
  }

  @Test
  void workWithoutAContextOpensNone() throws Exception {
    try (DevicePool pool = open()) {
      for (int i = 0; i < 20; i++) {
        assertThat(pool.run(CONTEXTLESS, Slot::device)).isIn(devices);
      }
    }
    assertThat(backend.contexts()).isEmpty();
  }

  @Test
  void workThatSaysItUsesNoContextIsToldSoWhenItAsksForOne() {
    try (DevicePool pool = open()) {
      assertThatThrownBy(() -> pool.run(CONTEXTLESS, FirstUseTest::context))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("its demand says that it uses none");
    }
    assertThat(backend.contexts()).isEmpty();
  }

  @Test
  void theLoadOfADeviceWithoutAContextIsPolled() {
    backend.on(first).hasFree(4096, 3);
    try (DevicePool pool = open(options())) {
      Eventually.until(
          "what others do there is seen", () -> pool.load(first.id()).activeStreams() == 3);
    }
    assertThat(backend.contexts()).isEmpty();
  }

  @Test
  void threadsThatComeAtOnceOpenOneContextAndAllWorkInIt() throws Exception {
    int threads = 4;
    CyclicBarrier together = new CyclicBarrier(threads);
    backend.on(first).opens(() -> Eventually.open(goOn));
    try (DevicePool pool = open()) {
      List<Eventually.Started<TestingContext>> users = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        users.add(
            Eventually.start(() -> {
              together.await();
              try (Lease lease = lease(pool, first)) {
                return lease.run(FirstUseTest::context);
              }
            }));
      }
      Eventually.until("it is opened", () -> backend.on(first).opened() == 1);
      users.forEach(Eventually.Started::isWaiting);
      goOn.countDown();
      for (Eventually.Started<TestingContext> user : users) {
        assertThat(user.result()).isSameAs(backend.contexts().getFirst());
      }
      assertThat(backend.contexts()).hasSize(1);
      assertThat(pool.health(first.id())).isEqualTo(Health.READY);
    }
    assertThat(backend.contexts().getFirst().closedOn()).hasSize(1);
  }

  @Test
  void workWithoutAContextGoesOnInOneThatWasOpenedMeanwhile() throws Exception {
    try (DevicePool pool = open()) {
      Demand here = CONTEXTLESS.onlyOn(first.id());
      assertThat(pool.run(here, Slot::device)).isEqualTo(first);
      try (Lease lease = lease(pool, first)) {
        assertThat(lease.<Device, RuntimeException>run(slot -> context(slot).device()))
            .isEqualTo(first);
      }
      assertThat(pool.run(here, Slot::device)).isEqualTo(first);
      assertThat(backend.contexts()).hasSize(1);
      assertThat(backend.contexts().getFirst().boundOn()).isNotEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"WORK", "DEVICE", "BUSY", "OUT_OF_MEMORY"})
  void aDeviceThatRefusesIsInQuarantineTheLeaseGoesElsewhereAndAProbeOpensIt(Fault fault)
      throws Exception {
    backend
        .on(first)
        .opens(() -> {
          throw fault(fault);
        });
    try (DevicePool pool = open()) {
      for (int i = 0; i < 3; i++) {
        try (Lease lease = lease(pool)) {
          assertThat(lease.<Device, RuntimeException>run(slot -> context(slot).device()))
              .isEqualTo(second);
        }
      }
      assertThat(pool.health(first.id())).isEqualTo(Health.QUARANTINED);
      assertThat(pool.snapshot().devices().getFirst().stats().failed()).isZero();
      assertThat(listener.heard(pool, Event.HealthChanged.class))
          .singleElement()
          .satisfies(change ->
              assertThat(change.reason())
                  .isEqualTo(
                      fault.isLackOfRoom()
                          ? "it has no room for a context"
                          : "its context did not open: a fault of class " + fault));

      Eventually.until(
          "a probe has tried it again",
          () -> {
            tick(pool, ticker, A_WHILE);
            return backend.on(first).opened() > 1;
          });
      assertThat(pool.health(first.id())).isEqualTo(Health.QUARANTINED);

      backend.on(first).opens(() -> {});
      Eventually.until(
          "a probe has opened it",
          () -> {
            tick(pool, ticker, A_WHILE.multipliedBy(2));
            return pool.health(first.id()) == Health.PROBING;
          });
      try (Lease lease = lease(pool, first)) {
        assertThat(lease.<Device, RuntimeException>run(slot -> context(slot).device()))
            .isEqualTo(first);
      }
      assertThat(pool.health(first.id())).isEqualTo(Health.READY);
      assertThat(backend.contexts(first)).hasSize(1);
    }
  }

  @Test
  void aDeviceThatIsLostWhenItIsFirstUsedLeaves() throws Exception {
    backend
        .on(first)
        .opens(() -> {
          throw fault(Fault.LOST);
        });
    try (DevicePool pool = open()) {
      try (Lease lease = lease(pool)) {
        assertThat(lease.device()).isEqualTo(second);
        lease.succeed();
      }
      assertThat(pool.devices()).containsExactly(second);
    }
  }

  @Test
  void anOpeningThatHangsHoldsUpNoOtherDeviceAndItsContextIsClosedIfItEverComes() throws Exception {
    backend.on(first).opens(() -> Eventually.open(goOn));
    PoolOptions options = still(ticker);
    try (DevicePool pool =
        open(options.withTiming(options.timing().withOpening(Duration.ofMillis(50))))) {
      Eventually.Started<Device> stuck = Eventually.start(() -> where(pool, Demand.any()));
      Eventually.until("it hangs", () -> backend.on(first).opened() == 1);
      assertThat(where(pool, Demand.any().onlyOn(second.id()))).isEqualTo(second);
      assertThat(stuck.result()).isEqualTo(second);
      awaitHealth(pool, first, Health.QUARANTINED);
      assertThat(listener.heard(pool, Event.HealthChanged.class).getFirst().reason())
          .contains("did not open within 50 ms");
    }
    goOn.countDown();
    Eventually.until(
        "the late context is closed",
        () ->
            backend.contexts(first).size() == 1
                && backend.contexts(first).getFirst().closedOn().size() == 1);
  }

  @Test
  void aCallerWhoIsInterruptedLeavesAndTheContextIsThereForTheNext() throws Exception {
    backend.on(first).opens(() -> Eventually.open(goOn));
    try (DevicePool pool = open()) {
      Eventually.Started<Lease> waiting = Eventually.start(() -> lease(pool, first));
      Eventually.until("it is opened", () -> backend.on(first).opened() == 1);
      waiting.thread().interrupt();
      assertThatThrownBy(waiting::result).isInstanceOf(InterruptedException.class);
      goOn.countDown();
      try (Lease lease = lease(pool, first)) {
        assertThat(lease.<Device, RuntimeException>run(slot -> context(slot).device()))
            .isEqualTo(first);
      }
      assertThat(pool.health(first.id())).isEqualTo(Health.READY);
      TestingPools.requireAtRest(pool);
    }
    assertThat(backend.contexts()).hasSize(1);
  }

  @Test
  void leasesThatAreNotWaitedForOpenTheContextWhenTheyRunWork() throws Exception {
    backend
        .on(first)
        .opens(() -> {
          throw fault(Fault.DEVICE);
        });
    try (DevicePool pool = open()) {
      try (Lease lease = pool.tryLease(Demand.any().onlyOn(first.id())).orElseThrow()) {
        assertThat(backend.on(first).opened()).isZero();
        assertThatThrownBy(() -> lease.run(FirstUseTest::context))
            .isInstanceOf(PoolException.NoContext.class)
            .hasMessageContaining("a fault of class DEVICE");
      }
      assertThat(pool.health(first.id())).isEqualTo(Health.QUARANTINED);
    }
  }

  @Test
  void aContextThatACallerBindsIsOpenedThen() {
    try (DevicePool pool = open()) {
      ContextHandle handle = pool.context(first.id());
      assertThat(backend.contexts()).isEmpty();
      try (ContextHandle.Bound bound = handle.bind()) {
        assertThat(bound.context(TestingContext.class).device()).isEqualTo(first);
      }
      assertThat(backend.contexts()).hasSize(1);
    }
  }

  @Test
  void aProbeOfADeviceWhoseContextNobodyWantsOpensNone() throws Exception {
    try (DevicePool pool = open()) {
      for (int i = 0; i < 3; i++) {
        try (Lease lease = pool.lease(CONTEXTLESS.onlyOn(first.id()), LONG)) {
          lease.fail(fault(Fault.DEVICE));
        }
      }
      assertThat(pool.health(first.id())).isEqualTo(Health.QUARANTINED);
      Eventually.until(
          "it is probed",
          () -> {
            tick(pool, ticker, A_WHILE);
            return pool.health(first.id()) == Health.PROBING;
          });
    }
    assertThat(backend.contexts()).isEmpty();
  }

  @Test
  void aPoolThatIsClosedWhileAContextOpensLeavesNoneOpen() throws Exception {
    backend.on(first).opens(() -> Eventually.open(goOn));
    PoolOptions options = still(ticker);
    DevicePool pool = open(options.withTiming(options.timing().withGrace(Duration.ofMillis(50))));
    Eventually.Started<Device> waiting =
        Eventually.start(() -> where(pool, Demand.any().onlyOn(first.id())));
    Eventually.until("it is opened", () -> backend.on(first).opened() == 1);
    pool.close();
    goOn.countDown();
    assertThatThrownBy(waiting::result).isInstanceOf(PoolException.class);
    Eventually.until(
        "what was opened is closed",
        () ->
            backend.contexts().size() == 1 && backend.contexts().getFirst().closedOn().size() == 1);
  }

  @Test
  void contextsAreOpenedWithThePoolUnlessItSaysOtherwise() {
    try (DevicePool pool = DevicePool.open(backend.found(devices), still(ticker))) {
      assertThat(backend.contexts()).hasSize(pool.size());
    }
  }
}
