package dev.fairlead.pool;

import static dev.fairlead.pool.TestingPools.awaitHealth;
import static dev.fairlead.pool.TestingPools.entry;
import static dev.fairlead.pool.TestingPools.fault;
import static dev.fairlead.pool.TestingPools.lease;
import static dev.fairlead.pool.TestingPools.still;
import static dev.fairlead.pool.TestingPools.tick;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.device.Device;
import dev.fairlead.device.Fault;
import dev.fairlead.device.Timespan;
import dev.fairlead.event.PoolListener.Event;
import dev.fairlead.health.Health;
import dev.fairlead.lease.Lease;
import dev.fairlead.lease.PoolException;
import dev.fairlead.policy.Demand;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** READY → SUSPECT → QUARANTINED → PROBING → READY, and what leads from one to the next. */
@ExtendWith(NoThreadLeft.class)
class HealthTest {
  private static final Duration WINDOW = Duration.ofSeconds(60);
  private static final Duration REST = Duration.ofSeconds(1);
  private static final Duration MOMENT = Duration.ofMillis(1);

  private final ManualTicker ticker = new ManualTicker();
  private final TestingBackend backend = new TestingBackend();
  private final TestingListener listener = new TestingListener();
  private final Device device = TestingBackend.device(0).withSlots(2);
  private final Device other = TestingBackend.device(1);
  private DevicePool pool = openPool();

  private DevicePool openPool() {
    return DevicePool.open(
        backend.found(List.of(device, other)), still(ticker).withListener(listener));
  }

  @BeforeEach
  void theFirstLookOfTheKeeperIsOver() {
    Eventually.until("both were sampled", () -> backend.on(other).sampled() == 1);
    tick(pool, ticker, Duration.ZERO);
  }

  @AfterEach
  void close() {
    pool.close();
  }

  private Health health() {
    return pool.health(device.id());
  }

  private boolean serves() {
    return pool.tryLease(Demand.any().onlyOn(device.id()))
        .map(lease -> {
          lease.giveBack();
          return true;
        })
        .orElse(false);
  }

  private void fail(Fault fault) throws InterruptedException {
    lease(pool, device).fail(fault(fault));
  }

  private void quarantine() throws InterruptedException {
    for (int i = 0; i < 3; i++) {
      fail(Fault.DEVICE);
    }
    assertThat(health()).isEqualTo(Health.QUARANTINED);
  }

  /** Nothing happens until the rest is over; then the device is probed, once. */
  private void awaitProbeAfter(Duration rest) {
    int before = backend.on(device).probed();
    tick(pool, ticker, rest.minus(MOMENT));
    assertThat(health()).isEqualTo(Health.QUARANTINED);
    assertThat(pool.explain(Demand.any()).toString()).contains("probed again in 1 ms");
    tick(pool, ticker, MOMENT);
    awaitHealth(pool, device, Health.PROBING);
    assertThat(backend.on(device).probed()).isEqualTo(before + 1);
  }

  // ---- closed

  @Test
  void threeDeviceFaultsWithinAMinuteOpenTheBreaker() throws Exception {
    fail(Fault.DEVICE);
    assertThat(health()).isEqualTo(Health.SUSPECT);
    assertThat(serves()).isTrue();
    ticker.advance(WINDOW.dividedBy(2));
    fail(Fault.DEVICE);
    assertThat(health()).isEqualTo(Health.SUSPECT);
    assertThat(serves()).isTrue();
    ticker.advance(WINDOW.dividedBy(2));
    fail(Fault.DEVICE);
    assertThat(health()).isEqualTo(Health.QUARANTINED);
    assertThat(serves()).isFalse();
    assertThat(pool.health(other.id())).isEqualTo(Health.READY);
  }

  @Test
  void faultsOlderThanAMinuteDoNotCount() throws Exception {
    fail(Fault.DEVICE);
    ticker.advance(WINDOW.dividedBy(2));
    fail(Fault.DEVICE);
    ticker.advance(WINDOW.dividedBy(2).plusNanos(1));
    fail(Fault.DEVICE);
    assertThat(health()).isEqualTo(Health.SUSPECT);
    fail(Fault.DEVICE);
    assertThat(health()).isEqualTo(Health.QUARANTINED);
  }

  @Test
  void aSuspicionThatNothingConfirmsPasses() throws Exception {
    fail(Fault.DEVICE);
    tick(pool, ticker, WINDOW);
    assertThat(health()).isEqualTo(Health.SUSPECT);
    tick(pool, ticker, REST);
    assertThat(health()).isEqualTo(Health.READY);
    fail(Fault.DEVICE);
    fail(Fault.DEVICE);
    assertThat(health()).isEqualTo(Health.SUSPECT);
  }

  // ---- open and half open

  @Test
  void aDeviceThatPassesItsProbeServesOneLeaseAndItsSuccessDecides() throws Exception {
    quarantine();
    awaitProbeAfter(REST);
    Lease deciding = lease(pool, device);
    assertThat(serves()).isFalse();
    deciding.succeed();
    assertThat(health()).isEqualTo(Health.READY);
    Lease one = lease(pool, device);
    Lease two = lease(pool, device);
    one.succeed();
    two.succeed();
    assertThat(listener.heard(pool, Event.HealthChanged.class))
        .containsExactly(
            new Event.HealthChanged(device, Health.READY, Health.SUSPECT, "a device fault"),
            new Event.HealthChanged(
                device, Health.SUSPECT, Health.QUARANTINED, "3 device faults within a minute"),
            new Event.HealthChanged(device, Health.QUARANTINED, Health.PROBING, "the probe passed"),
            new Event.HealthChanged(
                device, Health.PROBING, Health.READY, "work succeeded after the probe"));
  }

