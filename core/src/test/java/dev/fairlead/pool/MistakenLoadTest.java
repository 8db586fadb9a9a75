package dev.fairlead.pool;

import static dev.fairlead.pool.TestingBackend.devices;
import static dev.fairlead.pool.TestingPools.LONG;
import static dev.fairlead.pool.TestingPools.entry;
import static dev.fairlead.pool.TestingPools.fault;
import static dev.fairlead.pool.TestingPools.lease;
import static dev.fairlead.pool.TestingPools.options;
import static dev.fairlead.pool.TestingPools.withSlots;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Device;
import dev.fairlead.device.Fault;
import dev.fairlead.health.Health;
import dev.fairlead.lease.Lease;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.Policies;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The mistakes seen in the wild that concern what the pool knows of its devices. */
@ExtendWith(NoThreadLeft.class)
class MistakenLoadTest {
  private final ManualTicker ticker = new ManualTicker();
  private final TestingBackend backend = new TestingBackend();

  @Nested
  class Six_bestByTotalAndLoadThatStartsAtZero {
    @Test
    void bestAvailableIsTheOneWithMostFreeMemory() throws Exception {
      Device large = TestingBackend.device(0).withMemory(100);
      Device small = TestingBackend.device(1).withMemory(80);
      try (DevicePool pool = DevicePool.of(List.of(large, small), options())) {
        assertThat(pool.bestAvailable()).isEqualTo(large);
        Lease lease = pool.lease(Demand.any().onlyOn(large.id()).withMemory(30), LONG);
        assertThat(pool.bestAvailable()).isEqualTo(small);
        lease.succeed();
        assertThat(pool.bestAvailable()).isEqualTo(large);
      }
    }

    @Test
    void whatOthersHaveTakenCountsToo() {
      Device large = TestingBackend.device(0).withMemory(100);
      Device small = TestingBackend.device(1).withMemory(80);
      backend.on(large).hasFree(10, 0);
      try (DevicePool pool = DevicePool.open(backend.found(List.of(large, small)), options())) {
        Eventually.until("polled", () -> pool.load(large.id()).sequence() > 0);
        assertThat(pool.bestAvailable()).isEqualTo(small);
      }
    }

    @Test
    void absurdFiguresMakeNoDeviceLookIdle() throws Exception {
      List<Device> devices =
          withSlots(devices(2), 4).stream().map(device -> device.withMemory(100)).toList();
      Device absurd = devices.getFirst();
      backend.on(absurd).hasFree(Long.MAX_VALUE, Integer.MAX_VALUE);
      PoolOptions byBurden = options(ticker).withPolicy(Policies.leastLoaded());
      try (DevicePool pool = DevicePool.open(backend.found(devices), byBurden)) {
        Eventually.until("polled", () -> pool.load(absurd.id()).sequence() == 1);
        Demand demand = Demand.any().withMemory(30);
        Lease there = pool.lease(demand.onlyOn(absurd.id()), LONG);
        ticker.advance(TestingPools.POLL.multipliedBy(2));
        Eventually.until("polled again", () -> pool.load(absurd.id()).sequence() == 2);
        Lease elsewhere = pool.lease(Demand.any(), LONG);
        assertThat(elsewhere.device()).isEqualTo(devices.getLast());
        assertThat(pool.explain(Demand.any()).toString()).contains("1000001 items to do");
        assertThat(pool.load(absurd.id()).freeBytes()).isEqualTo(70);
        there.succeed();
        elsewhere.succeed();
        assertThat(pool.load(absurd.id()).freeBytes()).isEqualTo(100);
        assertThat(pool.load(absurd.id()).activeStreams()).isEqualTo(1_000_000);
      }
    }

    @Test
    void theFirstHintedRequestNeedsNoPoll() throws Exception {
      Device device = TestingBackend.device(0).withMemory(100);
      CountDownLatch answer = new CountDownLatch(1);
      backend
          .on(device)
          .samples(() -> {
            Eventually.open(answer);
            return Optional.empty();
          });
      try (DevicePool pool = DevicePool.open(backend.found(List.of(device)), options(ticker))) {
        assertThat(pool.load(device.id()).sequence()).isZero();
        pool.lease(Demand.any().withMinimumFreeBytes(100).withMemory(100), Duration.ZERO).succeed();
        answer.countDown();
      }
    }
  }

