package dev.fairlead.units;

import static dev.fairlead.pool.TestingPools.fault;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.device.Fault;
import dev.fairlead.outcome.Outcome;
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
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Devices whose drivers have a number of sessions, for each of them or for all of the host. */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class SessionsTest {
  private static final Duration STEP = Duration.ofMillis(20);

  private final ManualTicker ticker = new ManualTicker();
  private final Collection<Device> told = new ConcurrentLinkedQueue<>();
  private final Set<Device> refused = ConcurrentHashMap.newKeySet();
  private final AtomicInteger refusals = new AtomicInteger();
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();

  /** Fair, so that a unit that waits for its end is not passed by one that comes later. */
  private final Semaphore mayEnd = new Semaphore(0, true);

  private volatile int sessions;
  private volatile Fault refusal = Fault.BUSY;

  private final AtomicInteger come = new AtomicInteger();
  private final AtomicInteger turnedAway = new AtomicInteger();
  private volatile CountDownLatch entrance = new CountDownLatch(0);
  private volatile CountDownLatch refusalsCome = new CountDownLatch(0);

  /** What goes on with a unit queue; whatever comes of it, all units end, and it closes. */
  private interface Course {
    void run(Party service) throws Exception;
  }

  private void with(DevicePool pool, Course course) throws Exception {
    try (pool;
        Party service = service(pool)) {
      try {
        course.run(service);
      } finally {
        sessions = Integer.MAX_VALUE;
        mayEnd.release(1 << 20);
        ticker.advance(Duration.ofDays(1));
      }
    }
  }

  /** Lets time pass, in steps that are short against every rest, until something has come about. */
  private void passUntil(String what, BooleanSupplier condition) {
    Eventually.until(
        what,
        () -> {
          ticker.advance(STEP);
          return condition.getAsBoolean();
        });
  }

  private DevicePool pool(int devices, int slots) {
    return DevicePool.of(
        TestingPools.withSlots(TestingBackend.devices(devices), slots), TestingPools.still(ticker));
  }

  private Party service(DevicePool pool) {
    return UnitQueue.single(
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
    come.incrementAndGet();
    Eventually.open(entrance);
    if (open.incrementAndGet() > sessions) {
      open.decrementAndGet();
      turnedAway.incrementAndGet();
      Eventually.open(refusalsCome);
      refused.add(device);
      refusals.incrementAndGet();
      throw fault(refusal);
    }
    most.accumulateAndGet(open.get(), Math::max);
    boolean let = mayEnd.tryAcquire(TestingPools.LONG.toMillis(), TimeUnit.MILLISECONDS);
    open.decrementAndGet();
    assertThat(let).isTrue();
    return device;
  }

  /** Offers units, and lets the first ones open sessions only when all slots have one. */
  private List<UnitTask<Device>> offerAtOnce(Party service, int count, int slots) {
    entrance = new CountDownLatch(1);
    try {
      List<UnitTask<Device>> units = offer(service, count);
      Eventually.until(
          "all slots have a unit, and the service knows",
          () -> come.get() == slots && waiting(service) == count - slots);
      return units;
    } finally {
      entrance.countDown();
    }
  }

  private List<UnitTask<Device>> offer(Party service, int count) {
    List<UnitTask<Device>> units = new ArrayList<>();
    for (int chunk = 0; chunk < count; chunk++) {
      units.add(service.offer(0, chunk, Demand.any(), (slot, stopped) -> encode(slot.device())));
    }
    return units;
  }

  /** Units that are on no device: a refusal counts once the service has heard of it. */
  private static int waiting(Party service) {
    return service.report().groups().stream().mapToInt(ServiceReport.GroupShare::waiting).sum();
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
    with(
        pool(4, 2),
        service -> {
          List<UnitTask<Device>> units = offerAtOnce(service, 40, 8);
          Eventually.until(
              "the limit is found", () -> refusals.get() == 5 && waiting(service) == 37);
          mayEnd.release(40);
          allEndWellAtOnce(units);
        });
    assertThat(refusals).hasValue(5);
    assertThat(most).hasValue(3);
    assertThat(told).containsExactlyInAnyOrderElementsOf(refused);
  }

  @Test
  void oneMoreIsTriedNowAndThenAndAllOnceTheHostHasMore() throws Exception {
    sessions = 3;
    with(
        pool(4, 2),
        service -> {
          List<UnitTask<Device>> units = offerAtOnce(service, 40, 8);
          Eventually.until(
              "the limit is found", () -> refusals.get() == 5 && waiting(service) == 37);
          passUntil("one more is tried", () -> refusals.get() > 5);
          assertThat(open).hasValue(3);

          sessions = 8;
          passUntil(
              "one more is taken, and is among those that may end",
              () -> open.get() == 4 && mayEnd.getQueueLength() == 4);
          mayEnd.release(4);
          passUntil("all slots are used", () -> open.get() == 8);
          mayEnd.release(40);
          allEndWellAtOnce(units);
        });
    assertThat(told).containsExactlyInAnyOrderElementsOf(refused);
  }

  @Test
  void whatRefusalsHaveShownIsKnownByKindAndForgottenOnceTheHostHasMore() throws Exception {
    sessions = 2;
    try (DevicePool pool = pool(1, 4);
        UnitQueue queue = UnitQueue.open(pool, ServicePolicies.anyRung());
        Party service = queue.join(PartyOptions.of("encodes", 1))) {
      try {
        assertThat(queue.sessions()).isEmpty();
        List<UnitTask<Device>> units = offerAtOnce(service, 8, 4);
        Eventually.until("the limit is found", () -> waiting(service) == 6);
        assertThat(queue.sessions()).containsExactly(Map.entry(DeviceKind.SIMULATED, 2));

        sessions = 8;
        passUntil("one more is taken", () -> open.get() == 3);
        mayEnd.release(8);
        allEndWellAtOnce(units);
        assertThat(queue.sessions()).isEmpty();
      } finally {
        sessions = Integer.MAX_VALUE;
        mayEnd.release(1 << 20);
        ticker.advance(Duration.ofDays(1));
      }
    }
  }

  /**
   * With one device there is no telling whether the limit is the host's, and no need to; nor
   * whether it lacks sessions or memory for one more.
   */
  @ParameterizedTest
  @EnumSource(names = {"BUSY", "OUT_OF_MEMORY"})
  void aSlotOfADeviceThatIsGivenBackIsTakenAtOnce(Fault lack) throws Exception {
    sessions = 2;
    refusal = lack;
    with(
        pool(1, 4),
        service -> {
          List<UnitTask<Device>> units = offerAtOnce(service, 20, 4);
          Eventually.until(
              "the limit is found", () -> refusals.get() == 2 && waiting(service) == 18);
          mayEnd.release(20);
          allEndWellAtOnce(units);
        });
    assertThat(refusals).hasValue(2);
    assertThat(most).hasValue(2);
    assertThat(told)
        .as("what has lost its work is told each time")
        .hasSize(lack == Fault.BUSY ? 1 : 2);
  }

  /** Where one more finds no memory, one that runs may not find what it needs either. */
  @Test
  void aUnitThatFindsNoMemorySinceAnotherCameBesideItHasNotFailed() throws Exception {
    AtomicInteger tries = new AtomicInteger();
    AtomicInteger othersTries = new AtomicInteger();
    CountDownLatch bothRun = new CountDownLatch(2);
    CountDownLatch otherLeft = new CountDownLatch(1);
    with(
        pool(1, 2),
        service -> {
          UnitTask<Device> first =
              service.offer(
                  0, 0, Demand.any(), (slot, _) -> run(slot.device(), tries, bothRun, otherLeft));
          UnitTask<Device> other =
              service.offer(
                  0,
                  1,
                  Demand.any(),
                  (slot, _) -> run(slot.device(), othersTries, bothRun, bothRun));
          Eventually.until(
              "the other waits again", () -> bothRun.getCount() == 0 && waiting(service) == 1);
          otherLeft.countDown();
          allEndWellAtOnce(List.of(first, other));
        });
    assertThat(tries).hasValue(2);
    assertThat(othersTries).hasValue(2);
  }

  /** Finds no memory at the first try, once something has come about. */
  private static Device run(
      Device device, AtomicInteger tries, CountDownLatch begun, CountDownLatch until) {
    if (tries.getAndIncrement() == 0) {
      begun.countDown();
      Eventually.open(until);
      throw fault(Fault.OUT_OF_MEMORY);
    }
    return device;
  }

  @Test
  void aUnitThatFindsNoMemoryOnADeviceOfItsOwnHasFailedThere() throws Exception {
    refusal = Fault.OUT_OF_MEMORY;
    with(
        pool(1, 1),
        service -> {
          UnitTask<Device> unit = offer(service, 1).getFirst();
          Eventually.until("it is given up", unit::isEnded);
          assertThat(((Outcome.Failed<Device>) unit.await()).failures()).hasSize(3);
        });
  }

  /** What ends between a refusal and the moment at which it is heard of has had its session. */
  @Test
  void aRefusalThatIsHeardLateTellsOfThoseThatRanBesideIt() throws Exception {
    sessions = 3;
    refusalsCome = new CountDownLatch(1);
    with(
        pool(1, 4),
        service -> {
          List<UnitTask<Device>> units = offerAtOnce(service, 4, 4);
          Eventually.until("one is refused", () -> turnedAway.get() == 1);
          mayEnd.release(4);
          Eventually.until(
              "three have ended", () -> units.stream().filter(UnitTask::isEnded).count() == 3);
          refusalsCome.countDown();
          allEndWellAtOnce(units);
        });
    assertThat(refusals).hasValue(1);
  }

  @Test
  void aDeviceThatRefusesEverythingForAMinuteFailsItsUnits() throws Exception {
    long began = ticker.nanos();
    with(
        pool(1, 1),
        service -> {
          UnitTask<Device> unit = offer(service, 1).getFirst();
          passUntil("it is given up", unit::isEnded);
          assertThat(Duration.ofNanos(ticker.nanos() - began))
              .isGreaterThanOrEqualTo(ServedDevice.REFUSES_AT_MOST);
          assertThat(((Outcome.Failed<Device>) unit.await()).failures()).hasSize(3);
        });
    assertThat(told).hasSize(1);
  }

  @Test
  void aDeviceWhoseSessionsOthersOfOursHaveNeverFailsItsUnits() throws Exception {
    sessions = 1;
    with(
        pool(2, 1),
        service -> {
          List<UnitTask<Device>> units = offer(service, 2);
          passUntil("one is refused for two minutes", () -> refusals.get() > 15);
          mayEnd.release(2);
          passUntil("both have ended", () -> units.stream().allMatch(UnitTask::isEnded));
          allEndWellAtOnce(units);
        });
    assertThat(told).hasSize(1);
  }
}
