package dev.fairlead.units;

import static dev.fairlead.pool.TestingPools.fault;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.device.Device;
import dev.fairlead.device.Fault;
import dev.fairlead.device.Slot;
import dev.fairlead.outcome.FailedAttempt;
import dev.fairlead.outcome.Outcome;
import dev.fairlead.outcome.TaskException;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.ServicePolicies;
import dev.fairlead.policy.ServicePolicy;
import dev.fairlead.policy.WaitingUnits;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.Eventually;
import dev.fairlead.pool.ManualTicker;
import dev.fairlead.pool.NoThreadLeft;
import dev.fairlead.pool.TestingBackend;
import dev.fairlead.pool.TestingPools;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Which unit goes where, and how units end. */
@ExtendWith(NoThreadLeft.class)
class UnitQueueTest {
  private final Map<String, Device> ranOn = new ConcurrentHashMap<>();
  private final CountDownLatch barrier = new CountDownLatch(1);

  private DevicePool pool(int devices) {
    return DevicePool.of(TestingBackend.devices(devices), TestingPools.options());
  }

  private static Outcome<Integer> await(UnitTask<Integer> unit) throws InterruptedException {
    return unit.await(TestingPools.LONG).orElseThrow(() -> new AssertionError(unit + " hangs"));
  }

  /** Notes where it runs, and stays there until the barrier opens. */
  private UnitWork<Integer> held(int group, long order) {
    return (slot, cancelled) -> {
      ranOn.put(group + "/" + order, slot.device());
      Eventually.open(barrier);
      return (int) order;
    };
  }

  private void place(DevicePool pool, ServicePolicy policy, int groups, long... orders) {
    try (Party service = UnitQueue.single(pool, policy, groups)) {
      int[] expected = {Math.min(pool.size(), groups * orders.length)};
      for (long order : orders) {
        for (int group = 0; group < groups; group++) {
          service.offer(group, order, Demand.any(), held(group, order));
        }
      }
      Eventually.until("the devices are busy: " + ranOn, () -> ranOn.size() == expected[0]);
      int rest = groups * orders.length - expected[0];
      Eventually.until("the rest waits", () -> waiting(service) == rest);
      barrier.countDown();
    }
    TestingPools.requireAtRest(pool);
  }

  /** A driver whose sessions others hold is no reason to give up, however often it says so. */
  @Test
  void aUnitThatABusyDeviceRefusesWaitsAndHasNotFailed() throws Exception {
    AtomicInteger refusals = new AtomicInteger();
    try (DevicePool pool = pool(2)) {
      try (Party service = UnitQueue.single(pool, ServicePolicies.anyRung(), 1)) {
        UnitTask<Integer> unit =
            service.offer(
                0,
                0,
                Demand.any(),
                (slot, cancelled) -> {
                  if (refusals.incrementAndGet() <= 5) {
                    throw fault(Fault.BUSY);
                  }
                  return 7;
                });
        Outcome<Integer> outcome = await(unit);
        assertThat(outcome.orThrow()).isEqualTo(7);
        assertThat(((Outcome.Succeeded<Integer>) outcome).failures()).isEmpty();
      }
      assertThat(refusals).hasValue(6);
      TestingPools.requireAtRest(pool);
    }
  }

  @Test
  void anyRungTakesTheOldestUnitOfWhateverGroup() {
    try (DevicePool pool = pool(1)) {
      // Offered while the device is held, so that all wait when it is free.
      CountDownLatch first = new CountDownLatch(1);
      List<String> order = Collections.synchronizedList(new ArrayList<>());
      try (Party service = UnitQueue.single(pool, ServicePolicies.anyRung(), 3)) {
        service.offer(
            0,
            -1,
            Demand.any(),
            (slot, cancelled) -> {
              Eventually.open(first);
              return slot.number();
            });
        for (long chunk = 2; chunk >= 0; chunk--) {
          for (int group = 0; group < 3; group++) {
            String name = chunk + "";
            service.offer(group, chunk, Demand.any(), (slot, cancelled) -> order.add(name));
          }
        }
        Eventually.until("nine wait", () -> waiting(service) == 9 && running(service) == 1);
        first.countDown();
      }
      assertThat(order).containsExactly("0", "0", "0", "1", "1", "1", "2", "2", "2");
    }
  }

  private static int running(Party service) {
    return service.report().groups().stream().mapToInt(ServiceReport.GroupShare::running).sum();
  }

  private static int waiting(Party service) {
    return service.report().groups().stream().mapToInt(ServiceReport.GroupShare::waiting).sum();
  }