  @Nested
  class Seven_choosingFromAStalePoll {
    @Test
    void memoryThatWasGivenAwaySinceThePollIsGone() throws Exception {
      List<Device> devices =
          withSlots(devices(2), 4).stream().map(device -> device.withMemory(100)).toList();
      devices.forEach(device -> backend.on(device).hasFree(80, 0));
      try (DevicePool pool = DevicePool.open(backend.found(devices), options(ticker))) {
        devices.forEach(
            device -> Eventually.until("polled", () -> pool.load(device.id()).sequence() == 1));
        Demand demand = Demand.any().withMemory(50);
        Lease one = pool.lease(demand, LONG);
        Lease two = pool.lease(demand, LONG);
        assertThat(one.device()).isNotEqualTo(two.device());
        assertThat(pool.tryLease(demand)).isEmpty();
        assertThat(pool.load(one.device().id()).freeBytes()).isEqualTo(30);
        one.succeed();
        assertThat(pool.load(one.device().id()).freeBytes()).isEqualTo(80);
        two.succeed();
      }
    }

    @Test
    void requestsBetweenTwoPollsDoNotHerd() throws Exception {
      List<Device> devices = withSlots(devices(2), 8);
      backend.on(devices.get(0)).hasFree(0, 0);
      backend.on(devices.get(1)).hasFree(0, 1);
      try (DevicePool pool = DevicePool.open(backend.found(devices), options(ticker))) {
        devices.forEach(
            device -> Eventually.until("polled", () -> pool.load(device.id()).sequence() == 1));
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
          leases.add(lease(pool));
        }
        assertThat(entry(pool, devices.get(0)).stats().outstanding()).isEqualTo(5);
        assertThat(entry(pool, devices.get(1)).stats().outstanding()).isEqualTo(4);
        leases.forEach(Lease::succeed);
      }
    }
  }

  @Nested
  class Eight_oneBadDevice {
    @Test
    void aDeviceThatDoesNotOpenIsAProblemAndTheRestWork() throws Exception {
      List<Device> devices = devices(3);
      backend
          .on(devices.get(1))
          .opens(() -> {
            throw new IllegalStateException("driver too old");
          });
      try (DevicePool pool = DevicePool.open(backend.found(devices), options())) {
        assertThat(pool.devices()).containsExactly(devices.get(0), devices.get(2));
        assertThat(pool.problems())
            .singleElement()
            .satisfies(problem -> {
              assertThat(problem.what()).isEqualTo(devices.get(1).label());
              assertThat(problem.reason()).contains("driver too old");
            });
        lease(pool).succeed();
      }
    }

    @Test
    void aDeviceThatCannotBePolledGoesIntoQuarantine() {
      List<Device> devices = devices(2);
      backend
          .on(devices.get(0))
          .samples(() -> {
            throw new IllegalStateException("dead");
          });
      try (DevicePool pool = DevicePool.open(backend.found(devices), options(ticker))) {
        Eventually.until(
            "quarantine",
            () -> {
              ticker.advance(TestingPools.POLL);
              return pool.health(devices.get(0).id()) == Health.QUARANTINED;
            });
        assertThat(pool.bestAvailable()).isEqualTo(devices.get(1));
        assertThat(pool.health(devices.get(1).id())).isEqualTo(Health.READY);
      }
    }

    @Test
    void aDeviceThatDoesNotAnswerItsPollGoesIntoQuarantine() throws Exception {
      List<Device> devices = devices(2);
      CountDownLatch answer = new CountDownLatch(1);
      backend
          .on(devices.get(0))
          .samples(() -> {
            Eventually.open(answer);
            return Optional.empty();
          });
      try (DevicePool pool = DevicePool.open(backend.found(devices), options(ticker))) {
        Eventually.until(
            "quarantine",
            () -> {
              ticker.advance(TestingPools.POLL);
              return pool.health(devices.get(0).id()) == Health.QUARANTINED;
            });
        Lease lease = lease(pool);
        assertThat(lease.device()).isEqualTo(devices.get(1));
        lease.succeed();
        answer.countDown();
      }
    }

    @Test
    void aLostDeviceLeavesAndTheRestWork() throws Exception {
      List<Device> devices = devices(2);
      try (DevicePool pool = DevicePool.of(devices, options())) {
        lease(pool, devices.get(0)).fail(fault(Fault.LOST));
        Eventually.until("gone", () -> pool.size() == 1);
        Lease lease = lease(pool);
        assertThat(lease.device()).isEqualTo(devices.get(1));
        lease.succeed();
      }
    }
  }
}
