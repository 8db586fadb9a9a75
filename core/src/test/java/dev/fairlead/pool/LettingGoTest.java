package dev.fairlead.pool;

import static dev.fairlead.pool.TestingBackend.device;
import static dev.fairlead.pool.TestingPools.LONG;
import static dev.fairlead.pool.TestingPools.requireAtRest;
import static dev.fairlead.pool.TestingPools.still;
import static dev.fairlead.pool.WorkStealingTest.hold;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Device;
import dev.fairlead.dispatch.Dispatcher;
import dev.fairlead.dispatch.Task;
import dev.fairlead.lease.Lease;
import dev.fairlead.lease.QueuedWork;
import dev.fairlead.lease.Ticket;
import dev.fairlead.outcome.RetryOptions;
import dev.fairlead.policy.Demand;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a pool does not hold on to: jobs that will not run, and work that is done. */
@ExtendWith(NoThreadLeft.class)
class LettingGoTest {
  private static final int MANY = 10_000;

  private final ManualTicker ticker = new ManualTicker();
  private final Device device = device(0);
  private final List<WeakReference<Object>> payloads = new ArrayList<>();

  /** Something that a closure holds. */
  private Object payload() {
    Object payload = new byte[1_000];
    payloads.add(new WeakReference<>(payload));
    return payload;
  }

  private void awaitPayloadsGone() {
    Eventually.until(
        "nobody holds what the work held",
        () -> {
          System.gc();
          return payloads.stream().allMatch(each -> each.get() == null);
        });
  }

  /** A job that holds something. */
  private record Heavy(Object payload, CountDownLatch ran) implements QueuedWork {
    @Override
    public void run(Lease lease) {
      assertThat(payload).isNotNull();
      lease.succeed();
      ran.countDown();
    }

    @Override
    public void abandon(Throwable reason) {}

    @Override
    public String holder() {
      return "heavy";
    }
  }

  private Ticket submitHeavy(DevicePool pool, Demand demand, CountDownLatch ran) {
    return pool.submit(demand, new Heavy(payload(), ran));
  }

  @Test
  void jobsThatAreWithdrawnFromAQueueAreLetGoOfAtOnce() throws Exception {
    try (DevicePool pool = DevicePool.of(List.of(device), still(ticker))) {
      TestingJob held = hold(pool, device);
      withdrawMany(pool, Demand.any());
      assertThat(pool.jobs()).containsExactly(held);
      held.letGo();
      requireAtRest(pool);
    }
  }

  @Test
  void jobsThatAreWithdrawnWhileTheyWaitAreLetGoOfAtOnce() throws Exception {
    Device small = device.withMemory(10).withSlots(2);
    try (DevicePool pool = DevicePool.of(List.of(small), still(ticker))) {
      Lease held = pool.lease(Demand.any().withMemory(8), LONG);
      withdrawMany(pool, Demand.any().withMemory(8));
      assertThat(pool.snapshot().waiting()).isZero();
      held.succeed();
      requireAtRest(pool);
    }
  }

  /** The tickets stay: whoever has one does not keep the job. */
  private void withdrawMany(DevicePool pool, Demand demand) {
    CountDownLatch ran = new CountDownLatch(1);
    List<Ticket> tickets = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      tickets.add(submitHeavy(pool, demand, ran));
    }
    for (Ticket ticket : tickets) {
      assertThat(pool.withdraw(ticket)).isTrue();
    }
    awaitPayloadsGone();
    assertThat(ran.getCount()).isEqualTo(1);
    assertThat(tickets).hasSize(MANY);
  }

  @Test
  void tasksThatAreCancelledAreLetGoOfAtOnceTheirDeadlinesToo() throws Exception {
    try (DevicePool pool = DevicePool.of(List.of(device), still(ticker));
        Dispatcher dispatcher = Dispatcher.on(pool)) {
      TestingJob held = hold(pool, device);
      RetryOptions terms = RetryOptions.once().withDeadline(Duration.ofDays(1));
      for (int i = 0; i < MANY; i++) {
        Object payload = payload();
        Task<Object> task = dispatcher.submit(Demand.any(), slot -> payload, terms);
        payloads.add(new WeakReference<>(task)); // its alarm has it
        assertThat(task.cancel()).isTrue();
      }
      awaitPayloadsGone();
      held.letGo();
      requireAtRest(pool);
    }
  }

  @Test
  void anIdleSlotDoesNotKeepItsLastJob() throws Exception {
    try (DevicePool pool = DevicePool.of(List.of(device.withSlots(2)), still(ticker))) {
      for (int i = 0; i < 5; i++) {
        CountDownLatch ran = new CountDownLatch(1);
        submitHeavy(pool, Demand.any(), ran);
        Eventually.open(ran);
      }
      requireAtRest(pool);
      awaitPayloadsGone();
    }
  }

  @Test
  void anIdleSlotDoesNotKeepTheJobsThatCameFromItsQueue() throws Exception {
    try (DevicePool pool = DevicePool.of(List.of(device), still(ticker))) {
      TestingJob held = hold(pool, device);
      CountDownLatch ran = new CountDownLatch(5);
      for (int i = 0; i < 5; i++) {
        submitHeavy(pool, Demand.of("heavy", 1), ran);
      }
      held.letGo();
      Eventually.open(ran);
      requireAtRest(pool);
      awaitPayloadsGone();
    }
  }

  @Test
  void anIdleSlotDoesNotKeepTheWorkOfALeaseNorItsResult() throws Exception {
    try (DevicePool pool = DevicePool.of(List.of(device), still(ticker))) {
      runHeavy(pool);
      requireAtRest(pool);
      awaitPayloadsGone();
    }
  }

  private void runHeavy(DevicePool pool) throws InterruptedException {
    for (int i = 0; i < 3; i++) {
      Object held = payload();
      try (Lease lease = pool.lease(Demand.any(), LONG)) {
        Object result =
            lease.run(slot -> {
              assertThat(held).isNotNull();
              return payload();
            });
        assertThat(result).isNotNull();
      }
    }
  }

  @Test
  void anIdleSlotDoesNotKeepATaskNorItsResult() throws Exception {
    try (DevicePool pool = DevicePool.of(List.of(device), still(ticker));
        Dispatcher dispatcher = Dispatcher.on(pool)) {
      submitHeavy(dispatcher);
      requireAtRest(pool);
      awaitPayloadsGone();
    }
  }

  private void submitHeavy(Dispatcher dispatcher) throws InterruptedException {
    Object held = payload();
    Task<Object> task =
        dispatcher.submit(
            Demand.any(),
            slot -> {
              assertThat(held).isNotNull();
              return payload();
            });
    assertThat(task.await(LONG).orElseThrow().isSuccess()).isTrue();
  }
}
