package dev.fairlead.pool;

import static dev.fairlead.pool.TestingBackend.devices;
import static dev.fairlead.pool.TestingPools.LONG;
import static dev.fairlead.pool.TestingPools.awaitWaiting;
import static dev.fairlead.pool.TestingPools.entry;
import static dev.fairlead.pool.TestingPools.fault;
import static dev.fairlead.pool.TestingPools.lease;
import static dev.fairlead.pool.TestingPools.requireAtRest;
import static dev.fairlead.pool.TestingPools.still;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.device.Device;
import dev.fairlead.device.Fault;
import dev.fairlead.health.Health;
import dev.fairlead.lease.Lease;
import dev.fairlead.lease.PoolException;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.Explanation;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Devices that are paused, resumed and drained by hand. */
@ExtendWith(NoThreadLeft.class)
class PausedDeviceTest {
  private static final Duration FOR_EVER = Duration.ofSeconds(Long.MAX_VALUE);

  private final ManualTicker ticker = new ManualTicker();
  private final TestingBackend backend = new TestingBackend();
  private final Device first = devices(2).get(0);
  private final Device second = devices(2).get(1);

  private DevicePool open() {
    return DevicePool.open(backend.found(List.of(first, second)), still(ticker));
  }

  /** A job that says where it ran. */
  private static final class Wandering extends Once {
    private final CompletableFuture<Device> where = new CompletableFuture<>();

    @Override
    public void run(Lease lease) {
      where.complete(lease.device());
      super.run(lease);
    }
  }

  @Test
  void aPausedDeviceTakesNoNewWorkAndSaysSo() {
    try (DevicePool pool = open()) {
      pool.pause(first.id());

      assertThat(pool.serves(first.id())).isFalse();
      assertThat(pool.serves(second.id())).isTrue();
      assertThat(pool.health(first.id())).isEqualTo(Health.READY);
      assertThat(entry(pool, first).paused()).isTrue();
      assertThat(entry(pool, second).paused()).isFalse();
      assertThat(pool.tryLease(Demand.any().onlyOn(first.id()))).isEmpty();
      Explanation.Verdict verdict = pool.explain(Demand.any()).verdicts().getFirst();
      assertThat(verdict.finding()).isEqualTo(Explanation.Finding.INELIGIBLE);
      assertThat(verdict.reason()).isEqualTo("is paused");
      assertThat(pool.bestAvailable()).isEqualTo(second);
    }
  }

  @Test
  void aTimeoutSaysThatADeviceIsPaused() {
    try (DevicePool pool = open()) {
      pool.pause(first.id());
      Demand demand = Demand.any().onlyOn(first.id());
      assertThatThrownBy(() -> pool.lease(demand, Duration.ofMillis(1)))
          .isInstanceOf(PoolException.TimedOut.class)
          .hasMessageContaining(first + ": ready but paused");
    }
  }

  @Test
  void itsQueuedJobsMoveElsewhereAndWhatRunsThereEndsInPeace() throws Exception {
    try (DevicePool pool = open()) {
      Lease there = lease(pool, first);
      Lease here = lease(pool, second);
      List<Wandering> jobs = List.of(new Wandering(), new Wandering());
      jobs.forEach(job -> pool.submit(Demand.any(), job));
      assertThat(entry(pool, first).stats().outstanding()).isEqualTo(2);

      pool.pause(first.id());
      assertThat(entry(pool, first).stats().outstanding()).isEqualTo(1);
      assertThat(entry(pool, second).stats().outstanding()).isEqualTo(3);
      String how = there.run(slot -> "in peace");
      assertThat(how).isEqualTo("in peace");
      there.succeed();
      here.succeed();
      for (Wandering job : jobs) {
        Eventually.open(job.ran);
        assertThat(job.where).isCompletedWithValue(second);
      }
      requireAtRest(pool);
    }
  }

  @Test
  void jobsThatOnlyItMayRunWaitUntilItIsResumed() throws Exception {
    try (DevicePool pool = open()) {
      Lease there = lease(pool, first);
      Wandering queued = new Wandering();
      Demand demand = Demand.any().onlyOn(first.id());
      pool.submit(demand, queued);
      pool.pause(first.id());
      Wandering later = new Wandering();
      pool.submit(demand, later);
      there.succeed();
      awaitWaiting(pool, 2);
      assertThat(queued.where).isNotDone();

      pool.resume(first.id());
      for (Wandering job : List.of(queued, later)) {
        Eventually.open(job.ran);
        assertThat(job.where).isCompletedWithValue(first);
      }
      assertThat(pool.serves(first.id())).isTrue();
      requireAtRest(pool);
    }
  }

