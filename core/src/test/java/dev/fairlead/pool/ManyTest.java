package dev.fairlead.pool;

import static dev.fairlead.pool.TestingBackend.device;
import static dev.fairlead.pool.TestingBackend.devices;
import static dev.fairlead.pool.TestingPools.LONG;
import static dev.fairlead.pool.TestingPools.lease;
import static dev.fairlead.pool.TestingPools.still;
import static dev.fairlead.pool.TestingPools.tick;
import static dev.fairlead.pool.WorkStealingTest.hold;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Device;
import dev.fairlead.lease.Lease;
import dev.fairlead.lease.Ticket;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.PlacementPolicy;
import dev.fairlead.policy.Policies;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Costs that do not grow with what has been, nor faster than what is there. */
@ExtendWith(NoThreadLeft.class)
class ManyTest {
  private static final int FEW = 500;

  /** Four if the cost of each is the same, sixteen if it grows with their number. */
  private static final double MOST = 6;

  private final ManualTicker ticker = new ManualTicker();
  private final TestingBackend backend = new TestingBackend();

  /**
   * Leaves so many jobs with the pool, and cancels them in random order.
   *
   * @return the steps that cancelling took
   */
  private static long cancel(DevicePool pool, Demand demand, int count) {
    List<Ticket> tickets = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      tickets.add(pool.submit(demand, new Once()));
    }
    Collections.shuffle(tickets, new Random(count));
    return Woven.stepsOf(() -> {
      for (Ticket ticket : tickets) {
        assertThat(pool.withdraw(ticket)).isTrue();
      }
    });
  }

  private static void requireNotQuadratic(Class<? extends IntToLongFunction> cancelling)
      throws Exception {
    IntToLongFunction steps = Woven.<IntToLongFunction>counting(cancelling);
    long few = steps.applyAsLong(FEW);
    long many = steps.applyAsLong(4 * FEW);
    assertThat(few).as("steps are counted").isGreaterThan(FEW);
    assertThat((double) many / few).isLessThan(MOST);
  }

  /** Jobs in the queues of two devices. */
  private static final class CancellingQueued implements IntToLongFunction {
    @Override
    public long applyAsLong(int count) {
      try (DevicePool pool = DevicePool.of(devices(2), still(new ManualTicker()))) {
        TestingJob one = hold(pool, device(0));
        TestingJob two = hold(pool, device(1));
        long steps = cancel(pool, Demand.any(), count);
        one.letGo();
        two.letGo();
        return steps;
      }
    }
  }

  @Test
  void cancellingQueuedJobsDoesNotCostMoreTheMoreThereAre() throws Exception {
    requireNotQuadratic(CancellingQueued.class);
  }

  /** Jobs for which no device has memory. */
  private static final class CancellingWaiting implements IntToLongFunction {
    @Override
    public long applyAsLong(int count) {
      Device small = device(0).withMemory(10).withSlots(2);
      try (DevicePool pool = DevicePool.of(List.of(small), still(new ManualTicker()))) {
        Lease held = pool.tryLease(Demand.any().withMemory(8)).orElseThrow();
        long steps = cancel(pool, Demand.any().withMemory(8), count);
        held.succeed();
        return steps;
      }
    }
  }

  @Test
  void cancellingJobsThatWaitDoesNotCostMoreTheMoreThereAre() throws Exception {
    requireNotQuadratic(CancellingWaiting.class);
  }

  /** Jobs for which the host has no session. */
  private static final class CancellingForTheHost implements IntToLongFunction {
    @Override
    public long applyAsLong(int count) {
      PoolOptions options = still(new ManualTicker()).withHostLimits(Map.of("session", 1L));
      try (DevicePool pool = DevicePool.of(TestingPools.withSlots(devices(1), 2), options)) {
        Demand session = Demand.any().with("session", 1);
        Lease held = pool.tryLease(session).orElseThrow();
        long steps = cancel(pool, session, count);
        held.succeed();
        return steps;
      }
    }
  }

  @Test
  void cancellingJobsThatWaitForTheHostDoesNotCostMoreTheMoreThereAre() throws Exception {
    requireNotQuadratic(CancellingForTheHost.class);
  }

  @Test
  void cancellingFortyThousandJobsLeavesNothingBehind() throws Exception {
    try (DevicePool pool = DevicePool.of(devices(2), still(ticker))) {
      TestingJob one = hold(pool, device(0));
      TestingJob two = hold(pool, device(1));
      long _ = cancel(pool, Demand.any(), 40_000);
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
        TestingJob held = hold(pool, passing);
        TestingJob pinned = TestingJob.quick("pinned");
        pool.submit(WorkStealingTest.on(passing), pinned);
        TestingJob any = TestingJob.quick("any");
        pool.submit(Demand.any(), any);
        assertThat(any.awaitEnd().device()).isNotEqualTo(passing);
        assertThat(pinned.hasStarted()).isFalse();
        held.letGo();
        assertThat(pinned.awaitEnd().device()).isEqualTo(passing);
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
