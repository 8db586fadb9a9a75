package dev.fairlead.pool;

import static dev.fairlead.pool.TestingBackend.devices;
import static dev.fairlead.pool.TestingPools.LONG;
import static dev.fairlead.pool.TestingPools.lease;
import static dev.fairlead.pool.TestingPools.requireAtRest;
import static dev.fairlead.pool.TestingPools.still;
import static dev.fairlead.pool.TestingPools.withSlots;
import static dev.fairlead.pool.WorkStealingTest.hold;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceWork;
import dev.fairlead.lease.Lease;
import dev.fairlead.lease.PoolException;
import dev.fairlead.lease.QueuedWork;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.Priority;
import dev.fairlead.run.DeviceThread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Closing while others hand work over, hold devices, or close too. */
@ExtendWith(NoThreadLeft.class)
class PoolClosingTest {
  private static final int ROUNDS = 100;
  private static final int THREADS = 4;

  private final ManualTicker ticker = new ManualTicker();

  /** A job that counts what becomes of it. */
  private static final class Counted implements QueuedWork {
    private final AtomicInteger ran = new AtomicInteger();
    private final AtomicInteger abandoned = new AtomicInteger();

    @Override
    public void run(Lease lease) {
      ran.incrementAndGet();
      lease.succeedIfOpen();
    }

    @Override
    public void abandon(Throwable reason) {
      abandoned.incrementAndGet();
    }

    @Override
    public String holder() {
      return "counted";
    }

    int ends() {
      return ran.get() + abandoned.get();
    }
  }

  /** What one thread has handed over. */
  private record Handed(List<Counted> accepted, List<Counted> refused) {}

