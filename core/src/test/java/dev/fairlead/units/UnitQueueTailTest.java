package dev.fairlead.units;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.device.Device;
import dev.fairlead.health.Health;
import dev.fairlead.outcome.Outcome;
import dev.fairlead.outcome.TaskException;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.ServicePolicies;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.Eventually;
import dev.fairlead.pool.NoThreadLeft;
import dev.fairlead.pool.PoolOptions;
import dev.fairlead.pool.TestingBackend;
import dev.fairlead.pool.TestingPools;
import dev.fairlead.stats.CostModel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Devices that are struck off a group, and second copies of the last units. */
@ExtendWith(NoThreadLeft.class)
@Timeout(60)
class UnitQueueTailTest {
  private final List<UnitListener.Event> events = Collections.synchronizedList(new ArrayList<>());
  private final List<Device> ran = Collections.synchronizedList(new ArrayList<>());
  private final CountDownLatch barrier = new CountDownLatch(1);
  private final Device fast = TestingBackend.device(0);
  private final Device slow = TestingBackend.device(1);

  private static <R> Outcome<R> await(UnitTask<R> unit) throws InterruptedException {
    return unit.await(TestingPools.LONG).orElseThrow(() -> new AssertionError(unit + " hangs"));
  }

  private Party service(DevicePool pool, int groups) {
    return UnitQueue.single(
        pool, ServicePolicies.anyRung(), groups, ServiceOptions.usual().withListener(events::add));
  }

  // ---- struck off

  @Test
  void aUnitThatFindsItsDeviceUnfitGoesElsewhereAndNeitherHasFailed() throws Exception {
    try (DevicePool pool = DevicePool.of(List.of(fast, slow), TestingPools.options());
        Party service = service(pool, 2)) {
      for (int chunk = 0; chunk < 8; chunk++) {
        UnitTask<Device> unit =
            service.offer(
                0,
                chunk,
                Demand.any(),
                (slot, cancelled) -> {
                  ran.add(slot.device());
                  if (slot.device().equals(fast)) {
                    throw new UnfitForGroup("other headers");
                  }
                  return slot.device();
                });
        Outcome.Succeeded<Device> done = (Outcome.Succeeded<Device>) await(unit);
        assertThat(done.device()).isEqualTo(slow);
        assertThat(done.failures()).isEmpty();
      }
      assertThat(Collections.frequency(ran, fast)).as("tries on the unfit one").isLessThan(2);
      assertThat(pool.health(fast.id())).isEqualTo(Health.READY);
      assertThat(pool.snapshot().totals().failed()).isZero();
      UnitTask<Device> other =
          service.offer(1, 0, Demand.any().onlyOn(fast.id()), (slot, cancelled) -> slot.device());
      assertThat(await(other).orThrow()).as("another group may have it").isEqualTo(fast);
    }
  }

  @Test
  void aDeviceThatTheCallerStrikesOffGetsNoMoreOfTheGroup() throws Exception {
    try (DevicePool pool = DevicePool.of(List.of(fast, slow), TestingPools.options());
        Party service = service(pool, 1)) {
      service.strikeOff(0, fast.id(), "no B-frames");
      for (int chunk = 0; chunk < 10; chunk++) {
        service.offer(0, chunk, Demand.any(), (slot, cancelled) -> ran.add(slot.device()));
      }
      service.close();
      assertThat(ran).hasSize(10).containsOnly(slow);
      assertThat(events).contains(new UnitListener.Event.StruckOff(0, fast.id(), "no B-frames"));
    }
  }

  @Test
  void whenAllAreStruckOffWhatWaitsEndsAndCanBeOfferedAgain() throws Exception {
    try (DevicePool pool = DevicePool.of(List.of(fast, slow), TestingPools.options());
        Party service = service(pool, 2)) {
      AtomicBoolean strict = new AtomicBoolean(true);
      UnitWork<Device> work =
          (slot, cancelled) -> {
            if (strict.get()) {
              throw new UnfitForGroup("cannot on " + slot.device());
            }
            return slot.device();
          };
      List<UnitTask<Device>> units = new ArrayList<>();
      for (int chunk = 0; chunk < 5; chunk++) {
        units.add(service.offer(1, chunk, Demand.any(), work));
      }
      for (UnitTask<Device> unit : units) {
        Outcome<Device> outcome = await(unit);
        assertThatThrownBy(outcome::orThrow)
            .isInstanceOf(TaskException.GroupStruckOff.class)
            .hasMessageContaining("cannot on simulated:0")
            .hasMessageContaining("cannot on simulated:1");
      }
      assertThat(await(service.offer(1, 9, Demand.any(), work)).isSuccess()).isFalse();
      strict.set(false);
      service.readmit(1);
      assertThat(await(service.offer(1, 9, Demand.any(), work)).isSuccess()).isTrue();
    }
  }

