package dev.fairlead.pool;

import static dev.fairlead.pool.TestingPools.LONG;
import static dev.fairlead.pool.TestingPools.entry;
import static dev.fairlead.pool.TestingPools.options;
import static dev.fairlead.pool.WorkStealingTest.queued;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceContext;
import dev.fairlead.lease.Lease;
import dev.fairlead.policy.Demand;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is reserved and not allocated yet is not free, whatever the device says when polled. */
@ExtendWith(NoThreadLeft.class)
class PolledMemoryTest {
  private static final long GB = 1L << 30;

  private final ManualTicker ticker = new ManualTicker();
  private final TestingBackend backend = new TestingBackend();
  // Half of the device is used by others.
  private final Device device = TestingBackend.device(0).withMemory(8 * GB).withSlots(4);
  private final AtomicLong free = new AtomicLong(4 * GB);
  private final Demand three = Demand.any().withMemory(3 * GB);

  private DevicePool open(Device opened) {
    backend.on(opened).samples(() -> Optional.of(new DeviceContext.Sample(free.get(), 0)));
    DevicePool pool = DevicePool.open(backend.found(List.of(opened)), options(ticker));
    Eventually.until("polled", () -> entry(pool, opened).load().sequence() > 0);
    return pool;
  }

  /** The device is asked once more, and says that so much is free. */
  private void poll(DevicePool pool, long bytes) {
    free.set(bytes);
    // One answer may have been on its way with the figure of before.
    for (int i = 0; i < 2; i++) {
      long before = entry(pool, device).load().sequence();
      ticker.advance(TestingPools.POLL.multipliedBy(2));
      Eventually.until("polled", () -> entry(pool, device).load().sequence() > before);
    }
  }

  private long freeBytes(DevicePool pool) {
    return entry(pool, device).load().freeBytes();
  }

  @Test
  void whatAStartedLeaseHasYetToAllocateIsNotGivenTwice() throws Exception {
    try (DevicePool pool = open(device)) {
      assertThat(freeBytes(pool)).isEqualTo(4 * GB);
      Lease lease = pool.lease(three, LONG);
      assertThat(pool.tryLease(three)).isEmpty();
      poll(pool, 4 * GB);
      assertThat(freeBytes(pool)).isEqualTo(GB);
      assertThat(pool.tryLease(three)).isEmpty();
      poll(pool, GB);
      assertThat(freeBytes(pool)).isEqualTo(GB);
      assertThat(pool.tryLease(three)).isEmpty();
      pool.tryLease(Demand.any().withMemory(GB)).orElseThrow().giveBack();
      lease.succeed();
      poll(pool, 4 * GB);
      assertThat(freeBytes(pool)).isEqualTo(4 * GB);
      pool.tryLease(three).orElseThrow().succeed();
    }
  }

  @Test
  void whatIsReleasedIsFreeBeforeTheNextPoll() throws Exception {
    try (DevicePool pool = open(device)) {
      Lease lease = pool.lease(three, LONG);
      poll(pool, GB);
      lease.succeed();
      assertThat(freeBytes(pool)).isEqualTo(4 * GB);
      pool.tryLease(three).orElseThrow().succeed();
    }
  }

  @Test
  void whatAQueuedJobReservesIsNotGivenTwice() throws Exception {
    Device narrow = device.withSlots(1);
    try (DevicePool pool = open(narrow)) {
      TestingJob held = WorkStealingTest.hold(pool, narrow);
      TestingJob first = TestingJob.held("first");
      pool.submit(three, first);
      assertThat(queued(pool, narrow)).isEqualTo(1);
      poll(pool, 4 * GB);
      assertThat(freeBytes(pool)).isEqualTo(GB);
      TestingJob second = TestingJob.quick("second");
      pool.submit(three, second);
      assertThat(queued(pool, narrow)).isEqualTo(1);
      assertThat(pool.snapshot().waiting()).isEqualTo(1);
      held.letGo();
      first.awaitStart();
      poll(pool, GB);
      assertThat(freeBytes(pool)).isEqualTo(GB);
      assertThat(second.hasStarted()).isFalse();
      first.letGo();
      second.awaitEnd();
      assertThat(second.runs()).isEqualTo(1);
      poll(pool, 4 * GB);
      Eventually.until("all is free", () -> freeBytes(pool) == 4 * GB);
    }
  }

  @Test
  void aPartThatIsAllocatedIsCountedOnce() throws Exception {
    try (DevicePool pool = open(device)) {
      Lease lease = pool.lease(three, LONG);
      for (long allocated = 0; allocated <= 3; allocated++) {
        poll(pool, (4 - allocated) * GB);
        assertThat(freeBytes(pool)).as("%d GB allocated", allocated).isEqualTo(GB);
      }
      lease.succeed();
      poll(pool, 4 * GB);
      assertThat(freeBytes(pool)).isEqualTo(4 * GB);
    }
  }
}