  @Test
  void aLeaseThatFailsAfterTheProbeMeansQuarantineAgainAndALongerRest() throws Exception {
    quarantine();
    awaitProbeAfter(REST);
    ticker.advance(WINDOW.multipliedBy(2));
    fail(Fault.DEVICE);
    assertThat(health()).isEqualTo(Health.QUARANTINED);
    assertThat(serves()).isFalse();
    awaitProbeAfter(REST.multipliedBy(2));
    fail(Fault.DEVICE);
    awaitProbeAfter(REST.multipliedBy(4));
    lease(pool, device).succeed();
    assertThat(health()).isEqualTo(Health.READY);
    quarantine();
    awaitProbeAfter(REST);
  }

  @ParameterizedTest
  @EnumSource(names = {"WORK", "OUT_OF_MEMORY", "BUSY"})
  void aFaultThatIsNotTheDevicesDecidesNothingAfterTheProbe(Fault fault) throws Exception {
    quarantine();
    awaitProbeAfter(REST);
    fail(fault);
    assertThat(health()).isEqualTo(Health.PROBING);
    lease(pool, device).succeed();
    assertThat(health()).isEqualTo(Health.READY);
  }

  @Test
  void aFailedProbeDoublesTheRestUpToFiveMinutes() throws Exception {
    backend
        .on(device)
        .probes(() -> {
          throw fault(Fault.DEVICE);
        });
    quarantine();
    for (Duration rest = REST;
        rest.compareTo(Duration.ofMinutes(5)) < 0;
        rest = rest.multipliedBy(2)) {
      tick(pool, ticker, rest);
      long next = Math.min(rest.toMillis() * 2, Duration.ofMinutes(5).toMillis());
      String wait = "probed again in " + Timespan.of(Duration.ofMillis(next));
      Eventually.until(
          "the probe has failed", () -> pool.explain(Demand.any()).toString().contains(wait));
      assertThat(health()).isEqualTo(Health.QUARANTINED);
    }
    backend.on(device).probes(() -> {});
    awaitProbeAfter(Duration.ofMinutes(5));
  }

  // ---- classes of faults

  @ParameterizedTest
  @EnumSource(names = {"WORK", "OUT_OF_MEMORY", "BUSY"})
  void faultsOfTheWorkAndLackOfRoomNeverHarmTheDevice(Fault fault) throws Exception {
    for (int i = 0; i < 20; i++) {
      fail(fault);
    }
    assertThat(health()).isEqualTo(Health.READY);
    assertThat(serves()).isTrue();
    assertThat(entry(pool, device).generation()).isZero();
    assertThat(entry(pool, device).stats().failed()).isEqualTo(20);
    assertThat(listener.heard(pool, Event.HealthChanged.class)).isEmpty();
  }

  @Test
  void aPoisonedContextIsClosedAndAnotherOpenedUnderANewGeneration() throws Exception {
    fail(Fault.CONTEXT);
    assertThat(health()).isEqualTo(Health.QUARANTINED);
    awaitProbeAfter(REST);
    assertThat(backend.contexts(device)).hasSize(2);
    assertThat(backend.contexts(device).getFirst().closedOn()).hasSize(1);
    assertThat(backend.contexts(device).getLast().closedOn()).isEmpty();
    assertThat(entry(pool, device).generation()).isEqualTo(1);
    assertThat(listener.heard(pool, Event.Rebuilt.class))
        .containsExactly(new Event.Rebuilt(device, 1));
    lease(pool, device).succeed();
    assertThat(health()).isEqualTo(Health.READY);
  }

  @Test
  void aDeviceFaultDoesNotCostTheContext() throws Exception {
    quarantine();
    awaitProbeAfter(REST);
    assertThat(backend.contexts(device)).hasSize(1);
    assertThat(entry(pool, device).generation()).isZero();
  }

  @Test
  void aLostDeviceIsRemovedWhenItsLastLeaseHasEnded() throws Exception {
    Lease last = lease(pool, device);
    fail(Fault.LOST);
    assertThat(health()).isEqualTo(Health.LOST);
    assertThat(serves()).isFalse();
    last.succeed();
    assertThat(pool.devices()).containsExactly(other);
    assertThatThrownBy(this::health).isInstanceOf(PoolException.UnknownDevice.class);
    assertThat(listener.heard(pool, Event.Removed.class))
        .containsExactly(new Event.Removed(device, 0));
    Eventually.until(
        "its context is closed", () -> backend.contexts(device).getFirst().closedOn().size() == 1);
  }

  @Test
  void aProbeThatFindsTheDeviceLostRemovesIt() throws Exception {
    backend
        .on(device)
        .probes(() -> {
          throw fault(Fault.LOST);
        });
    quarantine();
    tick(pool, ticker, REST);
    Eventually.until("gone", () -> pool.devices().equals(List.of(other)));
  }
}
