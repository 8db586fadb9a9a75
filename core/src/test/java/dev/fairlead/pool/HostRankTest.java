package dev.fairlead.pool;

import static dev.fairlead.pool.TestingBackend.device;
import static dev.fairlead.pool.TestingPools.LONG;
import static dev.fairlead.pool.TestingPools.awaitWaiting;
import static dev.fairlead.pool.TestingPools.requireAtRest;
import static dev.fairlead.pool.TestingPools.still;
import static dev.fairlead.pool.WorkStealingTest.on;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Device;
import dev.fairlead.lease.Lease;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.PlacementPolicy;
import dev.fairlead.policy.Priority;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Who gets what all devices of the host share: by rank, on whichever device. */
@ExtendWith(NoThreadLeft.class)
class HostRankTest {
  private static final String SESSION = "session";

  private final ManualTicker ticker = new ManualTicker();
  private final Device first = device(0).withSlots(2);
  private final Device second = device(1).withSlots(2);
  private final List<String> served = new CopyOnWriteArrayList<>();
  private final List<Eventually.Started<Boolean>> waiters = new ArrayList<>();

  private DevicePool poolWith(long sessions) {
    return DevicePool.of(
        List.of(first, second), still(ticker).withHostLimits(Map.of(SESSION, sessions)));
  }

  private static Demand sessionOn(Device device, Priority priority) {
    return on(device).with(SESSION, 1).withPriority(priority);
  }

  /** Starts a thread that waits, and ends its lease as soon as it has one. */
  private void comes(DevicePool pool, String name, Demand demand) {
    int before = pool.snapshot().waiting();
    waiters.add(
        Eventually.start(() -> {
          Lease lease = pool.lease(demand, LONG);
          served.add(name);
          lease.succeed();
          return true;
        }));
    awaitWaiting(pool, before + 1);
  }

  @Test
  void anUrgentLeaseGetsTheSessionBeforeThoseWhoCameLaterForAnotherDevice() throws Exception {
    try (DevicePool pool = poolWith(1)) {
      Lease held = pool.lease(sessionOn(first, Priority.NORMAL), LONG);
      comes(pool, "high", sessionOn(second, Priority.HIGH));
      for (int i = 0; i < 4; i++) {
        comes(pool, "normal", sessionOn(first, Priority.NORMAL));
      }
      held.succeed();
      for (var waiter : waiters) {
        assertThat(waiter.result()).isTrue();
      }
      assertThat(served).containsExactly("high", "normal", "normal", "normal", "normal");
      requireAtRest(pool);
    }
  }

  /** The policy insists on a device without a slot, so that the session is taken in vain. */
  @Test
  void aLeaseThatFindsNoSlotGivesBackWhatItHasTakenOfTheHost() throws Exception {
    try (DevicePool pool = poolWith(1)) {
      pool.use(PlacementPolicy.of("insisting", candidates -> 0));
      Lease one = pool.lease(on(first), LONG);
      Lease two = pool.lease(on(first), LONG);
      assertThat(pool.tryLease(sessionOn(first, Priority.NORMAL))).isEmpty();
      one.succeed();
      two.succeed();
      pool.tryLease(sessionOn(first, Priority.NORMAL)).orElseThrow().succeed();
      requireAtRest(pool);
    }
  }

  @Test
  void anUrgentLeasePassesThoseWhoCameEarlierForAnotherDevice() throws Exception {
    try (DevicePool pool = poolWith(1)) {
      Lease held = pool.lease(sessionOn(first, Priority.NORMAL), LONG);
      comes(pool, "normal", sessionOn(first, Priority.NORMAL));
      comes(pool, "high", sessionOn(second, Priority.HIGH));
      held.succeed();
      for (var waiter : waiters) {
        assertThat(waiter.result()).isTrue();
      }
      assertThat(served).containsExactly("high", "normal");
      requireAtRest(pool);
    }
  }

  @Test
  void anUrgentJobGetsTheSessionBeforeThoseWhoCameLaterForAnotherDevice() throws Exception {
    try (DevicePool pool = poolWith(1)) {
      TestingJob holder = TestingJob.held("holder");
      pool.submit(sessionOn(first, Priority.NORMAL), holder);
      holder.awaitStart();
      List<TestingJob> jobs = new ArrayList<>();
      jobs.add(TestingJob.quick("high").startingIn(served));
      pool.submit(sessionOn(second, Priority.HIGH), jobs.getFirst());
      for (int i = 0; i < 4; i++) {
        jobs.add(TestingJob.quick("normal").startingIn(served));
        pool.submit(sessionOn(first, Priority.NORMAL), jobs.getLast());
      }
      holder.letGo();
      jobs.forEach(TestingJob::awaitEnd);
      assertThat(served).containsExactly("high", "normal", "normal", "normal", "normal");
      requireAtRest(pool);
    }
  }

  @Test
  void aNewcomerDoesNotTakeTheSessionThatAnotherOneHasAClaimTo() throws Exception {
    try (DevicePool pool = poolWith(2)) {
      Lease one = pool.lease(sessionOn(first, Priority.NORMAL), LONG);
      Demand both = on(second).with(SESSION, 2);
      comes(pool, "both", both);
      // One session is free, and is kept for the one who needs two.
      assertThat(pool.tryLease(on(first).with(SESSION, 1))).isEmpty();
      one.succeed();
      assertThat(waiters.getFirst().result()).isTrue();
      requireAtRest(pool);
    }
  }

  @Test
  void oneThatNeedsNoSessionPassesThoseWhoLackOnlyThat() throws Exception {
    try (DevicePool pool = poolWith(1)) {
      Lease held = pool.lease(sessionOn(first, Priority.NORMAL), LONG);
      comes(pool, "needs a session", sessionOn(first, Priority.HIGH));
      Lease passes = pool.lease(on(first), LONG);
      passes.succeed();
      TestingJob job = TestingJob.quick("needs none");
      pool.submit(on(first), job);
      assertThat(job.awaitEnd().device()).isEqualTo(first);
      assertThat(served).isEmpty();
      held.succeed();
      assertThat(waiters.getFirst().result()).isTrue();
      requireAtRest(pool);
    }
  }

  @Test
  void twoSessionsServeAnUrgentAndANormalOneAtOnce() throws Exception {
    try (DevicePool pool = poolWith(2)) {
      Lease one = pool.lease(sessionOn(first, Priority.NORMAL), LONG);
      Lease two = pool.lease(sessionOn(first, Priority.NORMAL), LONG);
      var normal = Eventually.start(() -> pool.lease(sessionOn(first, Priority.NORMAL), LONG));
      awaitWaiting(pool, 1);
      var high = Eventually.start(() -> pool.lease(sessionOn(second, Priority.HIGH), LONG));
      awaitWaiting(pool, 2);
      one.succeed();
      Lease urgent = high.result();
      assertThat(normal.future()).isNotDone();
      two.succeed();
      Lease other = normal.result();
      // Both hold one at the same time.
      assertThat(pool.tryLease(sessionOn(second, Priority.NORMAL))).isEmpty();
      urgent.succeed();
      other.succeed();
      requireAtRest(pool);
    }
  }
}
