package dev.fairlead.pool;

import static dev.fairlead.pool.TestingBackend.device;
import static dev.fairlead.pool.TestingPools.LONG;
import static dev.fairlead.pool.TestingPools.awaitHealth;
import static dev.fairlead.pool.TestingPools.fault;
import static dev.fairlead.pool.TestingPools.lease;
import static dev.fairlead.pool.TestingPools.requireAtRest;
import static dev.fairlead.pool.TestingPools.still;
import static dev.fairlead.pool.TestingPools.tick;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.device.Device;
import dev.fairlead.device.Fault;
import dev.fairlead.health.Health;
import dev.fairlead.lease.Lease;
import dev.fairlead.lease.PoolException;
import dev.fairlead.policy.Demand;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Work that was given up as hung and comes back: whoever has its slot by then is not disturbed. */
@ExtendWith(NoThreadLeft.class)
class LateReturnTest {
  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final Duration PAST_LIMIT = LIMIT.plusMillis(1);
  private static final Duration REST = Duration.ofSeconds(1);

  private final ManualTicker ticker = new ManualTicker();
  private final TestingBackend backend = new TestingBackend();

  private DevicePool open(Device device) {
    PoolOptions options = still(ticker);
    return DevicePool.open(
        backend.found(List.of(device)),
        options.withTiming(options.timing().withWatchdog(LIMIT).withGrace(Duration.ofMillis(100))));
  }

  /** Work that stays inside of a lease until it is let go, or throws then. */
  private static final class Stuck {
    private final CompletableFuture<Thread> inside = new CompletableFuture<>();
    private final CompletableFuture<Integer> deviceThread = new CompletableFuture<>();
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final Eventually.Started<Boolean> call;
    private volatile boolean poisons;

    Stuck(Lease lease) {
      call =
          Eventually.start(() ->
              lease.run(slot -> {
                deviceThread.complete(slot.number());
                inside.complete(Thread.currentThread());
                Eventually.open(goOn);
                if (poisons) {
                  throw fault(Fault.CONTEXT);
                }
                return true;
              }));
      Eventually.until("it is inside", inside::isDone);
    }

    /** Comes back, and waits until the pool has noticed: its thread was told to end. */
    void comesBackLate() {
      goOn.countDown();
      Eventually.until("its thread has ended", () -> !inside.join().isAlive());
    }

    boolean isHung() {
      return call.future().isCompletedExceptionally();
    }
  }

  private void recover(DevicePool pool, Device device) throws Exception {
    tick(pool, ticker, REST);
    awaitHealth(pool, device, Health.PROBING);
    lease(pool).succeed();
    awaitHealth(pool, device, Health.READY);
  }

  @Test
  void theNextHangInTheSameSlotIsFoundToo() throws Exception {
    Device device = device(0);
    try (DevicePool pool = open(device)) {
      Stuck late = new Stuck(lease(pool));
      tick(pool, ticker, PAST_LIMIT);
      assertThatThrownBy(late.call::result).isInstanceOf(PoolException.WorkHung.class);
      recover(pool, device);
      Stuck next = new Stuck(lease(pool));
      try {
        late.comesBackLate();
        tick(pool, ticker, LIMIT);
        assertThat(next.isHung()).isFalse();
        tick(pool, ticker, Duration.ofMillis(1));
        assertThatThrownBy(next.call::result).isInstanceOf(PoolException.WorkHung.class);
      } finally {
        next.goOn.countDown();
      }
      requireAtRest(pool);
    }
  }

  @Test
  void aJobThatHangsInTheSlotOfOneThatComesBackIsFoundToo() throws Exception {
    Device device = device(0);
    try (DevicePool pool = open(device)) {
      TestingJob late = TestingJob.held("late");
      pool.submit(Demand.any(), late);
      late.awaitStart();
      tick(pool, ticker, PAST_LIMIT);
      assertThat(late.reason()).isInstanceOf(PoolException.WorkHung.class);
      recover(pool, device);
      TestingJob next = TestingJob.held("next");
      pool.submit(Demand.any(), next);
      next.awaitStart();
      late.letGo();
      Eventually.until(
          "the thread of the late one has ended",
          () ->
              Eventually.fairleadThreads().stream().filter(name -> name.contains("thread")).count()
                  == 1);
      tick(pool, ticker, PAST_LIMIT);
      assertThat(next.abandons()).isEqualTo(1);
      assertThat(next.reason()).isInstanceOf(PoolException.WorkHung.class);
      next.letGo();
      requireAtRest(pool);
    }
  }

  @Test
  void aRebuildDoesNotCloseTheContextUnderTheNextTenant() throws Exception {
    Device device = device(0).withSlots(2);
    try (DevicePool pool = open(device)) {
      Stuck late = new Stuck(lease(pool));
      tick(pool, ticker, PAST_LIMIT);
      assertThatThrownBy(late.call::result).isInstanceOf(PoolException.WorkHung.class);
      recover(pool, device);
      Lease one = pool.lease(Demand.any(), LONG);
      Lease two = pool.lease(Demand.any(), LONG);
      Stuck onOne = new Stuck(one);
      Stuck onTwo = new Stuck(two);
      boolean first = onOne.deviceThread.join().equals(late.deviceThread.join());
      Stuck tenant = first ? onOne : onTwo;
      Stuck other = first ? onTwo : onOne;
      try {
        late.comesBackLate();
        other.poisons = true;
        other.goOn.countDown();
        assertThatThrownBy(other.call::result).hasMessageContaining("CONTEXT");
        (first ? two : one).close();
        awaitHealth(pool, device, Health.QUARANTINED);
        TestingContext inUse = backend.contexts(device).getLast();
        for (int i = 0; i < 5; i++) {
          tick(pool, ticker, REST);
        }
        assertThat(backend.contexts(device)).hasSize(2);
        assertThat(inUse.closedOn()).isEmpty();
        tenant.goOn.countDown();
        assertThat(tenant.call.result()).isTrue();
        (first ? one : two).close();
        recover(pool, device);
        assertThat(backend.contexts(device)).hasSize(3);
        assertThat(inUse.closedOn()).hasSize(1);
        assertThat(inUse.closedUnderWork()).isFalse();
      } finally {
        tenant.goOn.countDown();
      }
      requireAtRest(pool);
    }
  }
}
