package dev.fairlead.units;

import static dev.fairlead.pool.TestingPools.fault;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Device;
import dev.fairlead.device.Fault;
import dev.fairlead.health.Health;
import dev.fairlead.lease.Lease;
import dev.fairlead.lease.PoolException;
import dev.fairlead.outcome.Outcome;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.ServicePolicies;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.Eventually;
import dev.fairlead.pool.NoThreadLeft;
import dev.fairlead.pool.PoolOptions;
import dev.fairlead.pool.TestingBackend;
import dev.fairlead.pool.TestingPools;
import dev.fairlead.pool.Timing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a unit queue withstands: devices that go, hang, come and are shared. */
@ExtendWith(NoThreadLeft.class)
@Timeout(60)
class UnitQueueAdversityTest {
  private final CountDownLatch barrier = new CountDownLatch(1);
  private final List<Device> ran = Collections.synchronizedList(new ArrayList<>());

  private static DevicePool pool(int devices) {
    return DevicePool.of(TestingBackend.devices(devices), TestingPools.options());
  }

  private static Party anyRung(DevicePool pool) {
    return UnitQueue.single(pool, ServicePolicies.anyRung(), 1);
  }

  private static <R> Outcome<R> await(UnitTask<R> unit) throws InterruptedException {
    return unit.await(TestingPools.LONG).orElseThrow(() -> new AssertionError(unit + " hangs"));
  }

  private UnitWork<Device> held() {
    return (slot, cancelled) -> {
      ran.add(slot.device());
      Eventually.open(barrier);
      return slot.device();
    };
  }

  @Test
  void aDeviceThatIsLostTakesNoUnitWithIt() throws Exception {
    try (DevicePool pool = pool(2);
        Party service = anyRung(pool)) {
      Device first = pool.byIndex(0);
      List<UnitTask<Device>> units =
          IntStream.range(0, 10)
              .mapToObj(chunk ->
                  service.<Device>offer(
                      0,
                      chunk,
                      Demand.any(),
                      (slot, cancelled) -> {
                        if (slot.device().equals(first)) {
                          throw fault(Fault.LOST);
                        }
                        return slot.device();
                      }))
              .toList();
      for (UnitTask<Device> unit : units) {
        assertThat(await(unit).orThrow()).isNotEqualTo(first);
      }
      Eventually.until("the lost one has left", () -> pool.size() == 1);
    }
  }

  @Test
  void whenTheLastDeviceIsLostWhatWaitsIsCondemned() throws Exception {
    try (DevicePool pool = pool(1);
        Party service = anyRung(pool)) {
      List<UnitTask<Integer>> units =
          IntStream.range(0, 3)
              .mapToObj(chunk ->
                  service.<Integer>offer(
                      0,
                      chunk,
                      Demand.any(),
                      (slot, cancelled) -> {
                        throw fault(Fault.LOST);
                      }))
              .toList();
      for (UnitTask<Integer> unit : units) {
        assertThat(((Outcome.Failed<Integer>) await(unit)).cause())
            .isInstanceOf(PoolException.Rejected.class)
            .hasMessageContaining("the pool is empty");
      }
      assertThat(((Outcome.Failed<Integer>) await(units.get(0))).failures()).hasSize(1);
    }
  }

  @Test
  void aDeviceThatHangsLosesItsUnitToAnother() throws Exception {
    PoolOptions options =
        TestingPools.options()
            .withTiming(
                Timing.usual()
                    .withPoll(TestingPools.POLL)
                    .withGrace(Duration.ofSeconds(2))
                    .withWatchdog(Duration.ofSeconds(2)));
    try (DevicePool pool = DevicePool.of(TestingBackend.devices(2), options);
        Party service = anyRung(pool)) {
      UnitTask<Device> unit =
          service.offer(
              0,
              0,
              Demand.any(),
              (slot, cancelled) -> {
                ran.add(slot.device());
                if (ran.size() == 1) {
                  Eventually.open(barrier);
                }
                return slot.device();
              });
      Outcome.Succeeded<Device> done = (Outcome.Succeeded<Device>) await(unit);
      assertThat(done.failures())
          .singleElement()
          .satisfies(each -> assertThat(each.cause()).isInstanceOf(PoolException.WorkHung.class));
      assertThat(done.device()).isNotEqualTo(ran.getFirst());
      assertThat(pool.health(ran.getFirst().id())).isNotEqualTo(Health.READY);
      barrier.countDown();
    }
  }