  // ---- clones

  /** Seconds of one unit of "encode" on either device. */
  private DevicePool measured(double fastSeconds, double slowSeconds) {
    CostModel costs = new CostModel();
    for (int sample = 0; sample < 3; sample++) {
      costs.record(fast.id(), "encode", 1, fastSeconds);
      costs.record(slow.id(), "encode", 1, slowSeconds);
    }
    PoolOptions options = TestingPools.options().withCosts(costs);
    return DevicePool.of(List.of(fast, slow), options);
  }

  private Party cloning(DevicePool pool) {
    return UnitQueue.single(
        pool,
        ServicePolicies.helpers(),
        1,
        ServiceOptions.usual().withClones().withListener(events::add));
  }

  private static final Demand ENCODE = Demand.of("encode", 1);

  /** Occupies the fast device, so that what is offered next goes to the slow one. */
  private CountDownLatch occupyFast(Party service) {
    CountDownLatch release = new CountDownLatch(1);
    CountDownLatch running = new CountDownLatch(1);
    service.offer(
        0,
        -1,
        Demand.any().onlyOn(fast.id()),
        (slot, cancelled) -> {
          running.countDown();
          Eventually.open(release);
          return 0;
        });
    Eventually.open(running);
    return release;
  }

  /** Waits for the barrier, or to be interrupted. */
  private void awaitBarrier() throws InterruptedException {
    if (!barrier.await(TestingPools.LONG.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("Nobody has interrupted it");
    }
  }

  /** A unit that waits for the barrier wherever it runs; the fast device has become free. */
  private UnitTask<Device> heldOnTheSlowOne(Party service) {
    CountDownLatch release = occupyFast(service);
    UnitTask<Device> unit =
        service.offer(
            0,
            0,
            ENCODE,
            (slot, cancelled) -> {
              ran.add(slot.device());
              Eventually.open(barrier);
              return slot.device();
            });
    Eventually.until("the slow one has it", () -> ran.contains(slow));
    release.countDown();
    return unit;
  }

  @Test
  void aCloneThatFinishesFirstWinsAndTheOriginalIsToldToStop() throws Exception {
    try (DevicePool pool = measured(0.001, 1_000);
        Party service = cloning(pool)) {
      CountDownLatch release = occupyFast(service);
      AtomicInteger interrupted = new AtomicInteger();
      AtomicBoolean told = new AtomicBoolean();
      UnitTask<Device> unit =
          service.offer(
              0,
              0,
              ENCODE,
              (slot, cancelled) -> {
                ran.add(slot.device());
                if (slot.device().equals(slow)) {
                  try {
                    awaitBarrier();
                  } catch (InterruptedException stopped) {
                    interrupted.incrementAndGet();
                    told.set(cancelled.getAsBoolean());
                    throw stopped;
                  }
                }
                return slot.device();
              });
      Eventually.until("the slow one has it", () -> ran.contains(slow));
      release.countDown();
      Outcome.Succeeded<Device> done = (Outcome.Succeeded<Device>) await(unit);
      assertThat(done.value()).isEqualTo(fast);
      service.close();
      assertThat(interrupted).hasValue(1);
      assertThat(told).isTrue();
      assertThat(ran).containsExactly(slow, fast);
      assertThat(endsOf(unit)).isEqualTo(1);
      assertThat(pool.snapshot().totals().failed()).as("nobody has failed").isZero();
      assertThat(service.report().groups().getFirst().done()).isEqualTo(2);
      assertThat(service.report().devices().stream().mapToLong(each -> each.clones()).sum())
          .isEqualTo(1);
    }
  }

  private long endsOf(UnitTask<?> unit) {
    return events.stream()
        .filter(
            event -> event instanceof UnitListener.Event.Ended ended && ended.unit().equals(unit))
        .count();
  }

  @Test
  void aCloneThatComesSecondIsIgnored() throws Exception {
    try (DevicePool pool = measured(0.001, 1_000);
        Party service = cloning(pool)) {
      CountDownLatch release = occupyFast(service);
      CountDownLatch cloned = new CountDownLatch(1);
      UnitTask<Device> unit =
          service.offer(
              0,
              0,
              ENCODE,
              (slot, cancelled) -> {
                ran.add(slot.device());
                if (slot.device().equals(slow)) {
                  Eventually.open(cloned);
                  return slot.device();
                }
                cloned.countDown();
                // Deaf to interrupts, as native code is, and successful in the end.
                Eventually.until("it is told to stop", cancelled);
                return slot.device();
              });
      Eventually.until("the slow one has it", () -> ran.contains(slow));
      release.countDown();
      assertThat(((Outcome.Succeeded<Device>) await(unit)).device()).isEqualTo(slow);
      service.close();
      assertThat(ran).containsExactly(slow, fast);
      assertThat(endsOf(unit)).isEqualTo(1);
      TestingPools.requireAtRest(pool);
    }
  }

  @Test
  void aCloneThatFailsLeavesTheUnitToTheOriginal() throws Exception {
    try (DevicePool pool = measured(0.001, 1_000);
        Party service = cloning(pool)) {
      CountDownLatch release = occupyFast(service);
      CountDownLatch failed = new CountDownLatch(1);
      UnitTask<Device> unit =
          service.offer(
              0,
              0,
              ENCODE,
              (slot, cancelled) -> {
                ran.add(slot.device());
                if (slot.device().equals(fast)) {
                  failed.countDown();
                  throw new IllegalStateException("the clone fails");
                }
                Eventually.open(failed);
                Eventually.open(barrier);
                return slot.device();
              });
      Eventually.until("the slow one has it", () -> ran.contains(slow));
      release.countDown();
      Eventually.open(failed);
      assertThat(unit.await(Duration.ofMillis(100))).isEmpty();
      barrier.countDown();
      Outcome.Succeeded<Device> done = (Outcome.Succeeded<Device>) await(unit);
      assertThat(done.device()).isEqualTo(slow);
      assertThat(done.failures()).hasSize(1);
      assertThat(ran).as("one clone, never more").containsExactly(slow, fast);
    }
  }

  @Test
  void thereIsNeverMoreThanOneCloneOfAUnit() throws Exception {
    try (DevicePool pool = measured(0.001, 1_000);
        Party service = cloning(pool)) {
      UnitTask<Device> unit = heldOnTheSlowOne(service);
      Eventually.until("it is cloned", () -> ran.contains(fast));
      Device third = TestingBackend.device(2).withWeight(100);
      pool.add(third);
      for (int probe = 1; probe < 3; probe++) {
        await(service.offer(0, probe, Demand.any().onlyOn(third.id()), (slot, cancelled) -> 0));
      }
      assertThat(ran).containsExactly(slow, fast);
      barrier.countDown();
      assertThat(await(unit).isSuccess()).isTrue();
    }
  }

  @Test
  void nobodyClonesWhatTheOriginalWillFinishSooner() throws Exception {
    try (DevicePool pool = measured(1_000, 900);
        Party service = cloning(pool)) {
      UnitTask<Device> unit = heldOnTheSlowOne(service);
      assertThat(unit.await(Duration.ofMillis(200))).isEmpty();
      barrier.countDown();
      assertThat(((Outcome.Succeeded<Device>) await(unit)).device()).isEqualTo(slow);
      assertThat(ran).containsExactly(slow);
    }
  }

  @Test
  void aStragglerIsClonedThoughItShouldHaveBeenDone() throws Exception {
    try (DevicePool pool = measured(0.05, 0.05);
        Party service = cloning(pool)) {
      UnitTask<Device> unit =
          service.offer(
              0,
              0,
              ENCODE,
              (slot, cancelled) -> {
                ran.add(slot.device());
                if (ran.size() == 1) {
                  awaitBarrier();
                }
                return slot.device();
              });
      Outcome.Succeeded<Device> done = (Outcome.Succeeded<Device>) await(unit);
      assertThat(done.device()).isNotEqualTo(ran.getFirst());
    }
  }

  @Test
  void withoutLearnedCostsOrTheOptionNothingIsCloned() throws Exception {
    try (DevicePool pool = measured(0.001, 0.001)) {
      for (boolean option : new boolean[] {true, false}) {
        ran.clear();
        CountDownLatch release = new CountDownLatch(1);
        try (Party service = option ? cloning(pool) : service(pool, 1)) {
          UnitTask<Integer> unit =
              service.offer(
                  0,
                  0,
                  option ? Demand.of("unknown", 1) : ENCODE,
                  (slot, cancelled) -> {
                    ran.add(slot.device());
                    Eventually.open(release);
                    return 0;
                  });
          assertThat(unit.await(Duration.ofMillis(200))).isEmpty();
          assertThat(ran).hasSize(1);
          release.countDown();
        }
      }
    }
  }
}