  @Test
  void aResumedDeviceTakesOverWhatWaitsInOtherQueues() throws Exception {
    try (DevicePool pool = open()) {
      pool.pause(first.id());
      Lease busy = lease(pool, second);
      Wandering job = new Wandering();
      pool.submit(Demand.any(), job);
      assertThat(entry(pool, second).stats().outstanding()).isEqualTo(2);

      pool.resume(first.id());
      Eventually.open(job.ran);
      assertThat(job.where).isCompletedWithValue(first);
      busy.succeed();
    }
  }

  @Test
  void drainingWaitsUntilNothingRunsThereAndTheDeviceStays() throws Exception {
    try (DevicePool pool = open()) {
      Lease lease = lease(pool, first);
      assertThat(pool.drain(first.id(), Duration.ZERO)).isFalse();
      var draining = Eventually.start(() -> pool.drain(first.id(), LONG));
      draining.isWaiting();
      assertThat(draining.future()).isNotDone();
      lease.succeed();

      assertThat(draining.result()).isTrue();
      assertThat(pool.devices()).containsExactly(first, second);
      assertThat(pool.serves(first.id())).isFalse();
      assertThat(backend.contexts(first).getFirst().closedOn()).isEmpty();
      pool.resume(first.id());
      lease(pool, first).succeed();
    }
  }

  @Test
  void drainingAnIdleDeviceIsDoneAtOnce() throws Exception {
    try (DevicePool pool = open()) {
      assertThat(pool.drain(first.id(), Duration.ZERO)).isTrue();
      assertThat(pool.drain(first.id(), FOR_EVER)).isTrue();
    }
  }

  @Test
  void drainingADeviceThatIsResumedEnds() throws Exception {
    try (DevicePool pool = open()) {
      Lease lease = lease(pool, first);
      var draining = Eventually.start(() -> pool.drain(first.id(), FOR_EVER));
      draining.isWaiting();
      Eventually.until("it is paused", () -> !pool.serves(first.id()));
      pool.resume(first.id());
      assertThat(draining.result()).isFalse();
      lease.succeed();
    }
  }

  @Test
  void drainingWithoutALimitOnADevicesOwnThreadIsRefused() throws Exception {
    try (DevicePool pool = open()) {
      Lease lease = lease(pool, first);
      assertThatThrownBy(() -> lease.run(slot -> pool.drain(first.id(), FOR_EVER)))
          .isInstanceOf(PoolException.WouldHang.class);
      assertThat(pool.serves(first.id())).isTrue();
      lease.succeed();
    }
  }

  @Test
  void aPausedDeviceCanBeRemoved() throws Exception {
    try (DevicePool pool = open()) {
      Lease lease = lease(pool, first);
      pool.pause(first.id());
      assertThat(pool.remove(first.id(), Duration.ZERO)).isFalse();
      lease.succeed();
      Eventually.until("it has left", () -> pool.devices().equals(List.of(second)));
      assertThatThrownBy(() -> pool.resume(first.id()))
          .isInstanceOf(PoolException.UnknownDevice.class);
    }
  }

  @Test
  void aPoolWithAPausedDeviceCloses() throws Exception {
    DevicePool pool = open();
    Lease lease = lease(pool, first);
    pool.pause(first.id());
    var draining = Eventually.start(() -> pool.drain(first.id(), FOR_EVER));
    var removing = Eventually.start(() -> pool.remove(first.id(), FOR_EVER));
    draining.isWaiting();
    removing.isWaiting();
    var closing = Eventually.close(pool);
    assertThat(draining.result()).isFalse();
    assertThat(removing.result()).isFalse();
    lease.succeed();
    closing.result();
    assertThat(backend.contexts()).allSatisfy(each -> assertThat(each.closedOn()).hasSize(1));
    assertThatThrownBy(() -> pool.pause(first.id())).isInstanceOf(PoolException.PoolClosed.class);
  }

  @Test
  void aPauseOutlivesAQuarantine() throws Exception {
    try (DevicePool pool = open()) {
      Lease lease = lease(pool, first);
      pool.pause(first.id());
      lease.fail(fault(Fault.CONTEXT));
      assertThat(pool.health(first.id())).isEqualTo(Health.QUARANTINED);
      TestingPools.tick(pool, ticker, Duration.ofSeconds(2));
      Eventually.until(
          "it is probing",
          () -> {
            pool.maintenance().tick(ticker.nanos());
            return pool.health(first.id()) == Health.PROBING;
          });
      assertThat(pool.serves(first.id())).isFalse();
      assertThat(pool.tryLease(Demand.any().onlyOn(first.id()))).isEmpty();
      pool.resume(first.id());
      lease(pool, first).succeed();
      assertThat(pool.health(first.id())).isEqualTo(Health.READY);
    }
  }
}