  @Test
  void perRungKeepsEachGroupOnItsDevice() {
    try (DevicePool pool = pool(3)) {
      Map<Integer, Set<Device>> seen = new ConcurrentHashMap<>();
      try (Party service = UnitQueue.single(pool, ServicePolicies.perRung(), 3)) {
        for (int chunk = 0; chunk < 20; chunk++) {
          for (int group = 0; group < 3; group++) {
            int mine = group;
            service.offer(
                group,
                chunk,
                Demand.any(),
                (slot, cancelled) ->
                    seen.computeIfAbsent(mine, any -> ConcurrentHashMap.newKeySet())
                        .add(slot.device()));
          }
        }
      }
      assertThat(seen)
          .isEqualTo(
              Map.of(
                  0, Set.of(pool.byIndex(0)),
                  1, Set.of(pool.byIndex(1)),
                  2, Set.of(pool.byIndex(2))));
    }
  }

  @Test
  void helpersStartWithTheirOwnGroup() {
    try (DevicePool pool = pool(2)) {
      place(pool, ServicePolicies.helpers(), 2, 0, 1, 2);
      assertThat(ranOn).containsEntry("0/0", pool.byIndex(0)).containsEntry("1/0", pool.byIndex(1));
    }
  }

  @Test
  void helpersJoinAnotherGroupWhenTheirOwnIsDone() {
    try (DevicePool pool = pool(2);
        Party service = UnitQueue.single(pool, ServicePolicies.helpers(), 2)) {
      service.offer(0, 0, Demand.any(), held(0, 0));
      service.offer(0, 1, Demand.any(), held(0, 1));
      Eventually.until("both devices are on group 0", () -> ranOn.size() == 2);
      assertThat(ranOn.get("0/0")).isNotEqualTo(ranOn.get("0/1"));
      barrier.countDown();
    }
  }

  @Test
  void perRungLeavesAnotherGroupsDeviceIdle() throws Exception {
    try (DevicePool pool = pool(2);
        Party service = UnitQueue.single(pool, ServicePolicies.perRung(), 2)) {
      service.offer(0, 0, Demand.any(), held(0, 0));
      UnitTask<Integer> second = service.offer(0, 1, Demand.any(), held(0, 1));
      Eventually.until("one runs", () -> ranOn.size() == 1);
      assertThat(second.await(Duration.ofMillis(150))).isEmpty();
      assertThat(ranOn).hasSize(1);
      barrier.countDown();
      assertThat(((Outcome.Succeeded<Integer>) await(second)).device()).isEqualTo(pool.byIndex(0));
    }
  }

  @Test
  void aUnitThatFailsGoesElsewhereAndTheOutcomeSaysBoth() throws Exception {
    try (DevicePool pool = pool(2);
        Party service = UnitQueue.single(pool, ServicePolicies.anyRung(), 1)) {
      AtomicInteger runs = new AtomicInteger();
      List<Device> devices = Collections.synchronizedList(new ArrayList<>());
      UnitTask<Integer> unit =
          service.offer(
              0,
              0,
              Demand.any(),
              (slot, cancelled) -> {
                devices.add(slot.device());
                if (runs.incrementAndGet() == 1) {
                  throw fault(Fault.DEVICE);
                }
                return 7;
              });
      Outcome.Succeeded<Integer> done = (Outcome.Succeeded<Integer>) await(unit);
      assertThat(done.value()).isEqualTo(7);
      assertThat(devices).doesNotHaveDuplicates().hasSize(2);
      assertThat(done.device()).isEqualTo(devices.get(1));
      assertThat(done.failures())
          .singleElement()
          .extracting(FailedAttempt::device)
          .isEqualTo(devices.get(0));
      assertThat(TestingPools.entry(pool, devices.get(0)).stats().failed()).isEqualTo(1);
      assertThat(service.report().devices())
          .filteredOn(share -> share.device().equals(devices.get(0)))
          .singleElement()
          .satisfies(share -> {
            assertThat(share.failures()).isEqualTo(1);
            assertThat(share.units()).isZero();
            assertThat(share.busy()).isPositive();
          });
    }
  }

  @Test
  void aUnitIsCondemnedAfterThreeDevicesWithEachReason() throws Exception {
    try (DevicePool pool = pool(5);
        Party service = UnitQueue.single(pool, ServicePolicies.anyRung(), 1)) {
      UnitTask<Integer> unit = service.offer(0, 4, Demand.any(), UnitQueueTest::alwaysFails);
      Outcome.Failed<Integer> failed = (Outcome.Failed<Integer>) await(unit);
      assertThat(failed.failures()).hasSize(3);
      assertThat(failed.failures()).extracting(FailedAttempt::device).doesNotHaveDuplicates();
      assertThat(failed.failures())
          .allSatisfy(each -> assertThat(each.cause()).hasMessageContaining(each.device().label()));
      assertThatThrownBy(failed::orThrow)
          .isInstanceOf(TaskException.Condemned.class)
          .hasMessageContaining("3 tries");
      assertThat(pool.snapshot().totals().failed()).isEqualTo(3);
      assertThat(service.report().groups().getFirst().condemned()).isEqualTo(1);
    }
  }

  private static int alwaysFails(Slot slot, BooleanSupplier cancelled) {
    throw new IllegalStateException("wrong on " + slot.device());
  }

