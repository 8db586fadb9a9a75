package dev.fairlead.units;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Device;
import dev.fairlead.lease.Lease;
import dev.fairlead.outcome.Outcome;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.ServicePolicies;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.Eventually;
import dev.fairlead.pool.NoThreadLeft;
import dev.fairlead.pool.TestingBackend;
import dev.fairlead.pool.TestingPools;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Where a unit is tried again that has failed. */
@ExtendWith(NoThreadLeft.class)
class UnitRetryTest {
  private final List<Device> tried = Collections.synchronizedList(new ArrayList<>());

  private static Outcome<Integer> await(UnitTask<Integer> unit) throws InterruptedException {
    return unit.await(TestingPools.LONG).orElseThrow(() -> new AssertionError(unit + " hangs"));
  }

  private static long failures(Party service) {
    return service.report().devices().stream().mapToLong(ServiceReport.DeviceShare::failures).sum();
  }

  /** Fails at so many tries, and ends well at the next, wherever that is. */
  private UnitTask<Integer> failing(Party service, int tries) {
    return service.offer(
        0,
        0,
        Demand.any(),
        (slot, cancelled) -> {
          tried.add(slot.device());
          if (tried.size() <= tries) {
            throw new IllegalStateException("not here");
          }
          return 3;
        });
  }

  /**
   * The devices that have failed it are idle, the last one is busy: it waits for that. Later units
   * for the idle devices show that the queue has had a choice there since.
   */
  @Test
  void aUnitIsTriedAgainOnADeviceThatHasNotFailedIt() throws Exception {
    List<Device> idle = TestingBackend.devices(2);
    Device busy = TestingBackend.device(2);
    List<Device> all = List.of(idle.get(0), idle.get(1), busy);
    try (DevicePool pool = DevicePool.of(all, TestingPools.options())) {
      Lease held = TestingPools.lease(pool, busy);
      try (Party service = UnitQueue.single(pool, ServicePolicies.anyRung(), 1)) {
        UnitTask<Integer> unit = failing(service, 2);
        Eventually.until("both idle devices have failed it", () -> failures(service) == 2);
        for (Device device : idle) {
          UnitTask<Integer> later =
              service.offer(0, 1, Demand.any().onlyOn(device.id()), (slot, cancelled) -> 4);
          assertThat(await(later).orThrow()).isEqualTo(4);
        }
        held.succeed();
        assertThat(await(unit).orThrow()).isEqualTo(3);
      }
    }
    assertThat(tried).hasSize(3).doesNotHaveDuplicates().last().isEqualTo(busy);
  }

  /** The second unit asks for both slots, of which another has one, so that it cannot start. */
  @Test
  void aUnitLeavesTheQueueOfADeviceThatIsStruckOffItsGroup() throws Exception {
    Device struckOff = TestingBackend.device(0).withSlots(2);
    Device other = TestingBackend.device(1).withSlots(2);
    List<Device> second = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch go = new CountDownLatch(1);
    CountDownLatch requeued = new CountDownLatch(1);
    ServiceOptions options =
        ServiceOptions.usual()
            .withListener(event -> {
              if (event instanceof UnitListener.Event.Requeued) {
                requeued.countDown();
              }
            });
    try (DevicePool pool = DevicePool.of(List.of(struckOff, other), TestingPools.options())) {
      pool.pause(other.id());
      Lease held = TestingPools.lease(pool, struckOff);
      try (Party service = UnitQueue.single(pool, ServicePolicies.anyRung(), 1, options)) {
        UnitTask<Integer> first =
            service.offer(
                0,
                0,
                Demand.any(),
                (slot, cancelled) -> {
                  tried.add(slot.device());
                  if (slot.device().equals(struckOff)) {
                    Eventually.open(go);
                    throw new UnfitForGroup("not for this group");
                  }
                  return 3;
                });
        Eventually.until("it runs", () -> tried.size() == 1);
        UnitTask<Integer> queued =
            service.offer(
                0,
                1,
                Demand.any().withSlots(2),
                (slot, cancelled) -> {
                  second.add(slot.device());
                  return 4;
                });
        Eventually.until(
            "it stands in the queue", () -> pool.stats(struckOff.id()).outstanding() > 2);
        go.countDown();
        Eventually.open(requeued); // which is told after the strike has been seen to
        held.succeed();
        pool.resume(other.id());
        assertThat(await(first).orThrow()).isEqualTo(3);
        assertThat(await(queued).orThrow()).isEqualTo(4);
      }
    }
    assertThat(tried).containsExactly(struckOff, other);
    assertThat(second).containsExactly(other);
  }
}
