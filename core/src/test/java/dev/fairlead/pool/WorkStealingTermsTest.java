package dev.fairlead.pool;

import static dev.fairlead.pool.TestingBackend.device;
import static dev.fairlead.pool.TestingPools.LONG;
import static dev.fairlead.pool.TestingPools.entry;
import static dev.fairlead.pool.TestingPools.requireAtRest;
import static dev.fairlead.pool.TestingPools.still;
import static dev.fairlead.pool.TestingPools.tick;
import static dev.fairlead.pool.WorkStealingTest.hold;
import static dev.fairlead.pool.WorkStealingTest.on;
import static dev.fairlead.pool.WorkStealingTest.queued;
import static dev.fairlead.pool.WorkStealingTest.submit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Device;
import dev.fairlead.dispatch.Dispatcher;
import dev.fairlead.dispatch.Task;
import dev.fairlead.lease.Lease;
import dev.fairlead.lease.Ticket;
import dev.fairlead.outcome.Outcome;
import dev.fairlead.outcome.RetryOptions;
import dev.fairlead.outcome.TaskException;
import dev.fairlead.policy.Affinity;
import dev.fairlead.policy.Demand;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What holds for a job wherever it waits: its terms go with it to the device that takes it. */
@ExtendWith(NoThreadLeft.class)
class WorkStealingTermsTest {
  private static final String KEY = "a key";
  private static final Duration MOMENT = Duration.ofMillis(1);

  private final ManualTicker ticker = new ManualTicker();
  private final Device a = device(0);
  private final Device b = device(1);

  /** The device that the key prefers, or the other one. */
  private Device preferred(boolean first) {
    int best = Affinity.order(KEY, List.of(a.id(), b.id()), List.of(1.0, 1.0))[0];
    return (best == 0) == first ? a : b;
  }

  @Test
  void aKeyedJobStaysWithItsDeviceWhileThatIsWithinItsBound() throws Exception {
    Device home = preferred(true);
    try (DevicePool pool = DevicePool.of(List.of(a, b), still(ticker))) {
      TestingJob atHome = hold(pool, home);
      TestingJob elsewhere = hold(pool, preferred(false));
      TestingJob keyed = submit(pool, 1, Demand.any().withAffinity(KEY)).getFirst();
      assertThat(queued(pool, home)).isEqualTo(1);
      elsewhere.letGo();
      Eventually.until("idle", () -> entry(pool, preferred(false)).leases().isEmpty());
      tick(pool, ticker, MOMENT);
      assertThat(queued(pool, home)).isEqualTo(1);
      assertThat(keyed.hasStarted()).isFalse();
      atHome.letGo();
      assertThat(keyed.device()).isEqualTo(home);
      requireAtRest(pool);
    }
  }

  @Test
  void aKeyedJobLeavesADeviceThatIsOverloaded() throws Exception {
    Device home = preferred(true);
    Device other = preferred(false);
    try (DevicePool pool = DevicePool.of(List.of(a, b), still(ticker))) {
      TestingJob atHome = hold(pool, home);
      TestingJob elsewhere = hold(pool, other);
      TestingJob keyed = submit(pool, 1, Demand.any().withAffinity(KEY)).getFirst();
      List<TestingJob> load = submit(pool, 8, on(home));
      assertThat(queued(pool, home)).isEqualTo(9);
      elsewhere.letGo();
      assertThat(keyed.awaitEnd().device()).isEqualTo(other);
      assertThat(load).noneMatch(TestingJob::hasStarted);
      assertThat(atHome.hasEnded()).isFalse();
      atHome.letGo();
      requireAtRest(pool);
    }
  }

  @Test
  void aJobForOneDeviceOnlyNeverMoves() throws Exception {
    try (DevicePool pool = DevicePool.of(List.of(a, b), still(ticker))) {
      TestingJob onA = hold(pool, a);
      List<TestingJob> pinned = submit(pool, 8, on(a));
      tick(pool, ticker, MOMENT);
      assertThat(queued(pool, a)).isEqualTo(8);
      onA.letGo();
      assertThat(pinned).allSatisfy(job -> assertThat(job.device()).isEqualTo(a));
      requireAtRest(pool);
    }
  }

  @Test
  void whatAJobReservesMovesWithIt() throws Exception {
    Device from = withResources(a);
    Device to = withResources(b);
    Demand all = Demand.any().withMemory(6).with("session", 2);
    try (DevicePool pool = DevicePool.of(List.of(from, to), still(ticker))) {
      TestingJob busy = hold(pool, from);
      Lease other = pool.lease(on(to).withMemory(8).with("session", 2), LONG);
      TestingJob mover = TestingJob.held("mover");
      pool.submit(all, mover);
      assertThat(queued(pool, from)).isEqualTo(1);
      assertThat(entry(pool, from).load().freeBytes()).isEqualTo(4);
      other.succeed();
      assertThat(mover.device()).isEqualTo(to);
      assertThat(entry(pool, from).load().freeBytes()).isEqualTo(10);
      assertThat(entry(pool, to).load().freeBytes()).isEqualTo(4);
      busy.letGo().awaitEnd();
      // All sessions of the old device are there again, and none of the new one's.
      Eventually.until("idle", () -> entry(pool, from).leases().isEmpty());
      pool.tryLease(on(from).withMemory(10).with("session", 2)).orElseThrow().succeed();
      assertThat(pool.tryLease(on(to).with("session", 1))).isEmpty();
      mover.letGo().awaitEnd();
      requireAtRest(pool);
      pool.tryLease(on(to).withMemory(10).with("session", 2)).orElseThrow().succeed();
    }
  }

