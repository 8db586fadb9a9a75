package dev.fairlead.opencl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.compute.Argument;
import dev.fairlead.compute.ComputeContext;
import dev.fairlead.compute.DeviceBuffer;
import dev.fairlead.compute.Event;
import dev.fairlead.compute.Kernel;
import dev.fairlead.compute.Program;
import dev.fairlead.compute.StagingBuffer;
import dev.fairlead.compute.Stream;
import dev.fairlead.compute.driver.ComputeException;
import dev.fairlead.compute.driver.Grid;
import dev.fairlead.compute.driver.ProgramSource;
import dev.fairlead.device.Device;
import dev.fairlead.device.Slot;
import dev.fairlead.dispatch.Dispatcher;
import dev.fairlead.dispatch.Task;
import dev.fairlead.health.Health;
import dev.fairlead.lease.Lease;
import dev.fairlead.lease.PoolException;
import dev.fairlead.outcome.Outcome;
import dev.fairlead.outcome.RetryOptions;
import dev.fairlead.policy.Demand;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.PoolOptions;
import dev.fairlead.pool.PoolSnapshot;
import dev.fairlead.pool.Timing;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** What the pool makes of faults that come out of a driver, on real devices. */
class SupervisionTest {
  private static final int ILLEGAL_ACCESS = -9999;
  private static final int DEVICE_NOT_AVAILABLE = -2;
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final ProgramSource SOURCE =
      ProgramSource.openCl("kernel void add(global int *n, int a) { n[get_global_id(0)] += a; }");

  private final TestingFaults faults = new TestingFaults("opencl:0/2");
  private final Device first = faults.device(0);
  private final Device second = faults.device(1);

  private DevicePool open(Duration watchdog) {
    Timing timing =
        Timing.usual()
            .withPoll(Duration.ofMillis(20))
            .withGrace(Duration.ofSeconds(2))
            .withWatchdog(watchdog);
    return DevicePool.open(faults.found(), PoolOptions.usual().withTiming(timing));
  }

  private static int compute(int number, Slot slot) {
    ComputeContext context = slot.context(ComputeContext.class);
    Stream stream = context.stream();
    try (Program program = context.program(SOURCE);
        Kernel add = program.kernel("add");
        StagingBuffer host = context.stage(4);
        DeviceBuffer buffer = context.allocate(4)) {
      host.memory().set(ValueLayout.JAVA_INT, 0, number);
      stream.upload(host, buffer);
      stream.launch(add, Grid.of(1), buffer, Argument.of(1000));
      stream.download(buffer, host);
      stream.synchronise();
      return host.memory().get(ValueLayout.JAVA_INT, 0);
    }
  }

