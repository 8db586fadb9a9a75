package dev.fairlead.pool;

import static dev.fairlead.pool.TestingBackend.devices;
import static dev.fairlead.pool.TestingPools.LONG;
import static dev.fairlead.pool.TestingPools.awaitHealth;
import static dev.fairlead.pool.TestingPools.fault;
import static dev.fairlead.pool.TestingPools.lease;
import static dev.fairlead.pool.TestingPools.still;
import static dev.fairlead.pool.TestingPools.tick;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.device.Device;
import dev.fairlead.device.Discovery;
import dev.fairlead.device.Fault;
import dev.fairlead.device.Timespan;
import dev.fairlead.event.PoolListener.Event;
import dev.fairlead.health.Health;
import dev.fairlead.lease.Lease;
import dev.fairlead.lease.PoolException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Backends that do not come back: from opening, from a probe, from a rebuild. */
@ExtendWith(NoThreadLeft.class)
class OpeningTest {
  /** What probes and rebuilds may take, by the clock that the test moves. */
  private static final Duration OPENING = Duration.ofHours(1);

  /** What those that never open are given. */
  private static final Duration SHORT = Duration.ofMillis(100);

  private final ManualTicker ticker = new ManualTicker();
  private final TestingBackend backend = new TestingBackend();
  private final TestingListener listener = new TestingListener();
  private final List<Device> devices = devices(3);
  private final Device stuck = devices.get(1);
  private final CountDownLatch goOn = new CountDownLatch(1);

  @AfterEach
  void letGo() {
    goOn.countDown();
  }

  private PoolOptions opening(Duration limit) {
    PoolOptions options = still(ticker).withListener(listener);
    return options.withTiming(options.timing().withOpening(limit));
  }

  /** Opens all devices but the one that is stuck; the others get more time if they need it. */
  private DevicePool openAllButOne() {
    opensNever(stuck);
    for (Duration limit = SHORT; limit.compareTo(LONG) < 0; limit = limit.multipliedBy(4)) {
      try {
        DevicePool pool = DevicePool.open(backend.found(devices), opening(limit));
        if (pool.size() > 1) {
          return pool;
        }
        pool.close();
      } catch (PoolException.NoDevices slow) {
        assertThat(slow).hasMessageContaining("did not open within");
      }
    }
    throw new AssertionError("Devices that open at once have not opened within " + LONG);
  }

  private void opensNever(Device device) {
    backend.on(device).opens(() -> Eventually.open(goOn));
  }

  private void opensLateAndIsClosed(Device device) {
    goOn.countDown();
    Eventually.until(
        "the late context is closed",
        () ->
            backend.contexts(device).size() == backend.on(device).opened()
                && backend.contexts(device).stream().allMatch(each -> each.closedOn().size() == 1));
  }

  @Test
  void aDeviceThatDoesNotOpenIsAProblemAndTheOthersWork() throws Exception {
    try (DevicePool pool = openAllButOne()) {
      String limit = Timespan.of(pool.options().timing().opening()).toString();
      assertThat(pool.devices()).containsExactly(devices.get(0), devices.get(2));
      assertThat(pool.problems())
          .singleElement()
          .satisfies(problem ->
              assertThat(problem.toString())
                  .contains(stuck.label())
                  .contains("did not open within " + limit));
      for (Device good : pool) {
        try (Lease lease = lease(pool, good)) {
          assertThat(lease.<Device, RuntimeException>run(slot -> slot.device())).isEqualTo(good);
        }
      }
      opensLateAndIsClosed(stuck);
      assertThat(pool.size()).isEqualTo(2);
    }
  }

  @Test
  void aPoolOfWhichNoDeviceOpensIsNotOpened() {
    devices.forEach(this::opensNever);
    assertThatThrownBy(() -> DevicePool.open(backend.found(devices), opening(SHORT)))
        .isInstanceOf(PoolException.NoDevices.class)
        .hasMessageContaining("did not open within");
    goOn.countDown();
    Eventually.until(
        "the late contexts are closed",
        () ->
            backend.contexts().size() == 3
                && backend.contexts().stream().allMatch(each -> each.closedOn().size() == 1));
  }