  @Test
  void whereFewerDevicesExistThreeTriesInAllAreEnough() throws Exception {
    try (DevicePool pool = pool(2);
        Party service = UnitQueue.single(pool, ServicePolicies.anyRung(), 1)) {
      UnitTask<Integer> unit = service.offer(0, 4, Demand.any(), UnitQueueTest::alwaysFails);
      Outcome.Failed<Integer> failed = (Outcome.Failed<Integer>) await(unit);
      assertThat(failed.failures()).hasSize(3);
      assertThat(failed.failures())
          .extracting(FailedAttempt::device)
          .contains(pool.byIndex(0), pool.byIndex(1));
    }
  }

  @Test
  void aUnitThatNobodyCanEverTakeIsCondemnedAtOnceWithTheObjections() throws Exception {
    try (DevicePool pool = pool(2);
        Party service = UnitQueue.single(pool, ServicePolicies.perRung(), 1)) {
      UnitTask<Integer> unit =
          service.offer(0, 0, Demand.any().withMemory(1 << 20), (slot, cancelled) -> 1);
      assertThat(((Outcome.Failed<Integer>) await(unit)).cause())
          .hasMessageContaining("simulated:0 has 0 bytes")
          .hasMessageContaining("simulated:1 has 0 bytes");
    }
  }

  /** As a thread does that was slowed down on purpose. */
  @Test
  void whatADeviceKeepsItsWorkBackIsPartOfTheTimeThatAUnitTook() throws Exception {
    ManualTicker ticker = new ManualTicker();
    TestingBackend backend = new TestingBackend();
    Device device = TestingBackend.device(0);
    backend.on(device).paces(() -> ticker.advance(Duration.ofSeconds(6)));
    try (DevicePool pool =
            DevicePool.open(backend.found(List.of(device)), TestingPools.still(ticker));
        Party service = UnitQueue.single(pool, ServicePolicies.anyRung(), 1)) {
      UnitTask<Integer> unit =
          service.offer(
              0,
              0,
              Demand.any(),
              (slot, cancelled) -> {
                ticker.advance(Duration.ofSeconds(2));
                return 1;
              });
      assertThat(await(unit).isSuccess()).isTrue();
      assertThat(unit.taken()).isEqualTo(Duration.ofSeconds(8));
    }
  }

  @Test
  void aDeviceWithSeveralSlotsTakesAsManyUnits() {
    Device wide = TestingBackend.device(0).withSlots(3);
    try (DevicePool pool = DevicePool.of(List.of(wide), TestingPools.options());
        Party service = UnitQueue.single(pool, ServicePolicies.anyRung(), 1)) {
      for (int chunk = 0; chunk < 5; chunk++) {
        service.offer(0, chunk, Demand.any(), held(0, chunk));
      }
      Eventually.until("three run", () -> ranOn.size() == 3);
      Eventually.until("two wait", () -> waiting(service) == 2);
      assertThat(ranOn).hasSize(3);
      barrier.countDown();
    }
  }

  @Test
  void aPolicyThatThrowsOrAnswersNonsenseEndsWhatWaitsWithAClearReason() throws Exception {
    try (DevicePool pool = pool(1)) {
      for (ServicePolicy bad : List.of(policy(9), policy(Integer.MIN_VALUE))) {
        try (Party service = UnitQueue.single(pool, bad, 1)) {
          UnitTask<Integer> unit = service.offer(0, 0, Demand.any(), (slot, cancelled) -> 1);
          assertThat(((Outcome.Failed<Integer>) await(unit)).cause())
              .isInstanceOf(TaskException.ServicePolicyFailed.class)
              .hasMessageContaining("bad");
        }
      }
      TestingPools.requireAtRest(pool);
    }
  }

  private static ServicePolicy policy(int answer) {
    return new ServicePolicy() {
      @Override
      public String name() {
        return "bad";
      }

      @Override
      public int next(WaitingUnits units, int device) {
        if (answer == Integer.MIN_VALUE) {
          throw new IllegalStateException("no idea");
        }
        return answer;
      }
    };
  }

  @Test
  void mistakesAreRefused() {
    try (DevicePool pool = pool(1)) {
      assertThatThrownBy(() -> UnitQueue.single(pool, ServicePolicies.anyRung(), 0))
          .isInstanceOf(IllegalArgumentException.class);
      Party service = UnitQueue.single(pool, ServicePolicies.anyRung(), 2);
      assertThatThrownBy(() -> service.offer(2, 0, Demand.any(), (slot, cancelled) -> 1))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> service.strikeOff(-1, pool.byIndex(0).id(), "why"))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> ServiceOptions.usual().withTries(0))
          .isInstanceOf(IllegalArgumentException.class);
      service.close();
      assertThatThrownBy(() -> service.offer(0, 0, Demand.any(), (slot, cancelled) -> 1))
          .isInstanceOf(TaskException.ServiceClosed.class);
      service.close();
      service.cancelAndClose();
    }
  }
}
