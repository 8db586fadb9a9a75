package dev.fairlead.pool;

import static dev.fairlead.pool.TestingBackend.device;
import static dev.fairlead.pool.TestingPools.requireAtRest;
import static dev.fairlead.pool.TestingPools.still;
import static dev.fairlead.pool.WorkStealingTest.hold;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Device;
import dev.fairlead.lease.Ticket;
import dev.fairlead.policy.Demand;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A withdrawal against the start of the same work: one of the two wins, and both sides know which.
 * A thread is held at the very step where the other one overtakes it.
 */
@ExtendWith(NoThreadLeft.class)
class WithdrawalRaceTest {
  /**
   * What came of a job: what its withdrawal answered, how often it ran, how often it is counted.
   */
  private static String account(DevicePool pool, TestingJob job, boolean withdrawn) {
    return "%s, ran %d times, counted %d times"
        .formatted(
            withdrawn ? "withdrawn" : "not withdrawn",
            job.runs(),
            pool.snapshot().refusals().withdrawn());
  }

  private static DevicePool pool() {
    return DevicePool.of(List.of(device(0)), still(new ManualTicker()));
  }

  @Test
  void workThatRunsIsNotWithdrawn() throws Exception {
    try (DevicePool pool = pool()) {
      TestingJob running = TestingJob.held("running");
      Ticket ticket = pool.submit(Demand.any(), running);
      running.awaitStart();
      boolean withdrawn = pool.withdraw(ticket);
      running.letGo();
      requireAtRest(pool);
      assertThat(account(pool, running, withdrawn))
          .isEqualTo("not withdrawn, ran 1 times, counted 0 times");
    }
  }

  /** The withdrawal has seen that the work waits, and marks it after it has begun. */
  private static final class OvertakenWithdrawal implements Callable<String> {
    @Override
    public String call() throws Exception {
      Device device = device(0);
      try (DevicePool pool = DevicePool.of(List.of(device), still(new ManualTicker()))) {
        TestingJob before = hold(pool, device);
        TestingJob job = TestingJob.held("begins meanwhile");
        Ticket ticket = pool.submit(Demand.any(), job);
        var withdrawing = Eventually.start(() -> pool.withdraw(ticket));
        Woven.seam().awaitReached();
        before.letGo();
        job.awaitStart();
        Woven.seam().letGo();
        boolean withdrawn = withdrawing.result();
        job.letGo();
        requireAtRest(pool);
        return account(pool, job, withdrawn);
      }
    }
  }

  @Test
  void workThatBeginsAsItIsWithdrawnHasBegun() throws Exception {
    Callable<String> overtaken =
        Woven.<Callable<String>>heldBefore(
            "HeldLease", "markWithdrawn", "STATE", OvertakenWithdrawal.class);
    assertThat(overtaken.call()).isEqualTo("not withdrawn, ran 1 times, counted 0 times");
  }

  /**
   * The device has taken the work out of its queue to start it, and it is withdrawn before that.
   */
  private static final class OvertakenStart implements Callable<String> {
    @Override
    public String call() throws Exception {
      Device device = device(0);
      try (DevicePool pool = DevicePool.of(List.of(device), still(new ManualTicker()))) {
        TestingJob before = hold(pool, device);
        TestingJob job = TestingJob.quick("withdrawn meanwhile");
        Ticket ticket = pool.submit(Demand.any(), job);
        Woven.seam().arm();
        before.letGo();
        Woven.seam().awaitReached();
        var withdrawing = Eventually.start(() -> pool.withdraw(ticket));
        Eventually.until(
            "the withdrawal has marked it and waits for the device's lock",
            () -> Eventually.isIn(withdrawing.thread(), "lockPatiently"));
        Woven.seam().letGo();
        boolean withdrawn = withdrawing.result();
        requireAtRest(pool);
        return account(pool, job, withdrawn);
      }
    }
  }

  @Test
  void workThatIsWithdrawnAsItBeginsDoesNotRun() throws Exception {
    Callable<String> overtaken =
        Woven.<Callable<String>>heldLater("HeldLease", "begin", "STATE", OvertakenStart.class);
    assertThat(overtaken.call()).isEqualTo("withdrawn, ran 0 times, counted 1 times");
  }
}
