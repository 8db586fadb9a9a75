package dev.fairlead.pool;

import static dev.fairlead.pool.TestingBackend.device;
import static dev.fairlead.pool.TestingPools.awaitHealth;
import static dev.fairlead.pool.TestingPools.entry;
import static dev.fairlead.pool.TestingPools.fault;
import static dev.fairlead.pool.TestingPools.lease;
import static dev.fairlead.pool.TestingPools.requireAtRest;
import static dev.fairlead.pool.TestingPools.still;
import static dev.fairlead.pool.TestingPools.tick;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Device;
import dev.fairlead.device.Fault;
import dev.fairlead.health.Health;
import dev.fairlead.lease.Lease;
import dev.fairlead.lease.QueuedWork;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.PlacementPolicy;
import dev.fairlead.policy.Policies;
import dev.fairlead.policy.Priority;
import dev.fairlead.stats.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A device with a free slot takes over what waits in the queue of a busy one. */
@ExtendWith(NoThreadLeft.class)
class WorkStealingTest {
  private static final int SHORT_JOBS = 20;

  private final ManualTicker ticker = new ManualTicker();
  private final TestingBackend backend = new TestingBackend();
  private final Device a = device(0);
  private final Device b = device(1);
  private final Device c = device(2);

  static Stream<PlacementPolicy> policies() {
    return Policies.all().stream();
  }

  static Demand on(Device device) {
    return Demand.any().onlyOn(device.id());
  }

  /** Leaves a job with the pool that holds a device until it is let go. */
  static TestingJob hold(DevicePool pool, Device device) {
    TestingJob job = TestingJob.held("the one that holds " + device);
    pool.submit(on(device), job);
    return job.awaitStart();
  }

