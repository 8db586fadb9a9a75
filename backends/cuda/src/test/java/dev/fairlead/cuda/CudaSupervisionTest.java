package dev.fairlead.cuda;

import static dev.fairlead.cuda.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.compute.ComputeContext;
import dev.fairlead.compute.DeviceBuffer;
import dev.fairlead.compute.driver.ComputeException;
import dev.fairlead.device.Device;
import dev.fairlead.device.Discovery;
import dev.fairlead.device.Fault;
import dev.fairlead.dispatch.Dispatcher;
import dev.fairlead.dispatch.Task;
import dev.fairlead.event.PoolListener;
import dev.fairlead.health.Health;
import dev.fairlead.lease.Lease;
import dev.fairlead.lease.PoolException;
import dev.fairlead.outcome.FailedAttempt;
import dev.fairlead.outcome.Outcome;
import dev.fairlead.outcome.RetryOptions;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.Load;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.PoolOptions;
import dev.fairlead.pool.PoolSnapshot;
import dev.fairlead.pool.Timing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the pool makes of a CUDA device that fails, end to end against the driver double. */
class CudaSupervisionTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration REST = Duration.ofSeconds(2);
  private static final RetryOptions TRIES = RetryOptions.once().withTries(3);
  private static final CompletionStage<Void> DONE = CompletableFuture.completedFuture(null);

  private final TestingCuda cuda = TestingCuda.with(2);
  private final Discovery found = cuda.provider().discover(List.of());
  private final Device first = found.devices().getFirst();
  private final Device second = found.devices().getLast();

  /** Time that moves when a test says so, so that a quarantine lasts as long as the test wants. */
  private final AtomicLong nanos = new AtomicLong();

  private DevicePool open() {
    return DevicePool.open(found, options(Duration.ZERO).withTicker(nanos::get));
  }

  private static PoolOptions options(Duration watchdog) {
    return PoolOptions.usual()
        .withTiming(
            Timing.usual()
                .withPoll(Duration.ofMillis(20))
                .withGrace(Duration.ofSeconds(5))
                .withWatchdog(watchdog));
  }

  private static Lease lease(DevicePool pool, Device only) throws InterruptedException {
    return pool.lease(Demand.any().onlyOn(only.id()), LONG);
  }

  private static PoolSnapshot.Entry entry(DevicePool pool, Device device) {
    return pool.snapshot().devices().stream()
        .filter(each -> each.device().id().equals(device.id()))
        .findFirst()
        .orElseThrow();
  }

  private static List<Integer> computeMany(Dispatcher dispatcher, int count)
      throws InterruptedException {
    List<Task<Integer>> tasks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int number = i;
      tasks.add(dispatcher.submit(Demand.any(), slot -> TestingWork.compute(number, slot), TRIES));
    }
    List<Integer> results = new ArrayList<>();
    for (Task<Integer> task : tasks) {
      results.add(task.await().orThrow() - 1000);
    }
    return results;
  }

  private static List<Integer> numbers(int count) {
    return IntStream.range(0, count).boxed().toList();
  }

  @Test
  void aKernelGoneAstrayPoisonsItsDeviceAndWhatWasInFlightThereIsDoneElsewhere() throws Exception {
    try (DevicePool pool = open();
        Dispatcher dispatcher = Dispatcher.on(pool)) {
      DeviceBuffer[] kept = new DeviceBuffer[1];
      try (Lease lease = lease(pool, first)) {
        kept[0] = lease.run(slot -> slot.context(ComputeContext.class).allocate(4));
        lease.succeed();
      }
      Lease[] busy = {lease(pool, second), lease(pool, second)};
      Task<Void> inFlight =
          dispatcher.submitAsync(
              Demand.any(),
              slot -> slot.device().equals(first) ? TestingWork.launchHang(slot) : DONE,
              TRIES);
      until("it runs on the first", () -> cuda.calls("cuLaunchKernel") > 0);
      List.of(busy).forEach(Lease::giveBack);

      assertThatThrownBy(
              () -> dispatcher.dispatch(Demand.any().onlyOn(first.id()), TestingWork::launchWild))
          .as("by the driver, or because what is in flight has met it first")
          .isInstanceOfAny(ComputeException.DriverFailed.class, ComputeException.Poisoned.class)
          .hasMessageContaining("CUDA_ERROR_ILLEGAL_ADDRESS (700)");

      assertThat(pool.health(first.id())).isEqualTo(Health.QUARANTINED);
      assertThat(((Outcome.Succeeded<Void>) inFlight.await()).device()).isEqualTo(second);
      assertThat(computeMany(dispatcher, 20)).isEqualTo(numbers(20));
      assertThat(entry(pool, first).generation()).isZero();

      nanos.addAndGet(REST.toNanos());
      until("it was probed", () -> pool.health(first.id()) == Health.PROBING);
      assertThat(entry(pool, first).generation()).isEqualTo(1);
      assertThat(cuda.calls("cuDevicePrimaryCtxReset_v2")).isEqualTo(1);
      assertThat(
              dispatcher
                  .dispatch(Demand.any().onlyOn(first.id()), slot -> TestingWork.compute(7, slot))
                  .value())
          .isEqualTo(1007);
      assertThat(pool.health(first.id())).isEqualTo(Health.READY);

      int frees = cuda.calls("cuMemFree_v2");
      try (Lease lease = lease(pool, first)) {
        assertThatThrownBy(() ->
                lease.run(slot -> {
                  slot.context(ComputeContext.class).stream().fill(kept[0], (byte) 0);
                  return 1;
                }))
            .isInstanceOf(ComputeException.StaleGeneration.class);
        kept[0].close();
        assertThat(lease.<Integer, RuntimeException>run(slot -> TestingWork.compute(1, slot)))
            .isEqualTo(1001);
        lease.succeed();
      }
      assertThat(cuda.calls("cuMemFree_v2"))
          .as("the work's is kept for the next, and that of the dead generation is left alone")
          .isEqualTo(frees);
    }
    assertThat(cuda.afterPoison())
        .as("what those asked that did not know yet, and nothing to free")
        .doesNotContain("cuMemFree_v2", "cuMemFreeHost", "cuStreamDestroy_v2", "cuModuleUnload");
    cuda.requireCleanBooks();
  }

  @Test
  void aDeviceWhoseProbeFailsStaysOutUntilItPasses() throws Exception {
    try (DevicePool pool = open();
        Dispatcher dispatcher = Dispatcher.on(pool)) {
      assertThatThrownBy(
              () -> dispatcher.dispatch(Demand.any().onlyOn(first.id()), TestingWork::launchWild))
          .isInstanceOf(ComputeException.DriverFailed.class);
      cuda.fail("cuMemcpyDtoDAsync_v2:0:719:0");
      nanos.addAndGet(REST.toNanos());
      until("it was probed", () -> cuda.calls("cuMemcpyDtoDAsync_v2") == 1);
      assertThat(pool.health(first.id())).isEqualTo(Health.QUARANTINED);
      assertThat(computeMany(dispatcher, 4)).isEqualTo(numbers(4));

      cuda.forgive();
      until(
          "it was probed again",
          () -> {
            nanos.addAndGet(REST.toNanos());
            return pool.health(first.id()) == Health.PROBING;
          });
      assertThat(entry(pool, first).generation()).isGreaterThan(1);
    }
    cuda.requireCleanBooks();
  }

  @Test
  void aDeviceThatFallsOffTheBusLeavesThePoolAtOnceAndTheRestGoOn() throws Exception {
    List<Health> heard = new CopyOnWriteArrayList<>();
    PoolListener listener =
        event -> {
          if (event instanceof PoolListener.Event.HealthChanged change) {
            heard.add(change.to());
          }
        };
    try (DevicePool pool =
            DevicePool.open(
                found, options(Duration.ZERO).withTicker(nanos::get).withListener(listener));
        Dispatcher dispatcher = Dispatcher.on(pool)) {
      assertThat(computeMany(dispatcher, 8)).isEqualTo(numbers(8));
      cuda.lose(0);
      nanos.addAndGet(Duration.ofMillis(30).toNanos());
      until("the next poll finds out and it leaves", () -> pool.devices().equals(List.of(second)));
      assertThat(computeMany(dispatcher, 8)).isEqualTo(numbers(8));
    }
    // A pool that has closed has told all that had happened.
    assertThat(heard).as("without a quarantine before").containsExactly(Health.LOST);
    cuda.requireCleanBooks();
  }

  @Test
  void workOnADeviceThatIsLostUnderItIsDoneElsewhere() throws Exception {
    try (DevicePool pool = open();
        Dispatcher dispatcher = Dispatcher.on(pool)) {
      Lease[] busy = {lease(pool, second), lease(pool, second)};
      Task<Integer> task =
          dispatcher.submit(
              Demand.any(),
              slot -> {
                if (slot.device().equals(first)) {
                  List.of(busy).forEach(Lease::giveBack);
                  cuda.lose(0);
                }
                return TestingWork.compute(5, slot);
              },
              TRIES);

      Outcome<Integer> outcome = task.await();
      assertThat(outcome.orThrow()).isEqualTo(1005);
      assertThat(((Outcome.Succeeded<Integer>) outcome).failures())
          .singleElement()
          .satisfies(each -> assertThat(Fault.of(each.cause())).isEqualTo(Fault.LOST));
      until("it has left", () -> pool.devices().equals(List.of(second)));
    }
    cuda.requireCleanBooks();
  }

  @Test
  void outOfMemoryIsTriedElsewhereAndCostsTheDeviceNothing() throws Exception {
    try (DevicePool pool = open();
        Dispatcher dispatcher = Dispatcher.on(pool)) {
      cuda.fail("cuMemAlloc_v2:1:2");
      Outcome<Integer> outcome =
          dispatcher.submit(Demand.any(), slot -> TestingWork.compute(3, slot), TRIES).await();

      assertThat(outcome.orThrow()).isEqualTo(1003);
      assertThat(((Outcome.Succeeded<Integer>) outcome).failures())
          .singleElement()
          .extracting(FailedAttempt::cause)
          .isInstanceOf(ComputeException.OutOfMemory.class);
      assertThat(List.of(pool.health(first.id()), pool.health(second.id())))
          .containsOnly(Health.READY);
    }
    cuda.requireCleanBooks();
  }

  @Test
  void outOfMemoryIsTriedAgainWhenAnotherHasFreedSome() throws Exception {
    cuda.memory(0, 4096);
    try (DevicePool pool = open()) {
      try (Lease holder = lease(pool, first);
          Lease waiting = lease(pool, first)) {
        DeviceBuffer most = holder.run(slot -> slot.context(ComputeContext.class).allocate(4096));
        Thread.ofVirtual()
            .start(() -> {
              until("the other has asked", () -> cuda.calls("cuMemAlloc_v2") == 2);
              freeOn(holder, most);
            });
        long got =
            waiting.run(slot -> {
              try (DeviceBuffer late = slot.context(ComputeContext.class).allocate(4096)) {
                return late.bytes();
              }
            });
        assertThat(got).isEqualTo(4096);
        holder.succeed();
        waiting.succeed();
      }
    }
    cuda.requireCleanBooks();
  }

  private static void freeOn(Lease lease, DeviceBuffer buffer) {
    try {
      lease.run(slot -> {
        buffer.close();
        return true;
      });
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aCompletionThatNeverComesIsGivenUpByTheWatchdog() throws Exception {
    try (DevicePool pool = DevicePool.open(found, options(Duration.ofMillis(400)));
        Dispatcher dispatcher = Dispatcher.on(pool)) {
      try (Lease lease = lease(pool, first)) {
        lease.endWith(lease.run(TestingWork::launchHang));
        until("it was given up", () -> pool.health(first.id()) != Health.READY);
      }
      assertThat(computeMany(dispatcher, 8)).isEqualTo(numbers(8));
      cuda.releaseHung();
    }
  }

  @Test
  void aCallThatHangsIsGivenUpByTheWatchdog() throws Exception {
    try (DevicePool pool = DevicePool.open(found, options(Duration.ofMillis(400)))) {
      try (Lease lease = lease(pool, first)) {
        assertThatThrownBy(() ->
                lease.run(slot -> {
                  CompletionStage<Void> _ = TestingWork.launchHang(slot);
                  slot.context(ComputeContext.class).stream().synchronise();
                  return 1;
                }))
            .isInstanceOf(PoolException.WorkHung.class);
      }
      assertThat(pool.health(first.id())).isNotEqualTo(Health.READY);
      try (Lease lease = pool.lease(Demand.any(), LONG)) {
        assertThat(lease.device()).isEqualTo(second);
        assertThat(lease.<Integer, RuntimeException>run(slot -> TestingWork.compute(4, slot)))
            .isEqualTo(1004);
        lease.succeed();
      }
      cuda.releaseHung();
    }
  }

  /** The load of the first device, a poll later. */
  private Load load(DevicePool pool) {
    nanos.addAndGet(Duration.ofMillis(20).toNanos());
    return pool.load(first.id());
  }

  @Test
  void freeMemoryAndStreamsOfOthersFeedTheLoad() throws Exception {
    try (DevicePool pool = open()) {
      try (Lease lease = lease(pool, first)) {
        cuda.others(0, 1, 0, 2);
        DeviceBuffer buffer =
            lease.run(slot -> slot.context(ComputeContext.class).allocate(1 << 20));
        until(
            "the load says so",
            () ->
                load(pool).freeBytes() == (1 << 30) - (1 << 20) && load(pool).activeStreams() == 3);
        cuda.fail("cuMemGetInfo_v2:0:46:0");
        until("what is known grows old", () -> load(pool).age().compareTo(REST) > 0);
        assertThat(pool.health(first.id()))
            .as("and the device is doubted")
            .isNotEqualTo(Health.READY);
        cuda.forgive();
        lease.run(slot -> {
          buffer.close();
          return true;
        });
        lease.succeed();
      }
    }
    cuda.requireCleanBooks();
  }
}
