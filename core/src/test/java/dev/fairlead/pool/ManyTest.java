package dev.fairlead.pool;

import static dev.fairlead.pool.TakingTest.hold;
import static dev.fairlead.pool.TestingBackend.device;
import static dev.fairlead.pool.TestingBackend.devices;
import static dev.fairlead.pool.TestingPools.LONG;
import static dev.fairlead.pool.TestingPools.lease;
import static dev.fairlead.pool.TestingPools.still;
import static dev.fairlead.pool.TestingPools.tick;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Device;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.PlacementPolicy;
import dev.fairlead.policy.Policies;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Costs that do not grow with what has been, nor faster than what is there. */
@ExtendWith(NoThreadLeft.class)
class ManyTest {
  private static final int FEW = 5_000;

  /** Four if the cost of each is the same, sixteen if it grows with their number. */
  private static final double MOST = 12;

  private static final int ROUNDS = 5;

  private final ManualTicker ticker = new ManualTicker();
  private final TestingBackend backend = new TestingBackend();

  /**
   * Leaves so many jobs with the pool, and cancels them in random order.
   *
   * @return the processor time that cancelling took this thread, whatever else the machine does
   */
  private static long cancel(DevicePool pool, Demand demand, int count) {
    List<Ticket> tickets = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      tickets.add(pool.submit(demand, new Once()));
    }
    Collections.shuffle(tickets, new Random(count));
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long begun = threads.getCurrentThreadCpuTime();
    for (Ticket ticket : tickets) {
      assertThat(pool.withdraw(ticket)).isTrue();
    }
    return Math.max(1, threads.getCurrentThreadCpuTime() - begun);
  }

  private static void requireNotQuadratic(DevicePool pool, Demand demand, int count) {
    long few = Long.MAX_VALUE;
    long many = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      few = Math.min(few, cancel(pool, demand, count));
      many = Math.min(many, cancel(pool, demand, 4 * count));
    }
    assertThat((double) many / few).isLessThan(MOST);
  }

  @Test
  void cancellingQueuedJobsDoesNotCostMoreTheMoreThereAre() throws Exception {
    try (DevicePool pool = DevicePool.of(devices(2), still(ticker))) {
      TestingJob one = hold(pool, device(0));
      TestingJob two = hold(pool, device(1));
      requireNotQuadratic(pool, Demand.any(), FEW);
      one.letGo();
      two.letGo();
    }
  }

  @Test
  void cancellingJobsThatWaitDoesNotCostMoreTheMoreThereAre() throws Exception {
    Device small = device(0).withMemory(10).withSlots(2);
    try (DevicePool pool = DevicePool.of(List.of(small), still(ticker))) {
      Lease held = pool.lease(Demand.any().withMemory(8), LONG);
      requireNotQuadratic(pool, Demand.any().withMemory(8), FEW);
      held.succeed();
    }
  }

  /** Fewer of them, since each is looked at by all. */
  @Test
  void cancellingJobsThatWaitForTheHostDoesNotCostMoreTheMoreThereAre() throws Exception {
    PoolOptions options = still(ticker).withHostLimits(Map.of("session", 1L));
    try (DevicePool pool = DevicePool.of(TestingPools.withSlots(devices(1), 2), options)) {
      Demand session = Demand.any().with("session", 1);
      Lease held = pool.lease(session, LONG);
      requireNotQuadratic(pool, session, 200);
      held.succeed();
    }
  }

  @Test
  void cancellingFortyThousandJobsLeavesNothingBehind() throws Exception {
    try (DevicePool pool = DevicePool.of(devices(2), still(ticker))) {
      TestingJob one = hold(pool, device(0));
      TestingJob two = hold(pool, device(1));
      cancel(pool, Demand.any(), 40_000);
      assertThat(pool.jobs()).containsExactlyInAnyOrder(one, two);
      assertThat(pool.snapshot().refusals().withdrawn()).isEqualTo(40_000);
      one.letGo();
      two.letGo();
      TestingPools.requireAtRest(pool);
    }
  }

  @Test
  void devicesThatComeAndGoLeaveNothingForPoliciesToLookAt() throws Exception {
    AtomicInteger most = new AtomicInteger();
    PlacementPolicy looking =
        PlacementPolicy.of(
            "looking",
            candidates -> {
              most.accumulateAndGet(candidates.size(), Math::max);
              for (int index = 0; index < candidates.size(); index++) {
                if (candidates.available(index)) {
                  return index;
                }
              }
              return -1;
            });
    try (DevicePool pool = DevicePool.of(devices(1), still(ticker).withPolicy(looking))) {
      for (int i = 1; i <= 2_000; i++) {
        Device passing = device(i);
        int index = pool.add(passing);
        assertThat(index).as("an index is given once").isEqualTo(i);
        lease(pool, passing).succeed();
        assertThat(pool.remove(passing.id(), LONG)).isTrue();
        assertThat(pool.size()).isEqualTo(1);
      }
      assertThat(most.get()).isLessThanOrEqualTo(3);
      assertThat(pool.snapshot().totals().completed()).isEqualTo(2_000);
    }
  }

  @Test
  void devicesThatComeAndGoKeepTheirJobsFromEachOther() throws Exception {
    try (DevicePool pool =
        DevicePool.of(devices(2), still(ticker).withPolicy(Policies.weighted()))) {
      for (int i = 2; i <= 300; i++) {
        Device passing = device(i);
        pool.add(passing);
        TestingJob pinned = TestingJob.quick("pinned");
        pool.submit(TakingTest.on(passing), pinned);
        TestingJob any = TestingJob.quick("any");
        pool.submit(Demand.any(), any);
        assertThat(pinned.awaitEnd().device()).isEqualTo(passing);
        any.awaitEnd();
        assertThat(pool.remove(passing.id(), LONG)).isTrue();
      }
      assertThat(pool.size()).isEqualTo(2);
    }
  }

  @Test
  void contextsThatHaveNothingToSayAreNotAskedAgain() throws Exception {
    List<Device> mute = devices(1_000);
    Device telling = device(1_000);
    backend.on(telling).hasFree(0, 0);
    List<Device> all = new ArrayList<>(mute);
    all.add(telling);
    try (DevicePool pool = DevicePool.open(backend.found(all), still(ticker))) {
      Eventually.until(
          "each has been asked",
          () -> all.stream().allMatch(each -> backend.on(each).sampled() == 1));
      for (int round = 0; round < 10; round++) {
        int before = backend.on(telling).sampled();
        tick(pool, ticker, Duration.ofHours(2));
        Eventually.until(
            "the one that tells is asked", () -> backend.on(telling).sampled() > before);
      }
      assertThat(mute).allMatch(each -> backend.on(each).sampled() == 1);
    }
  }
}