  @Test
  void aDeviceInQuarantineGetsNothingUntilItServesAgain() throws Exception {
    TestingBackend backend = new TestingBackend();
    List<Device> devices = TestingBackend.devices(1);
    AtomicBoolean ill = new AtomicBoolean(true);
    backend
        .on(devices.get(0))
        .probes(() -> {
          if (ill.get()) {
            throw fault(Fault.DEVICE);
          }
        });
    long origin = System.nanoTime();
    PoolOptions hasty = TestingPools.options().withTicker(() -> (System.nanoTime() - origin) * 100);
    try (DevicePool pool = DevicePool.open(backend.found(devices), hasty)) {
      try (Lease lease = TestingPools.lease(pool)) {
        lease.fail(fault(Fault.CONTEXT));
      }
      TestingPools.awaitHealth(pool, devices.get(0), Health.QUARANTINED);
      try (Party service = anyRung(pool)) {
        UnitTask<Integer> unit = service.offer(0, 0, Demand.any(), (slot, cancelled) -> 3);
        assertThat(unit.await(Duration.ofMillis(150))).isEmpty();
        assertThat(service.report().groups().getFirst().waiting()).isEqualTo(1);
        ill.set(false);
        assertThat(await(unit).orThrow()).isEqualTo(3);
      }
    }
  }

  @Test
  void aDeviceThatIsAddedLaterGetsWork() throws Exception {
    try (DevicePool pool = pool(1);
        Party service = anyRung(pool)) {
      service.offer(0, 0, Demand.any(), held());
      UnitTask<Device> second = service.offer(0, 1, Demand.any(), held());
      Eventually.until("one runs", () -> ran.size() == 1);
      Device late = TestingBackend.device(8);
      pool.add(late);
      Eventually.until("the new one has a unit", () -> ran.contains(late));
      barrier.countDown();
      assertThat(await(second).orThrow()).isEqualTo(late);
    }
  }

  @Test
  void aDeviceThatIsRemovedFinishesWhatItHasAndGetsNoMore() throws Exception {
    try (DevicePool pool = pool(2);
        Party service = UnitQueue.single(pool, ServicePolicies.perRung(), 2)) {
      UnitTask<Device> kept = service.offer(0, 0, Demand.any(), held());
      Eventually.until("it runs", () -> ran.size() == 1);
      Device leaving = ran.getFirst();
      assertThat(pool.remove(leaving.id(), Duration.ZERO)).isFalse();
      // Pinned to the one that leaves, were it not leaving.
      UnitTask<Device> next = service.offer(0, 1, Demand.any(), (slot, cancelled) -> slot.device());
      assertThat(await(next).orThrow()).isNotEqualTo(leaving);
      barrier.countDown();
      assertThat(await(kept).orThrow()).isEqualTo(leaving);
    }
  }

  @Test
  void aDeviceIsSharedWithOthersAndAFreeOneTakesWhatStandsInItsLine() throws Exception {
    try (DevicePool pool = pool(1);
        Party service = anyRung(pool)) {
      Device busy = pool.byIndex(0);
      Lease foreign = TestingPools.lease(pool, busy);
      UnitTask<Device> unit = service.offer(0, 0, Demand.any(), (slot, cancelled) -> slot.device());
      Eventually.until("it stands in line", () -> !pool.jobs().isEmpty());
      Device late = TestingBackend.device(8);
      pool.add(late);
      assertThat(await(unit).orThrow()).isEqualTo(late);
      UnitTask<Device> pinned =
          service.offer(0, 1, Demand.any().onlyOn(busy.id()), (slot, cancelled) -> slot.device());
      Eventually.until("it stands in line", () -> !pool.jobs().isEmpty());
      foreign.succeed();
      assertThat(await(pinned).orThrow()).isEqualTo(busy);
    }
  }

  @Test
  void anInterruptThatWorkLeavesBehindDoesNotReachTheNextUnit() throws Exception {
    try (DevicePool pool = pool(1);
        Party service = anyRung(pool)) {
      service.offer(
          0,
          0,
          Demand.any(),
          (slot, cancelled) -> {
            Thread.currentThread().interrupt();
            return 0;
          });
      UnitTask<Boolean> next =
          service.offer(
              0, 1, Demand.any(), (slot, cancelled) -> Thread.currentThread().isInterrupted());
      assertThat(await(next).orThrow()).isFalse();
    }
  }

  @Test
  void thousandsOfUnitsOnManyDevicesAreServed() throws Exception {
    for (var policy : ServicePolicies.all()) {
      try (DevicePool pool = pool(64)) {
        AtomicInteger done = new AtomicInteger();
        try (Party service = UnitQueue.single(pool, policy, 5)) {
          for (int chunk = 0; chunk < 1_000; chunk++) {
            for (int group = 0; group < 5; group++) {
              service.offer(
                  group,
                  chunk,
                  Demand.of("rung" + group, 1 + group),
                  (slot, cancelled) -> done.incrementAndGet());
            }
          }
        }
        assertThat(done).as(policy.name()).hasValue(5_000);
      }
    }
  }
}
