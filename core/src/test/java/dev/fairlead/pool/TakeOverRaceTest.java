package dev.fairlead.pool;

import static dev.fairlead.pool.TestingBackend.device;
import static dev.fairlead.pool.TestingPools.entry;
import static dev.fairlead.pool.TestingPools.requireAtRest;
import static dev.fairlead.pool.TestingPools.still;
import static dev.fairlead.pool.WorkStealingTest.hold;
import static dev.fairlead.pool.WorkStealingTest.on;
import static dev.fairlead.pool.WorkStealingTest.queued;
import static dev.fairlead.pool.WorkStealingTest.submit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Device;
import dev.fairlead.lease.Ticket;
import dev.fairlead.ledger.Ledger;
import dev.fairlead.ledger.QueueMoves;
import dev.fairlead.ledger.TrackedLease;
import dev.fairlead.policy.Candidates;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.PlacementPolicy;
import dev.fairlead.policy.Policies;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What a free device has found in the queue of another may be gone when it takes it over: whether
 * it is still there is decided under the locks of both.
 */
@ExtendWith(NoThreadLeft.class)
class TakeOverRaceTest {
  private static final int DEPTH = 64;

  private final Device a = device(0);
  private final Device b = device(1);
  private final Device c = device(2);
  private final TestingJob job = TestingJob.held("job");

  /** A pool whose devices take nothing over by themselves: the test does. */
  private static DevicePool pool(Device... devices) {
    PlacementPolicy policy = Policies.leastLoaded().withoutTaking();
    return DevicePool.of(List.of(devices), still(new ManualTicker()).withPolicy(policy));
  }

  private static Ledger ledger(DevicePool pool, Device device) {
    return pool.fleet().runtimeOf(device.id()).ledger();
  }

  /** What a free device finds in the queue of another. */
  private static TrackedLease found(DevicePool pool, Device from, Device taker) {
    return Objects.requireNonNull(
        QueueMoves.best(
            ledger(pool, from), ledger(pool, taker), TrackedLease.NO_LIMIT, Set.of(), DEPTH));
  }

  private static boolean takesOver(DevicePool pool, TrackedLease found, Device from, Device taker) {
    return QueueMoves.takeOver(found, ledger(pool, from), ledger(pool, taker), false, 0);
  }

  /** Queues the job behind another one of the first device, while the others are free. */
  private Ticket queue(DevicePool pool, Device... others) {
    List<TestingJob> holding = List.of(others).stream().map(each -> hold(pool, each)).toList();
    for (Device other : others) {
      submit(pool, 1, on(other));
    }
    Ticket ticket = pool.submit(Demand.any(), job);
    assertThat(queued(pool, a)).isEqualTo(1);
    holding.forEach(TestingJob::letGo);
    for (Device other : others) {
      Eventually.until("free", () -> entry(pool, other).load().queueDepth() == 0);
    }
    return ticket;
  }

  @Test
  void workThatIsStillQueuedIsTakenOver() throws Exception {
    try (DevicePool pool = pool(a, b)) {
      TestingJob onA = hold(pool, a);
      queue(pool, b);
      TrackedLease found = found(pool, a, b);
      assertThat(takesOver(pool, found, a, b)).isTrue();
      found.giveBack();
      onA.letGo();
      requireAtRest(pool);
      assertThat(job.runs()).isZero();
    }
  }

  @Test
  void workThatWasWithdrawnMeanwhileIsNotTakenOver() throws Exception {
    try (DevicePool pool = pool(a, b)) {
      TestingJob onA = hold(pool, a);
      Ticket ticket = queue(pool, b);
      TrackedLease found = found(pool, a, b);
      assertThat(pool.withdraw(ticket)).isTrue();
      assertThat(takesOver(pool, found, a, b)).isFalse();
      onA.letGo();
      requireAtRest(pool);
      assertThat(job.runs()).isZero();
    }
  }