  private static Device withResources(Device device) {
    return device.withCapacity(device.capacity().withMemory(10).with("session", 2));
  }

  /** If the machine is so slow that the deadline comes before the move, it is tried with more. */
  @Test
  void aDeadlineHoldsAcrossAMove() throws Exception {
    for (Duration deadline = Duration.ofMillis(200); ; deadline = deadline.multipliedBy(4)) {
      assertThat(deadline).isLessThan(LONG);
      try (DevicePool pool = DevicePool.of(List.of(a, b), still(ticker));
          Dispatcher dispatcher = Dispatcher.on(pool)) {
        TestingJob onA = hold(pool, a);
        TestingJob onB = hold(pool, b);
        submit(pool, 3, on(b));
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        Task<Boolean> task =
            dispatcher.submit(
                Demand.any(),
                slot -> {
                  assertThat(slot.device()).isEqualTo(b);
                  inside.countDown();
                  return never.await(LONG.toSeconds(), TimeUnit.SECONDS);
                },
                RetryOptions.once().withDeadline(deadline));
        onB.letGo();
        Outcome<Boolean> outcome = task.await(LONG).orElseThrow();
        onA.letGo();
        assertThat(outcome)
            .isInstanceOfSatisfying(
                Outcome.Failed.class,
                failed ->
                    assertThat(failed.cause()).isInstanceOf(TaskException.DeadlinePassed.class));
        if (inside.getCount() == 0) {
          return;
        }
      }
    }
  }

  @Test
  void aCancelledJobIsNeverTaken() throws Exception {
    try (DevicePool pool = DevicePool.of(List.of(a, b), still(ticker));
        Dispatcher dispatcher = Dispatcher.on(pool)) {
      TestingJob onA = hold(pool, a);
      TestingJob onB = hold(pool, b);
      List<TestingJob> pinned = submit(pool, 3, on(b));
      CountDownLatch ran = new CountDownLatch(1);
      Task<Boolean> task =
          dispatcher.submit(
              Demand.any(),
              slot -> {
                ran.countDown();
                return true;
              });
      assertThat(queued(pool, a)).isEqualTo(1);
      assertThat(task.cancel()).isTrue();
      assertThat(queued(pool, a)).isZero();
      onB.letGo();
      pinned.forEach(TestingJob::awaitEnd);
      tick(pool, ticker, MOMENT);
      onA.letGo();
      requireAtRest(pool);
      assertThat(ran.getCount()).isEqualTo(1);
    }
  }

  @Test
  void aJobThatIsWithdrawnWhileItIsTakenEitherRunsOnceOrNever() throws Exception {
    try (DevicePool pool = DevicePool.of(List.of(a, b), still(ticker))) {
      TestingJob onA = hold(pool, a);
      for (int round = 0; round < 500; round++) {
        TestingJob onB = hold(pool, b);
        TestingJob one = TestingJob.quick("one");
        Ticket ticket = pool.submit(Demand.any(), one);
        var withdrawing = Eventually.start(() -> pool.withdraw(ticket));
        onB.letGo();
        boolean withdrawn = withdrawing.result();
        if (!withdrawn) {
          one.awaitEnd();
        }
        Eventually.until("rest", () -> entry(pool, b).load().queueDepth() == 0);
        assertThat(one.runs()).isEqualTo(withdrawn ? 0 : 1);
        assertThat(one.abandons()).isZero();
        assertThat(entry(pool, a).load().queueDepth()).isEqualTo(1);
      }
      onA.letGo();
      requireAtRest(pool);
    }
  }

  @Test
  void theOutcomeNamesTheDeviceThatRanIt() throws Exception {
    try (DevicePool pool = DevicePool.of(List.of(a, b), still(ticker));
        Dispatcher dispatcher = Dispatcher.on(pool)) {
      TestingJob onA = hold(pool, a);
      TestingJob onB = hold(pool, b);
      submit(pool, 3, on(b));
      Task<Device> task = dispatcher.submit(Demand.of("encode", 1), slot -> slot.device());
      assertThat(queued(pool, a)).isEqualTo(1);
      onB.letGo();
      assertThat(task.await(LONG).orElseThrow())
          .isInstanceOfSatisfying(
              Outcome.Succeeded.class,
              succeeded -> {
                assertThat(succeeded.device()).isEqualTo(b);
                assertThat(succeeded.value()).isEqualTo(b);
              });
      assertThat(onA.hasEnded()).isFalse();
      onA.letGo();
      requireAtRest(pool);
    }
  }
}