  @Test
  void jobsThatAreHandedOverMeanwhileRunOrAreAbandonedOnce() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      DevicePool pool = DevicePool.of(withSlots(devices(2), 2), still(ticker));
      List<Eventually.Started<Handed>> hands = new ArrayList<>();
      AtomicInteger busy = new AtomicInteger();
      for (int i = 0; i < THREADS; i++) {
        hands.add(Eventually.start(() -> handOver(pool, busy)));
      }
      Eventually.until("all are at it", () -> busy.get() == THREADS);
      Eventually.close(pool).result();
      for (var each : hands) {
        Handed handed = each.result();
        Eventually.until(
            "each job that was taken ends",
            () -> handed.accepted().stream().allMatch(job -> job.ends() > 0));
        assertThat(handed.accepted()).allMatch(job -> job.ends() == 1);
        assertThat(handed.refused()).allMatch(job -> job.ran.get() == 0);
      }
    }
  }

  /** Stopped under the pool's feet, as if its threads had ended between slot and start. */
  @Test
  void aClosedPoolHasNoCandidatesForThatReason() {
    DevicePool pool = DevicePool.of(devices(1), still(ticker));
    pool.close();
    assertThatThrownBy(() -> pool.candidatesFor(Demand.any()))
        .isInstanceOf(PoolException.PoolClosed.class);
  }

  @Test
  void aJobWhoseSlotHasNoThreadAnyMoreIsAbandonedAndItsSlotIsGivenBack() throws Exception {
    try (DevicePool pool = DevicePool.of(devices(1), still(ticker))) {
      pool.fleet().runtimes().getFirst().close(Duration.ZERO);
      TestingJob job = TestingJob.quick("too late");
      pool.submit(Demand.any(), job);
      assertThat(job.reason()).isInstanceOf(PoolException.PoolClosed.class);
      assertThat(job.abandons()).isEqualTo(1);
      assertThat(job.runs()).isZero();
      requireAtRest(pool);
    }
  }

  private static Handed handOver(DevicePool pool, AtomicInteger busy) {
    Handed handed = new Handed(new ArrayList<>(), new ArrayList<>());
    while (true) {
      Counted job = new Counted();
      try {
        pool.submit(Demand.any(), job);
        handed.accepted().add(job);
      } catch (PoolException refused) {
        handed.refused().add(job);
        return handed;
      }
      if (handed.accepted().size() == 20) {
        busy.incrementAndGet();
      }
    }
  }

  @Test
  void workThatIsRunMeanwhileRunsOnceOrIsRefused() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      DevicePool pool = DevicePool.of(withSlots(devices(2), 2), still(ticker));
      List<Eventually.Started<Boolean>> hands = new ArrayList<>();
      AtomicInteger busy = new AtomicInteger();
      for (int i = 0; i < THREADS; i++) {
        hands.add(Eventually.start(() -> runUntilClosed(pool, busy)));
      }
      Eventually.until("all are at it", () -> busy.get() == THREADS);
      Eventually.close(pool).result();
      for (var each : hands) {
        assertThat(each.result()).isTrue();
      }
    }
  }

  private static boolean runUntilClosed(DevicePool pool, AtomicInteger busy) throws Exception {
    for (int done = 0; ; done++) {
      AtomicInteger runs = new AtomicInteger();
      try (Lease lease = pool.lease(Demand.any(), LONG)) {
        int number = lease.<Integer, RuntimeException>run(slot -> runs.incrementAndGet());
        assertThat(number).isEqualTo(1);
      } catch (PoolException.PoolClosed closed) {
        assertThat(runs.get()).isLessThanOrEqualTo(1);
        return true;
      }
      assertThat(runs).hasValue(1);
      if (done == 5) {
        busy.incrementAndGet();
      }
    }
  }

  /** Closes a pool all of whose slots are held. */
  private static final class ClosingHeld implements Function<Duration, Duration> {
    @Override
    public Duration apply(Duration grace) {
      List<Device> devices = withSlots(devices(10), 4);
      PoolOptions options = still(new ManualTicker());
      DevicePool pool =
          DevicePool.of(devices, options.withTiming(options.timing().withGrace(grace)));
      List<TestingJob> held = new ArrayList<>();
      for (Device device : devices) {
        for (int slot = 0; slot < device.slots(); slot++) {
          held.add(hold(pool, device));
        }
      }
      try {
        return Woven.waitedFor(pool::close);
      } finally {
        held.forEach(TestingJob::letGo);
        held.forEach(TestingJob::awaitEnd);
      }
    }
  }

  /** All waits are added up, those that go on at the same time, too. */
  @Test
  void closingTakesOneGraceInAll() throws Exception {
    Duration grace = Duration.ofMinutes(1);
    Function<Duration, Duration> closing =
        Woven.<Function<Duration, Duration>>timeless(ClosingHeld.class);
    assertThat(closing.apply(grace)).isBetween(grace, grace.plusSeconds(10));
  }

  @Test
  void aSecondCloserReturnsOnlyWhenTheFirstIsDone() throws Exception {
    DevicePool pool = DevicePool.of(devices(1), patient());
    Lease held = lease(pool);
    var first = Eventually.close(pool);
    Eventually.until("it closes", () -> isClosed(pool));
    var second =
        Eventually.start(() -> {
          pool.close();
          return Eventually.fairleadThreads();
        });
    second.isWaiting();
    assertThat(first.future()).isNotDone();
    assertThat(second.future()).isNotDone();
    held.succeed();
    assertThat(first.result()).isTrue();
    assertThat(second.result()).noneMatch(name -> name.contains("thread"));
  }

  @Test
  void aCloserThatIsInterruptedWaitsAllTheSame() throws Exception {
    DevicePool pool = DevicePool.of(devices(1), patient());
    Lease held = lease(pool);
    var first = Eventually.close(pool);
    Eventually.until("it closes", () -> isClosed(pool));
    var second =
        Eventually.start(() -> {
          pool.close();
          return Thread.interrupted();
        });
    second.isWaiting();
    second.thread().interrupt();
    second.isWaiting();
    assertThat(second.future()).isNotDone();
    held.succeed();
    assertThat(first.result()).isTrue();
    assertThat(second.result()).as("the interrupt is kept").isTrue();
  }

  private PoolOptions patient() {
    PoolOptions options = still(ticker);
    return options.withTiming(options.timing().withGrace(LONG));
  }

  private static boolean isClosed(DevicePool pool) {
    try {
      pool.submit(Demand.any().withPriority(Priority.LOW), new Counted());
      return false;
    } catch (PoolException.PoolClosed closed) {
      return true;
    }
  }

  @Test
  void closingInsideOfWorkIsRefused() throws Exception {
    try (DevicePool pool = DevicePool.of(devices(1), still(ticker))) {
      try (Lease lease = lease(pool)) {
        assertThatThrownBy(() ->
                lease.run(slot -> {
                  pool.close();
                  return true;
                }))
            .isInstanceOf(PoolException.WouldHang.class);
      }
      lease(pool).succeed();
    }
  }

  @Test
  void waitingForALeaseWithoutALimitInsideOfWorkIsRefused() throws Exception {
    try (DevicePool pool = DevicePool.of(devices(1), still(ticker))) {
      try (Lease lease = lease(pool)) {
        assertThatThrownBy(inside(lease, slot -> pool.run(Demand.any(), inner -> 1))::result)
            .isInstanceOf(PoolException.WouldHang.class);
        assertThatThrownBy(inside(lease, slot -> pool.lease(Demand.any(), Timing.NO_LIMIT))::result)
            .isInstanceOf(PoolException.WouldHang.class);
        assertThatThrownBy(
                inside(lease, slot -> pool.lease(Demand.any(), Duration.ofMillis(1)))::result)
            .isInstanceOf(PoolException.TimedOut.class);
      }
      assertThat(pool.snapshot().waiting()).isZero();
    }
  }

  /** Begins work under a lease that might not come back. */
  private static <R> Eventually.Started<R> inside(Lease lease, DeviceWork<R, Exception> work) {
    return Eventually.start(() -> lease.run(work));
  }

  /** Leaves an errand with a thread that has looked for the last time and has not said so yet. */
  private static final class LateErrand implements Callable<String> {
    @Override
    public String call() throws Exception {
      try (DevicePool pool = DevicePool.of(devices(1), still(new ManualTicker()))) {
        DeviceThread deviceThread = new DeviceThread(pool.fleet().runtimes().getFirst(), 0);
        assertThat(deviceThread.post(() -> {})).isTrue();
        deviceThread.stop();
        Woven.seam().awaitReached();
        AtomicBoolean ran = new AtomicBoolean();
        boolean posted = deviceThread.post(() -> ran.set(true));
        Woven.seam().letGo();
        assertThat(deviceThread.join(LONG)).isTrue();
        return (posted ? "taken" : "refused") + " and " + (ran.get() ? "run" : "not run");
      }
    }
  }

  @Test
  void anErrandThatADeviceThreadTakesAtTheVeryEndIsRun() throws Exception {
    Callable<String> late =
        Woven.<Callable<String>>heldBefore("DeviceThread", "run", "ended", LateErrand.class);
    assertThat(late.call()).isIn("taken and run", "refused and not run");
  }
}
