package dev.fairlead.dispatch;

import static dev.fairlead.pool.TestingPools.fault;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Device;
import dev.fairlead.device.Fault;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.ServicePolicies;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.Eventually;
import dev.fairlead.pool.ManualTicker;
import dev.fairlead.pool.NoThreadLeft;
import dev.fairlead.pool.TestingBackend;
import dev.fairlead.pool.TestingPools;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Devices whose drivers have a number of sessions, for each of them or for all of the host. */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class SessionsTest {
  private final ManualTicker ticker = new ManualTicker();
  private final Collection<Device> told = new ConcurrentLinkedQueue<>();
  private final Set<Device> refused = ConcurrentHashMap.newKeySet();
  private final AtomicInteger refusals = new AtomicInteger();
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();
  private final Semaphore mayEnd = new Semaphore(0);
  private volatile int sessions;

  @AfterEach
  void letGo() {
    mayEnd.release(1 << 20);
  }

  private DevicePool pool(int devices, int slots) {
    return DevicePool.of(
        TestingPools.withSlots(TestingBackend.devices(devices), slots), TestingPools.still(ticker));
  }

  private UnitService service(DevicePool pool) {
    return UnitService.open(
        pool,
        ServicePolicies.anyRung(),
        1,
        ServiceOptions.usual()
            .withListener(event -> {
              if (event instanceof UnitListener.Event.Requeued again) {
                told.add(again.device());
              }
            }));
  }

  /** Opens a session for the time of the work, as an encoder does. */
  private Device encode(Device device) throws InterruptedException {
    if (open.incrementAndGet() > sessions) {
      open.decrementAndGet();
      refused.add(device);
      refusals.incrementAndGet();
      throw fault(Fault.BUSY);
    }
    most.accumulateAndGet(open.get(), Math::max);
    boolean let = mayEnd.tryAcquire(TestingPools.LONG.toMillis(), TimeUnit.MILLISECONDS);
    open.decrementAndGet();
    assertThat(let).isTrue();
    return device;
  }

  private List<UnitTask<Device>> offer(UnitService service, int count) {
    List<UnitTask<Device>> units = new ArrayList<>();
    for (int chunk = 0; chunk < count; chunk++) {
      units.add(service.offer(0, chunk, Demand.any(), (slot, stopped) -> encode(slot.device())));
    }
    return units;
  }

  private static void allEndWellAtOnce(List<UnitTask<Device>> units) throws InterruptedException {
    for (UnitTask<Device> unit : units) {
      Outcome<Device> outcome =
          unit.await(TestingPools.LONG).orElseThrow(() -> new AssertionError(unit + " hangs"));
      assertThat(((Outcome.Succeeded<Device>) outcome).failures()).isEmpty();
    }
  }

  @Test
  void noMoreAreTriedThanTheHostHas() throws Exception {
    sessions = 3;
    try (DevicePool pool = pool(4, 2);
        UnitService service = service(pool)) {
      List<UnitTask<Device>> units = offer(service, 40);
      Eventually.until("the limit is found", () -> refusals.get() == 5 && open.get() == 3);
      mayEnd.release(40);
      allEndWellAtOnce(units);
    }
    assertThat(refusals).hasValue(5);
    assertThat(most).hasValue(3);
    assertThat(told).containsExactlyInAnyOrderElementsOf(refused);
  }

  @Test
  void oneMoreIsTriedNowAndThenAndAllOnceTheHostHasMore() throws Exception {
    sessions = 3;
    try (DevicePool pool = pool(4, 2);
        UnitService service = service(pool)) {
      List<UnitTask<Device>> units = offer(service, 40);
      Eventually.until("the limit is found", () -> refusals.get() == 5 && open.get() == 3);
      ticker.advance(Duration.ofMillis(500));
      Eventually.until("one more is tried", () -> refusals.get() == 6);

      sessions = 8;
      mayEnd.release(3);
      Eventually.until(
          "all slots are used",
          () -> {
            ticker.advance(Duration.ofSeconds(1));
            mayEnd.release(open.get() < 8 ? 1 : 0);
            return open.get() == 8;
          });
      mayEnd.release(40);
      allEndWellAtOnce(units);
    }
    assertThat(told).containsExactlyInAnyOrderElementsOf(refused);
  }

  /** With one device there is no telling whether the limit is the host's, and no need to. */
  @Test
  void aSlotOfADeviceThatIsGivenBackIsTakenAtOnce() throws Exception {
    sessions = 2;
    try (DevicePool pool = pool(1, 4);
        UnitService service = service(pool)) {
      List<UnitTask<Device>> units = offer(service, 20);
      Eventually.until("the limit is found", () -> refusals.get() == 2 && open.get() == 2);
      mayEnd.release(20);
      allEndWellAtOnce(units);
    }
    assertThat(refusals).hasValue(2);
    assertThat(told).hasSize(1);
  }

  @Test
  void aDeviceThatRefusesEverythingForAMinuteFailsItsUnits() throws Exception {
    try (DevicePool pool = pool(1, 1);
        UnitService service = service(pool)) {
      UnitTask<Device> unit = offer(service, 1).getFirst();
      Eventually.until("it is refused", () -> refusals.get() == 1);
      Duration passed = Duration.ZERO;
      // A refusal at 45.5 s of the 60: rests double to ten seconds.
      for (int seen = 1; seen < 9; seen++) {
        int before = seen;
        Duration rest = Duration.ofMillis(Math.min(10_000, 500L << (seen - 1)));
        ticker.advance(rest);
        passed = passed.plus(rest);
        Eventually.until("it is refused again", () -> refusals.get() > before);
        assertThat(unit.isEnded()).isFalse();
      }
      assertThat(passed).isLessThan(Post.REFUSES_AT_MOST);
      assertThat(told).hasSize(1);

      Eventually.until(
          "it is given up",
          () -> {
            ticker.advance(Duration.ofSeconds(10));
            return unit.isEnded();
          });
      assertThat(((Outcome.Failed<Device>) unit.await()).failures()).hasSize(3);
    }
  }

  @Test
  void aDeviceWhoseSessionsOthersOfOursHaveNeverFailsItsUnits() throws Exception {
    sessions = 1;
    try (DevicePool pool = pool(2, 1);
        UnitService service = service(pool)) {
      List<UnitTask<Device>> units = offer(service, 2);
      Eventually.until("one is refused", () -> refusals.get() == 1 && open.get() == 1);
      for (int tries = 1; tries < 12; tries++) {
        int before = tries;
        Eventually.until(
            "it is refused again",
            () -> {
              ticker.advance(Duration.ofSeconds(10));
              return refusals.get() > before;
            });
      }
      mayEnd.release(2);
      Eventually.until(
          "both have ended",
          () -> {
            ticker.advance(Duration.ofSeconds(10));
            return units.stream().allMatch(UnitTask::isEnded);
          });
      allEndWellAtOnce(units);
      assertThat(told).hasSize(1);
    }
  }
}
