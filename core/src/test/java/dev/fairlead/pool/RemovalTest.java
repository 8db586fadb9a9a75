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
import dev.fairlead.device.DeviceId;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.device.Fault;
import dev.fairlead.event.PoolListener.Event;
import dev.fairlead.lease.Lease;
import dev.fairlead.lease.PoolException;
import dev.fairlead.policy.Demand;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Devices that leave: what they were doing, and what remains of them. */
@ExtendWith(NoThreadLeft.class)
class RemovalTest {
  private final ManualTicker ticker = new ManualTicker();
  private final TestingBackend backend = new TestingBackend();
  private final TestingListener listener = new TestingListener();
  private final List<Device> devices = devices(3);

  private DevicePool open(Device... some) {
    return DevicePool.open(backend.found(List.of(some)), still(ticker).withListener(listener));
  }

  private DevicePool openAll() {
    return open(devices.toArray(Device[]::new));
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

  // ---- draining

  @Test
  void queuedJobsMoveToOtherDevices() throws Exception {
    Device leaving = devices.get(0);
    Device staying = devices.get(1);
    try (DevicePool pool = open(leaving, staying)) {
      Lease there = lease(pool, leaving);
      Lease here = lease(pool, staying);
      List<Wandering> jobs = List.of(new Wandering(), new Wandering());
      jobs.forEach(job -> pool.submit(Demand.any(), job));
      assertThat(entry(pool, leaving).stats().outstanding()).isEqualTo(2);
      assertThat(pool.remove(leaving.id(), Duration.ZERO)).isFalse();
      assertThat(entry(pool, leaving).stats().outstanding()).isEqualTo(1);
      assertThat(entry(pool, staying).stats().outstanding()).isEqualTo(3);
      here.succeed();
      for (Wandering job : jobs) {
        Eventually.open(job.ran);
        assertThat(job.where).isCompletedWithValue(staying);
      }
      there.succeed();
      assertThat(pool.devices()).containsExactly(staying);
      requireAtRest(pool);
    }
  }

  @Test
  void aQueuedJobThatNoOtherDeviceCanRunIsAbandonedWithTheReason() throws Exception {
    Device leaving = devices.get(0);
    try (DevicePool pool = open(leaving, devices.get(1))) {
      Lease there = lease(pool, leaving);
      Once job = new Once();
      pool.submit(Demand.any().onlyOn(leaving.id()), job);
      assertThat(pool.remove(leaving.id(), Duration.ZERO)).isFalse();
      there.succeed();
      Eventually.until("abandoned", job.abandoned::isDone);
      assertThat(job.abandoned.join()).isInstanceOf(PoolException.Rejected.class);
      assertThat(job.ran.getCount()).isEqualTo(1);
    }
  }

  @Test
  void whatRunsEndsInPeaceAndOnlyThenIsTheContextClosed() throws Exception {
    Device leaving = devices.get(0);
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    try (DevicePool pool = openAll()) {
      Lease lease = lease(pool, leaving);
      var work =
          Eventually.start(() ->
              lease.run(slot -> {
                inside.countDown();
                Eventually.open(goOn);
                return Thread.currentThread().isInterrupted() ? "interrupted" : "in peace";
              }));
      Eventually.open(inside);
      assertThat(pool.remove(leaving.id(), Duration.ZERO)).isFalse();
      assertThat(pool.devices()).contains(leaving);
      assertThat(pool.tryLease(Demand.any().onlyOn(leaving.id()))).isEmpty();
      assertThat(backend.contexts(leaving).getFirst().closedOn()).isEmpty();
      var removal = Eventually.start(() -> pool.remove(leaving.id(), LONG));
      removal.isWaiting();
      goOn.countDown();
      assertThat(work.result()).isEqualTo("in peace");
      lease.succeed();
      assertThat(removal.result()).isTrue();
      assertThat(pool.devices()).doesNotContain(leaving);
      assertThat(listener.heard(pool, Event.Removed.class))
          .containsExactly(new Event.Removed(leaving, 0));
      assertThat(pool.snapshot().totals().completed()).isEqualTo(1);
    }
    TestingContext context = backend.contexts(leaving).getFirst();
    assertThat(context.closedOn()).hasSize(1);
    assertThat(context.closedUnderWork()).isFalse();
  }

  @Test
  void aDeviceInQuarantineLeavesAtOnce() throws Exception {
    try (DevicePool pool = openAll()) {
      lease(pool, devices.get(0)).fail(fault(Fault.CONTEXT));
      assertThat(pool.remove(devices.get(0).id(), Duration.ZERO)).isTrue();
    }
  }

  @Test
  void oneWhoWaitsIsRefusedOnceTheLastDeviceThatCouldServeItHasGone() throws Exception {
    Device leaving = devices.get(0);
    try (DevicePool pool = openAll()) {
      Lease held = lease(pool, leaving);
      var waiting = Eventually.start(() -> lease(pool, leaving));
      awaitWaiting(pool, 1);
      assertThat(pool.remove(leaving.id(), Duration.ZERO)).isFalse();
      held.succeed();
      assertThatThrownBy(waiting::result)
          .isInstanceOf(PoolException.Rejected.class)
          .hasMessageContaining("no device can ever take");
      requireAtRest(pool);
    }
  }

  @Test
  void oneWhoWaitsGetsADeviceThatIsAdded() throws Exception {
    try (DevicePool pool = DevicePool.of(List.of(devices.get(0)), still(ticker))) {
      Lease held = lease(pool);
      var waiting = Eventually.start(() -> lease(pool));
      awaitWaiting(pool, 1);
      pool.add(devices.get(1));
      Lease lease = waiting.result();
      assertThat(lease.device()).isEqualTo(devices.get(1));
      lease.succeed();
      held.succeed();
    }
  }

  // ---- indices and ids

  @Test
  void indicesStayAndAreNeverUsedAgain() throws Exception {
    try (DevicePool pool = DevicePool.of(devices, still(ticker))) {
      Device gone = devices.get(1);
      assertThat(pool.remove(gone.id(), LONG)).isTrue();
      assertThat(pool.byIndex(0)).isEqualTo(devices.get(0));
      assertThat(pool.byIndex(2)).isEqualTo(devices.get(2));
      assertThatThrownBy(() -> pool.byIndex(1))
          .isInstanceOf(PoolException.BadIndex.class)
          .hasMessage("The device at index 1 was removed");
      assertThat(pool.add(gone)).isEqualTo(3);
      assertThat(pool.byIndex(3)).isEqualTo(gone);
      assertThatThrownBy(() -> pool.byIndex(1)).isInstanceOf(PoolException.BadIndex.class);
      assertThatThrownBy(() -> pool.byIndex(4))
          .isInstanceOf(PoolException.BadIndex.class)
          .hasMessage("No index 4: the pool has given out 4");
      assertThatThrownBy(() -> pool.byIndex(-1)).isInstanceOf(PoolException.BadIndex.class);
      assertThat(pool.snapshot().devices())
          .extracting(PoolSnapshot.Entry::index)
          .containsExactly(0, 2, 3);
      assertThat(pool.devices()).containsExactly(devices.get(0), devices.get(2), gone);
    }
  }

  @Test
  void nothingIsPlacedOnAVacantIndex() throws Exception {
    try (DevicePool pool = DevicePool.of(devices, still(ticker))) {
      assertThat(pool.remove(devices.get(1).id(), LONG)).isTrue();
      Lease one = lease(pool);
      Lease two = lease(pool);
      assertThat(List.of(one.device(), two.device()))
          .containsExactlyInAnyOrder(devices.get(0), devices.get(2));
      assertThat(pool.tryLease(Demand.any())).isEmpty();
      one.succeed();
      two.succeed();
    }
  }

  @Test
  void anUnknownDeviceIsAnErrorOfItsOwnThatNamesThoseThatAreThere() throws Exception {
    try (DevicePool pool = DevicePool.of(devices, still(ticker))) {
      DeviceId gone = devices.get(1).id();
      assertThat(pool.remove(gone, LONG)).isTrue();
      List<ThrowingCallable> questions =
          List.of(
              () -> pool.remove(gone, LONG),
              () -> pool.byId(gone),
              () -> pool.load(gone),
              () -> pool.health(gone));
      for (ThrowingCallable question : questions) {
        assertThatThrownBy(question)
            .isInstanceOf(PoolException.UnknownDevice.class)
            .hasMessageContaining("No device " + gone)
            .hasMessageContainingAll(
                devices.get(0).id().toString(), devices.get(2).id().toString());
      }
      assertThatThrownBy(() -> pool.byOrdinal(DeviceKind.SIMULATED, 1))
          .isInstanceOf(PoolException.UnknownDevice.class);
    }
  }
}