  private static void until(BooleanSupplier condition) {
    long end = System.nanoTime() + LONG.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("it never became so").isLessThan(end);
      LockSupport.parkNanos(100_000);
    }
  }

  private static PoolSnapshot.Entry entry(DevicePool pool, Device device) {
    return pool.snapshot().devices().stream()
        .filter(each -> each.device().equals(device))
        .findFirst()
        .orElseThrow();
  }

  private static List<Integer> computeMany(Dispatcher dispatcher, int count)
      throws InterruptedException {
    List<Task<Integer>> tasks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int number = i;
      tasks.add(
          dispatcher.submit(
              Demand.any(), slot -> compute(number, slot), RetryOptions.once().withTries(4)));
    }
    List<Integer> results = new ArrayList<>();
    for (Task<Integer> task : tasks) {
      results.add(task.await().orThrow());
    }
    return results;
  }

  @Test
  void aPoisonedDeviceIsRebuiltAndItsWorkIsDoneElsewhere() throws Exception {
    try (DevicePool pool = open(Duration.ZERO);
        Dispatcher dispatcher = Dispatcher.on(pool)) {
      AtomicReference<DeviceBuffer> kept = new AtomicReference<>();
      try (Lease lease = pool.lease(Demand.any().onlyOn(first.id()), LONG)) {
        kept.set(lease.run(slot -> slot.context(ComputeContext.class).allocate(4)));
        lease.succeed();
      }
      faults.fail(first, "launch", ILLEGAL_ACCESS);

      List<Integer> results = computeMany(dispatcher, 20);

      assertThat(results).first().isEqualTo(1000);
      assertThat(results).last().isEqualTo(1019);
      faults.fail(first, "launch", 0);
      until(() -> pool.health(first.id()) == Health.PROBING);
      assertThat(entry(pool, first).generation()).isPositive();
      Outcome<Integer> again =
          dispatcher
              .submit(
                  Demand.any().onlyOn(first.id()), slot -> compute(7, slot), RetryOptions.once())
              .await();
      assertThat(again.orThrow()).isEqualTo(1007);
      assertThat(pool.health(first.id())).isEqualTo(Health.READY);
      try (Lease lease = pool.lease(Demand.any().onlyOn(first.id()), LONG)) {
        assertThatThrownBy(() ->
                lease.run(slot -> {
                  slot.context(ComputeContext.class).stream().fill(kept.get(), (byte) 0);
                  return 1;
                }))
            .isInstanceOf(ComputeException.StaleGeneration.class);
      }
    }
  }

  @Test
  void aDeviceThatIsLostLeavesAndTheRestGoOn() throws Exception {
    try (DevicePool pool = open(Duration.ZERO);
        Dispatcher dispatcher = Dispatcher.on(pool)) {
      faults.fail(first, "launch", DEVICE_NOT_AVAILABLE);

      assertThat(computeMany(dispatcher, 20)).hasSize(20).last().isEqualTo(1019);
      until(() -> pool.devices().equals(List.of(second)));
      assertThat(computeMany(dispatcher, 4)).hasSize(4);
    }
  }

  @Test
  void aProbeThatFailsKeepsTheDeviceOut() throws Exception {
    try (DevicePool pool = open(Duration.ZERO);
        Dispatcher dispatcher = Dispatcher.on(pool)) {
      faults.fail(first, "launch", ILLEGAL_ACCESS);
      faults.fail(first, "copy", ILLEGAL_ACCESS);
      computeMany(dispatcher, 20);
      until(() -> entry(pool, first).generation() > 0);

      assertThat(computeMany(dispatcher, 4)).hasSize(4);
      assertThat(pool.health(first.id())).isEqualTo(Health.QUARANTINED);
    }
  }

  @Test
  void aCallThatHangsIsGivenUpAndTheRestGoOn() throws Exception {
    CountDownLatch stuck = new CountDownLatch(1);
    try (DevicePool pool = open(Duration.ofMillis(500));
        Lease lease = pool.lease(Demand.any().onlyOn(first.id()), LONG)) {
      faults.hang(first, "synchronise", stuck);

      assertThatThrownBy(() -> lease.run(slot -> compute(1, slot)))
          .isInstanceOf(PoolException.WorkHung.class);
      until(() -> entry(pool, first).generation() > 0);
    } finally {
      stuck.countDown();
    }
  }

  @Test
  void aCompletionThatNeverComesIsGivenUp() throws Exception {
    CountDownLatch stuck = new CountDownLatch(1);
    try (DevicePool pool = open(Duration.ofMillis(500));
        Lease lease = pool.lease(Demand.any().onlyOn(first.id()), LONG)) {
      faults.hang(first, "await", stuck);
      lease.endWith(
          lease.run(slot -> {
            try (Event event = slot.context(ComputeContext.class).stream().mark()) {
              return event.completion();
            }
          }));

      until(() -> entry(pool, first).generation() > 0);
      until(() -> entry(pool, first).leases().isEmpty());
    } finally {
      stuck.countDown();
    }
  }

  @Test
  void memoryThatIsAllocatedShowsInTheLoad() throws Exception {
    try (DevicePool pool = open(Duration.ZERO)) {
      long megabyte = 1 << 20;
      try (Lease lease = pool.lease(Demand.any().onlyOn(first.id()), LONG)) {
        DeviceBuffer buffer =
            lease.run(slot -> slot.context(ComputeContext.class).allocate(megabyte));
        until(() -> entry(pool, first).load().freeBytes() == first.memoryBytes() - megabyte);
        buffer.close();
        until(() -> entry(pool, first).load().freeBytes() == first.memoryBytes());
        lease.succeed();
      }
    }
  }
}
