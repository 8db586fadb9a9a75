package dev.fairlead.units;

import static dev.fairlead.pool.TestingPools.fault;
import static dev.fairlead.pool.TestingPools.still;
import static dev.fairlead.pool.TestingPools.tick;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Device;
import dev.fairlead.device.Fault;
import dev.fairlead.health.Health;
import dev.fairlead.lease.Lease;
import dev.fairlead.lease.PoolException;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.ServicePolicies;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.Eventually;
import dev.fairlead.pool.ManualTicker;
import dev.fairlead.pool.NoThreadLeft;
import dev.fairlead.pool.TestingBackend;
import dev.fairlead.pool.TestingPools;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Whatever makes a device take work wakes the scheduler. Time stands still but where a test moves
 * it, so that nothing else does: while no device can take a unit, the scheduler sleeps.
 */
@ExtendWith(NoThreadLeft.class)
class DeviceNewsTest {
  private final ManualTicker ticker = new ManualTicker();
  private final TestingBackend backend = new TestingBackend();
  private final Device device = TestingBackend.device(0);
  private final Device other = TestingBackend.device(1);

  private DevicePool pool(Device... devices) {
    return DevicePool.open(backend.found(List.of(devices)), still(ticker));
  }

  /** Where units are offered; whatever comes of it, all of them end, and it closes. */
  private static Served queue(DevicePool pool) {
    return new Served(UnitQueue.single(pool, ServicePolicies.anyRung(), 1));
  }

  private record Served(Party units) implements AutoCloseable {
    UnitTask<Device> offer() {
      return units.offer(0, 0, Demand.any(), (slot, cancelled) -> slot.device());
    }

    /** Waits until the unit waits and the scheduler has nothing to do. */
    void requireWaiting() {
      Eventually.until("it waits", () -> units.report().groups().getFirst().waiting() == 1);
      Eventually.until("nothing is to be done", units::sleeps);
    }

    @Override
    public void close() {
      units.cancelAndClose();
    }
  }

  private static Device ranOn(UnitTask<Device> unit) throws InterruptedException {
    return unit.await(TestingPools.LONG)
        .orElseThrow(() -> new AssertionError(unit + " hangs"))
        .orThrow();
  }

  @Test
  void aDeviceThatHasRecoveredTakesAUnit() throws Exception {
    try (DevicePool pool = pool(device)) {
      try (Lease lease = TestingPools.lease(pool)) {
        lease.fail(fault(Fault.CONTEXT));
      }
      TestingPools.awaitHealth(pool, device, Health.QUARANTINED);
      try (Served queue = queue(pool)) {
        UnitTask<Device> unit = queue.offer();
        queue.requireWaiting();
        tick(pool, ticker, Duration.ofMinutes(5));
        assertThat(ranOn(unit)).isEqualTo(device);
      }
    }
  }

  @Test
  void aDeviceThatIsAddedTakesAUnit() throws Exception {
    try (DevicePool pool = pool(device);
        Served queue = queue(pool)) {
      pool.pause(device.id());
      UnitTask<Device> unit = queue.offer();
      queue.requireWaiting();
      pool.add(other);
      assertThat(ranOn(unit)).isEqualTo(other);
    }
  }

  @Test
  void aDeviceThatIsResumedTakesAUnit() throws Exception {
    try (DevicePool pool = pool(device);
        Served queue = queue(pool)) {
      pool.pause(device.id());
      UnitTask<Device> unit = queue.offer();
      queue.requireWaiting();
      pool.resume(device.id());
      assertThat(ranOn(unit)).isEqualTo(device);
    }
  }

  /** It stands in the queue of the one; the other, which others used as well, is freed. */
  @Test
  void aDeviceThatIsFreedTakesAUnitThatStandsInAQueue() throws Exception {
    try (DevicePool pool = pool(device, other);
        Served queue = queue(pool)) {
      Lease one = TestingPools.lease(pool, device);
      Lease two = TestingPools.lease(pool, other);
      UnitTask<Device> unit = queue.offer();
      Eventually.until("it is in a queue", () -> depth(pool, device) + depth(pool, other) == 3);
      Eventually.until(
          "it has been there for so long that it may go elsewhere", queue.units()::sleeps);
      boolean inFirst = depth(pool, device) == 2;
      (inFirst ? two : one).succeed();
      try {
        assertThat(ranOn(unit)).isEqualTo(inFirst ? other : device);
      } finally {
        (inFirst ? one : two).succeed();
      }
    }
  }

  private static int depth(DevicePool pool, Device device) {
    return pool.load(device.id()).queueDepth();
  }

  @Test
  void aUnitThatWaitsEndsWithThePool() throws Exception {
    DevicePool pool = pool(device);
    try (pool;
        Served queue = queue(pool)) {
      pool.pause(device.id());
      UnitTask<Device> unit = queue.offer();
      queue.requireWaiting();
      pool.close();
      assertThat(unit.await(TestingPools.LONG).orElseThrow().toString())
          .contains(PoolException.PoolClosed.class.getSimpleName());
    }
  }
}
