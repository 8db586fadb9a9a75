package dev.fairlead.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.lease.Lease;
import dev.fairlead.lease.QueuedWork;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.Placement;
import dev.fairlead.policy.Policies;
import dev.fairlead.stats.CostModel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Waiting for a busy device that will still finish first, and those who wait for it already. */
class AwaitedDeviceTest {
  private static final Demand ENCODE = Demand.of("encode", 1);

  /** Device 0 takes 3.3 s for an item, the others 10 s. */
  private static PoolOptions learned(List<Device> devices) {
    CostModel costs = new CostModel();
    for (Device device : devices) {
      for (int sample = 0; sample < 3; sample++) {
        costs.record(device.id(), "encode", 1, device.ordinal() == 0 ? 3.3 : 10);
      }
    }
    return PoolOptions.usual().withPolicy(Policies.earliestFinish()).withCosts(costs);
  }

  @Test
  void callersWaitForTheFastDeviceOnlyAsLongAsThatIsSooner() throws Exception {
    List<Device> devices =
        IntStream.range(0, 10).mapToObj(i -> Device.of(DeviceKind.SIMULATED, i)).toList();
    AtomicInteger running = new AtomicInteger();
    CountDownLatch end = new CountDownLatch(1);
    List<Eventually.Started<Boolean>> callers = new ArrayList<>();
    try (DevicePool pool = DevicePool.of(devices, learned(devices))) {
      for (int caller = 0; caller < 10; caller++) {
        callers.add(Eventually.start(() -> hold(pool, running, end)));
        int arrived = caller + 1;
        Eventually.until(
            arrived + " have a lease or wait",
            () -> running.get() + pool.snapshot().waiting() >= arrived);
      }
      // One runs on the fast device; two more are sooner done there than in 10 s; the rest run.
      assertThat(pool.snapshot().waiting()).isEqualTo(2);
      assertThat(running).hasValue(8);
      end.countDown();
      for (Eventually.Started<Boolean> caller : callers) {
        caller.result();
      }
      assertThat(running).hasValue(10);
      assertThat(pool.snapshot().totals().failed()).isZero();
    }
  }

  private static boolean hold(DevicePool pool, AtomicInteger running, CountDownLatch end)
      throws InterruptedException {
    try (Lease lease = pool.lease(ENCODE, Duration.ofSeconds(60))) {
      running.incrementAndGet();
      Eventually.open(end);
      lease.succeed();
      return true;
    }
  }

  @Test
  void aPeekNamesTheDeviceThatIsWorthWaitingFor() throws InterruptedException {
    List<Device> devices =
        List.of(Device.of(DeviceKind.SIMULATED, 0), Device.of(DeviceKind.SIMULATED, 1));
    try (DevicePool pool = DevicePool.of(devices, learned(devices));
        Lease fast = pool.lease(ENCODE, Duration.ZERO)) {
      assertThat(fast.device()).isEqualTo(devices.getFirst());
      assertThat(pool.peek(ENCODE))
          .isInstanceOfSatisfying(
              Placement.Wait.class,
              wait -> assertThat(wait.reason()).contains("simulated:0", "finish it first"));
    }
  }

  @Test
  void aWaiterThatLacksWhatAJobInLineHoldsGetsItWhenThatHasRun() throws Exception {
    Device device = Device.of(DeviceKind.SIMULATED, 0).withMemory(100);
    try (DevicePool pool = DevicePool.of(List.of(device))) {
      Lease first = pool.lease(Demand.any(), Duration.ZERO);
      pool.submit(Demand.any().withMemory(60), new EndingJob());
      Eventually.Started<Boolean> waiter =
          Eventually.start(() -> {
            try (Lease lease = pool.lease(Demand.any().withMemory(80), Duration.ofSeconds(60))) {
              lease.succeed();
              return true;
            }
          });
      Eventually.until("it waits", () -> pool.snapshot().waiting() > 0);
      first.succeed();
      waiter.result();
      assertThat(pool.snapshot().totals().completed()).isEqualTo(3);
    }
  }

  private static final class EndingJob implements QueuedWork {
    @Override
    public void run(Lease lease) {
      lease.succeed();
    }

    @Override
    public void abandon(Throwable reason) {
      throw new IllegalStateException(reason);
    }

    @Override
    public String holder() {
      return "test";
    }
  }
}