  @Test
  void addingADeviceThatDoesNotOpenSaysSoAndTheOthersWork() throws Exception {
    opensNever(stuck);
    try (DevicePool pool = DevicePool.of(devices.subList(0, 1), opening(SHORT))) {
      assertThatThrownBy(() -> pool.add(new Discovery.Found(stuck, backend)))
          .isInstanceOf(PoolException.DidNotOpen.class)
          .hasMessageContaining(stuck.toString());
      assertThat(pool.devices()).containsExactly(devices.getFirst());
      lease(pool).succeed();
      opensLateAndIsClosed(stuck);
      backend.on(stuck).opens(() -> {});
      Eventually.until("it opens in time", () -> opensInTime(pool, stuck));
      lease(pool, stuck).succeed();
    }
  }

  private boolean opensInTime(DevicePool pool, Device device) {
    try {
      pool.add(new Discovery.Found(device, backend));
      return true;
    } catch (PoolException.DidNotOpen slow) {
      return false;
    }
  }

  @Test
  void aProbeThatHangsIsGivenUpAndTheDeviceRecovers() throws Exception {
    Device device = devices.getFirst();
    try (DevicePool pool = DevicePool.open(backend.found(List.of(device)), opening(OPENING))) {
      backend.on(device).probes(() -> Eventually.open(goOn));
      for (int i = 0; i < 3; i++) {
        lease(pool).fail(fault(Fault.DEVICE));
      }
      awaitHealth(pool, device, Health.QUARANTINED);
      tick(pool, ticker, Duration.ofSeconds(1));
      Eventually.until("it is probed", () -> backend.on(device).probed() == 1);
      backend.on(device).probes(() -> {});
      recoversAfterTheTrouble(pool, device);
      TestingContext first = backend.contexts(device).getFirst();
      assertThat(first.closedOn()).as("the probe may still be inside").isEmpty();
      goOn.countDown();
      Eventually.until("the probe that came back closes it", () -> first.closedOn().size() == 1);
    }
    assertThat(backend.contexts(device).getLast().closedOn()).hasSize(1);
  }

  @Test
  void aRebuildThatHangsIsGivenUpAndTheDeviceRecovers() throws Exception {
    Device device = devices.getFirst();
    try (DevicePool pool = DevicePool.open(backend.found(List.of(device)), opening(OPENING))) {
      opensNever(device);
      lease(pool).fail(fault(Fault.CONTEXT));
      awaitHealth(pool, device, Health.QUARANTINED);
      tick(pool, ticker, Duration.ofSeconds(1));
      Eventually.until("it is opened anew", () -> backend.on(device).opened() == 2);
      backend.on(device).opens(() -> {});
      recoversAfterTheTrouble(pool, device);
      assertThat(backend.contexts(device)).hasSize(2);
      goOn.countDown();
      Eventually.until("it has opened late", () -> backend.contexts(device).size() == 3);
      TestingContext late = backend.contexts(device).getLast();
      Eventually.until("the late one is closed", () -> late.closedOn().size() == 1);
      try (Lease lease = lease(pool)) {
        assertThat(lease.<Object, RuntimeException>run(slot -> slot.context()))
            .isSameAs(backend.contexts(device).get(1));
      }
      assertThat(late.usedAfterClose()).isFalse();
    }
  }

  private void recoversAfterTheTrouble(DevicePool pool, Device device) throws Exception {
    tick(pool, ticker, OPENING);
    assertThat(listener.heard(pool, Event.Trouble.class)).isEmpty();
    tick(pool, ticker, Duration.ofMillis(1));
    assertThat(listener.heard(pool, Event.Trouble.class))
        .singleElement()
        .satisfies(trouble -> {
          assertThat(trouble.device()).isEqualTo(device);
          assertThat(trouble.what()).isEqualTo("probing");
          assertThat(trouble.cause()).hasMessageContaining(Timespan.of(OPENING).toString());
        });
    assertThat(pool.health(device.id())).isEqualTo(Health.QUARANTINED);
    tick(pool, ticker, Duration.ofSeconds(4));
    awaitHealth(pool, device, Health.PROBING);
    try (Lease lease = lease(pool)) {
      assertThat(lease.<Integer, RuntimeException>run(slot -> 7)).isEqualTo(7);
    }
    awaitHealth(pool, device, Health.READY);
  }
}