  /** A withdrawal marks the work first, and takes it out of the queue then. */
  @Test
  void workThatIsBeingWithdrawnIsNotTakenOver() throws Exception {
    try (DevicePool pool = pool(a, b)) {
      TestingJob onA = hold(pool, a);
      queue(pool, b);
      TrackedLease found = found(pool, a, b);
      assertThat(found.markWithdrawn()).isTrue();
      assertThat(takesOver(pool, found, a, b)).isFalse();
      assertThat(QueueMoves.withdraw(found, ledger(pool, a))).isTrue();
      onA.letGo();
      requireAtRest(pool);
      assertThat(job.runs()).isZero();
    }
  }

  @Test
  void workThatItsOwnDeviceHasBegunIsNotTakenOver() throws Exception {
    try (DevicePool pool = pool(a, b)) {
      TestingJob onA = hold(pool, a);
      queue(pool, b);
      TrackedLease found = found(pool, a, b);
      onA.letGo();
      job.awaitStart();
      assertThat(takesOver(pool, found, a, b)).isFalse();
      job.letGo();
      requireAtRest(pool);
      assertThat(job.runs()).isEqualTo(1);
    }
  }

  @Test
  void workThatWaitsInAnotherQueueByNowIsNotTakenOver() throws Exception {
    try (DevicePool pool = pool(a, b, c)) {
      TestingJob onA = hold(pool, a);
      queue(pool, b, c);
      TrackedLease found = found(pool, a, b);
      TestingJob onB = hold(pool, b);
      List<TestingJob> more = submit(pool, 2, on(b));
      TestingJob onC = hold(pool, c);
      pool.pause(a.id());
      assertThat(queued(pool, c)).isEqualTo(1);
      onB.letGo();
      more.forEach(TestingJob::awaitEnd);
      Eventually.until("free", () -> entry(pool, b).load().queueDepth() == 0);
      assertThat(takesOver(pool, found, a, b)).isFalse();
      assertThat(queued(pool, c)).isEqualTo(1);
      onC.letGo();
      onA.letGo();
      assertThat(job.letGo().device()).isEqualTo(c);
      requireAtRest(pool);
    }
  }

  /**
   * The policy is asked between the look and the move, with no lock held. The thread that takes the
   * step goes on to the move; the pool's others, which look now and then, take nothing.
   */
  private static final class Meanwhile implements PlacementPolicy {
    private final PlacementPolicy inner = Policies.leastLoaded();
    private final AtomicReference<Optional<Runnable>> step =
        new AtomicReference<>(Optional.empty());

    @Override
    public String name() {
      return inner.name();
    }

    @Override
    public long place(Candidates candidates) {
      return inner.place(candidates);
    }

    @Override
    public boolean takes(Candidates candidates, int free, int busy) {
      Optional<Runnable> mine = step.getAndSet(Optional.empty());
      mine.ifPresent(Runnable::run);
      return mine.isPresent();
    }
  }

  @Test
  void workThatBeginsWhileThePolicyIsAskedRunsOnce() throws Exception {
    Meanwhile policy = new Meanwhile();
    try (DevicePool pool =
        DevicePool.of(List.of(a, b), still(new ManualTicker()).withPolicy(policy))) {
      TestingJob onA = hold(pool, a);
      TestingJob onB = hold(pool, b);
      submit(pool, 1, on(b));
      pool.submit(Demand.any(), job);
      assertThat(queued(pool, a)).isEqualTo(1);
      CountDownLatch asked = new CountDownLatch(1);
      policy.step.set(
          Optional.of(() -> {
            onA.letGo();
            job.awaitStart();
            asked.countDown();
          }));
      onB.letGo();
      Eventually.open(asked);
      job.letGo();
      requireAtRest(pool);
      assertThat(job.runs()).isEqualTo(1);
      assertThat(job.device()).isEqualTo(a);
    }
  }
}