  static List<TestingJob> submit(DevicePool pool, int count, Demand demand) {
    List<TestingJob> jobs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      TestingJob job = TestingJob.quick("job " + i);
      jobs.add(job);
      pool.submit(demand, job);
    }
    return jobs;
  }

  static int queued(DevicePool pool, Device device) {
    PoolSnapshot.Entry entry = entry(pool, device);
    return entry.load().queueDepth() - entry.leases().size();
  }

  @ParameterizedTest
  @MethodSource("policies")
  void shortJobsDoNotWaitBehindALongOneWhileTheOtherDeviceIsFree(PlacementPolicy policy)
      throws Exception {
    try (DevicePool pool =
        DevicePool.of(
            List.of(a, b), still(ticker).withPolicy(policy).withTicker(Ticker.system()))) {
      TestingJob longOne = hold(pool, a);
      TestingJob other = hold(pool, b);
      List<TestingJob> jobs = submit(pool, SHORT_JOBS, Demand.any());
      other.letGo();
      jobs.forEach(TestingJob::awaitEnd);
      assertThat(longOne.hasEnded()).isFalse();
      assertThat(jobs)
          .allSatisfy(job -> {
            assertThat(job.runs()).isEqualTo(1);
            assertThat(job.device()).isEqualTo(b);
          });
      longOne.letGo();
      requireAtRest(pool);
    }
  }

  @ParameterizedTest
  @MethodSource("policies")
  void shortJobsThatComeOneByOneEndWhileALongOneRuns(PlacementPolicy policy) throws Exception {
    try (DevicePool pool =
        DevicePool.of(
            List.of(a, b), still(ticker).withPolicy(policy).withTicker(Ticker.system()))) {
      TestingJob longOne = TestingJob.held("long");
      pool.submit(Demand.any(), longOne);
      longOne.awaitStart();
      List<TestingJob> jobs = submit(pool, SHORT_JOBS, Demand.any());
      jobs.forEach(TestingJob::awaitEnd);
      assertThat(longOne.hasEnded()).isFalse();
      longOne.letGo();
      requireAtRest(pool);
    }
  }

  @Test
  void anUrgentJobBehindABusyDeviceIsTheNextThatAnotherOneStarts() throws Exception {
    List<String> starts = new CopyOnWriteArrayList<>();
    try (DevicePool pool = DevicePool.of(List.of(a, b), still(ticker))) {
      TestingJob onA = hold(pool, a);
      TestingJob onB = hold(pool, b);
      for (int i = 0; i < 5; i++) {
        pool.submit(on(b), TestingJob.quick("normal " + i).startingIn(starts));
      }
      TestingJob urgent = TestingJob.quick("urgent").startingIn(starts);
      pool.submit(Demand.any().withPriority(Priority.HIGH), urgent);
      assertThat(queued(pool, a)).as("the urgent one is behind the busy device").isEqualTo(1);
      onB.letGo();
      urgent.awaitEnd();
      assertThat(urgent.device()).isEqualTo(b);
      assertThat(starts.getFirst()).isEqualTo("urgent");
      assertThat(onA.hasEnded()).isFalse();
      onA.letGo();
      requireAtRest(pool);
    }
  }

  @Test
  void anUrgentJobPassesNormalOnesThatAnyDeviceMayTake() throws Exception {
    List<String> starts = new CopyOnWriteArrayList<>();
    try (DevicePool pool = DevicePool.of(List.of(a, b), still(ticker))) {
      TestingJob onA = hold(pool, a);
      TestingJob onB = hold(pool, b);
      for (int i = 0; i < 6; i++) {
        pool.submit(Demand.any(), TestingJob.quick("normal " + i).startingIn(starts));
      }
      TestingJob urgent = TestingJob.quick("urgent").startingIn(starts);
      pool.submit(Demand.any().withPriority(Priority.HIGH), urgent);
      onB.letGo();
      Eventually.until("all seven have run", () -> starts.size() == 7);
      assertThat(starts.getFirst()).isEqualTo("urgent");
      assertThat(onA.hasEnded()).isFalse();
      onA.letGo();
      requireAtRest(pool);
    }
  }

  @Test
  void aDeviceThatIsAddedTakesWhatIsQueued() throws Exception {
    try (DevicePool pool = DevicePool.of(List.of(a, c), still(ticker))) {
      TestingJob onA = hold(pool, a);
      TestingJob onC = hold(pool, c);
      List<TestingJob> jobs = submit(pool, 5, Demand.any());
      assertThat(queued(pool, a) + queued(pool, c)).isEqualTo(5);
      pool.add(b);
      jobs.forEach(TestingJob::awaitEnd);
      assertThat(jobs).allSatisfy(job -> assertThat(job.device()).isEqualTo(b));
      assertThat(onA.hasEnded()).isFalse();
      assertThat(onC.hasEnded()).isFalse();
      onA.letGo();
      onC.letGo();
      requireAtRest(pool);
    }
  }

  @Test
  void aDeviceThatHasRecoveredTakesWhatIsQueued() throws Exception {
    try (DevicePool pool = DevicePool.open(backend.found(List.of(a, b)), still(ticker))) {
      lease(pool, b).fail(fault(Fault.CONTEXT));
      awaitHealth(pool, b, Health.QUARANTINED);
      TestingJob onA = hold(pool, a);
      List<TestingJob> jobs = submit(pool, 5, Demand.any());
      assertThat(queued(pool, a)).isEqualTo(5);
      tick(pool, ticker, Duration.ofSeconds(1));
      jobs.forEach(TestingJob::awaitEnd);
      assertThat(jobs).allSatisfy(job -> assertThat(job.device()).isEqualTo(b));
      assertThat(onA.hasEnded()).isFalse();
      awaitHealth(pool, b, Health.READY);
      onA.letGo();
      requireAtRest(pool);
    }
  }

  @Test
  void aPolicyWithoutTakingKeepsQueuesUntilAnotherOneIsUsed() throws Exception {
    PlacementPolicy keeping = Policies.leastLoaded().withoutTaking();
    try (DevicePool pool = DevicePool.of(List.of(a, b), still(ticker).withPolicy(keeping))) {
      TestingJob onA = hold(pool, a);
      TestingJob onB = hold(pool, b);
      List<TestingJob> jobs = submit(pool, 4, Demand.any());
      assertThat(queued(pool, a)).isEqualTo(2);
      onB.letGo();
      Eventually.until("the other device is idle", () -> entry(pool, b).leases().isEmpty());
      tick(pool, ticker, Duration.ofMillis(1));
      assertThat(queued(pool, a)).isEqualTo(2);
      assertThat(jobs.stream().filter(TestingJob::hasStarted)).hasSize(2);
      pool.use(Policies.leastLoaded());
      jobs.forEach(TestingJob::awaitEnd);
      assertThat(jobs).allSatisfy(job -> assertThat(job.device()).isEqualTo(b));
      assertThat(onA.hasEnded()).isFalse();
      onA.letGo();
      requireAtRest(pool);
    }
  }

  /** What only one device may run stands before what any may. */
  @Test
  void manyThatArePinnedDoNotHideOneThatIsNot() throws Exception {
    try (DevicePool pool = DevicePool.of(List.of(a, b), still(ticker))) {
      TestingJob onA = hold(pool, a);
      TestingJob onB = hold(pool, b);
      List<TestingJob> pinned = submit(pool, 200, on(a));
      submit(pool, 200, on(b));
      TestingJob free = TestingJob.quick("free");
      pool.submit(Demand.any(), free);
      TestingJob second = TestingJob.quick("second");
      pool.submit(Demand.any(), second);
      onB.letGo();
      try {
        Eventually.until("the other queue is empty", () -> queued(pool, b) == 0);
        tick(pool, ticker, Duration.ofMillis(1));
        free.awaitEnd();
        second.awaitEnd();
        assertThat(pinned).noneMatch(TestingJob::hasStarted);
      } finally {
        onA.letGo();
      }
      requireAtRest(pool);
    }
  }

  @Test
  void aDeviceThatFailsEverythingFastDoesNotSwallowTheQueueOfAGoodOne() throws Exception {
    int count = 40;
    List<String> failed = new CopyOnWriteArrayList<>();
    List<String> done = new CopyOnWriteArrayList<>();
    try (DevicePool pool = DevicePool.of(List.of(a, b), still(ticker))) {
      TestingJob good = hold(pool, a);
      TestingJob bad = hold(pool, b);
      for (int i = 0; i < count; i++) {
        pool.submit(Demand.any(), new FailsOn(b, failed, done));
      }
      // What joined the bad one's own queue fails there; what joined the good one's mostly stays.
      int queuedOnGood = queued(pool, a);
      int queuedOnBad = queued(pool, b);
      bad.letGo();
      Eventually.until("the bad one rests", () -> entry(pool, b).load().queueDepth() == 0);
      assertThat(failed.size() - queuedOnBad).isLessThanOrEqualTo(queuedOnGood / 2);
      assertThat(queued(pool, a)).isGreaterThanOrEqualTo(queuedOnGood / 2);
      good.letGo();
      Eventually.until("all have ended", () -> failed.size() + done.size() == count);
      assertThat(done.size()).isGreaterThanOrEqualTo(queuedOnGood / 2);
      requireAtRest(pool);
    }
  }

  /** A job that fails at once on one device. */
  private record FailsOn(Device bad, List<String> failed, List<String> done) implements QueuedWork {
    @Override
    public void run(Lease lease) {
      if (lease.device().equals(bad)) {
        failed.add(holder());
        lease.fail(new IllegalStateException("fails here"));
      } else {
        done.add(holder());
        lease.succeed();
      }
    }

    @Override
    public void abandon(Throwable reason) {}

    @Override
    public String holder() {
      return "job";
    }
  }
}
