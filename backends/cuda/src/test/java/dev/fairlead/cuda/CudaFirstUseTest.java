package dev.fairlead.cuda;

import static dev.fairlead.cuda.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.compute.ComputeContext;
import dev.fairlead.device.Device;
import dev.fairlead.device.Discovery;
import dev.fairlead.device.Slot;
import dev.fairlead.dispatch.Dispatcher;
import dev.fairlead.dispatch.Task;
import dev.fairlead.health.Health;
import dev.fairlead.policy.Demand;
import dev.fairlead.pool.ContextHandle;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.PoolOptions;
import dev.fairlead.pool.Timing;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Pools that open contexts by their first use, end to end against the driver double. */
@Timeout(120)
class CudaFirstUseTest {
  private static final Demand ENCODES = Demand.of("a chunk", 1).withoutContext();

  /** However far a test moves the clock, no probe seems to hang. */
  private static final Timing TIMING =
      Timing.usual().withPoll(Duration.ofMillis(20)).withOpening(ChronoUnit.FOREVER.getDuration());

  private static final String RETAIN = "cuDevicePrimaryCtxRetain";

  private final TestingCuda cuda = TestingCuda.with(2);
  private final CudaProvider provider = cuda.provider();
  private final Discovery found = provider.discover(List.of());
  private final Device first = found.devices().getFirst();
  private final Device second = found.devices().getLast();
  private final AtomicLong nanos = new AtomicLong();

  @AfterEach
  void allWasGivenBack() {
    cuda.requireCleanBooks();
  }

  private DevicePool open() {
    return DevicePool.open(
        found, PoolOptions.usual().withTiming(TIMING).withTicker(nanos::get).withContextsOnUse());
  }

  private static Device computes(Slot slot) {
    slot.context(ComputeContext.class).probe();
    return slot.device();
  }

  private static Demand on(Device device) {
    return Demand.any().onlyOn(device.id());
  }

  @Test
  void aPoolForEncodingOpensNoContextAndSeesWhatOthersDo() throws Exception {
    cuda.memory(0, 1L << 20);
    cuda.others(0, 1, 0, 2);
    try (DevicePool pool = open();
        Dispatcher dispatcher = Dispatcher.on(pool)) {
      List<Task<Device>> chunks = new ArrayList<>();
      for (int i = 0; i < 16; i++) {
        chunks.add(dispatcher.submit(ENCODES, Slot::device));
      }
      for (Task<Device> chunk : chunks) {
        assertThat(chunk.await().orThrow()).isIn(first, second);
      }
      until("streams of others are seen", () -> pool.load(first.id()).activeStreams() == 3);
      assertThat(pool.load(first.id()).freeBytes()).isEqualTo(1L << 20);
    }
    assertThat(cuda.calls(RETAIN)).isZero();
    assertThat(cuda.calls("cuMemGetInfo_v2")).isZero();
  }

  @Test
  void threadsThatComputeAtOnceOpenOneContext() throws Exception {
    int threads = 6;
    CyclicBarrier together = new CyclicBarrier(threads);
    try (DevicePool pool = open();
        ExecutorService users = Executors.newFixedThreadPool(threads)) {
      List<Future<Device>> all = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        all.add(
            users.submit(() -> {
              together.await();
              return pool.<Device, RuntimeException>run(on(first), CudaFirstUseTest::computes);
            }));
      }
      for (Future<Device> user : all) {
        assertThat(user.get(60, TimeUnit.SECONDS)).isEqualTo(first);
      }
      assertThat(cuda.calls(RETAIN)).isEqualTo(1);
    }
  }

  @Test
  void aDeviceThatRefusesItsFirstUseIsInQuarantineAndComesBack() throws Exception {
    cuda.fail(RETAIN + ":1:46");
    try (DevicePool pool = open();
        Dispatcher dispatcher = Dispatcher.on(pool)) {
      Task<Device> elsewhere = dispatcher.submit(Demand.any(), CudaFirstUseTest::computes);
      Device refused = elsewhere.await().orThrow().equals(first) ? second : first;
      assertThat(pool.health(refused.id())).isEqualTo(Health.QUARANTINED);
      Task<Device> waiting = dispatcher.submit(on(refused), CudaFirstUseTest::computes);
      until(
          "a probe has opened it",
          () -> {
            if (pool.health(refused.id()) == Health.QUARANTINED) {
              nanos.addAndGet(Duration.ofSeconds(2).toNanos());
            }
            return waiting.isEnded();
          });
      assertThat(waiting.await().orThrow()).isEqualTo(refused);
      until("it is trusted", () -> pool.health(refused.id()) == Health.READY);
      assertThat(cuda.calls(RETAIN)).isEqualTo(3);
    }
  }

  @Test
  void aDeviceThatFallsOffTheBusLeavesThoughNoContextIsOpen() {
    try (DevicePool pool = open()) {
      cuda.lose(0);
      until("it has left", () -> pool.devices().equals(List.of(second)));
    }
    assertThat(cuda.calls(RETAIN)).isZero();
  }

  @Test
  void callersWhoBindAContextGetItThen() {
    try (DevicePool pool = open()) {
      assertThat(cuda.calls(RETAIN)).isZero();
      try (ContextHandle.Bound bound = pool.context(first.kind(), first.ordinal()).bind()) {
        assertThat(bound.context(ComputeContext.class).handles().context()).isNotZero();
      }
      assertThat(cuda.calls(RETAIN)).isEqualTo(1);
    }
  }

  @Test
  void inExclusiveModeTheDeviceIsLeftToTheWorker(@TempDir Path folder) throws Exception {
    Path exclusive = folder.resolve("exclusive");
    cuda.exclusive(0, exclusive);
    try (DevicePool pool = open()) {
      assertThat(
              pool.<String, Exception>run(
                  ENCODES.onlyOn(first.id()), slot -> TestingWorker.run(exclusive)))
          .isEqualTo("worked");

      // The double is as strict as it must be: once this process computes, a worker gets none.
      assertThat(pool.<Device, RuntimeException>run(on(first), CudaFirstUseTest::computes))
          .isEqualTo(first);
      assertThat(TestingWorker.run(exclusive)).startsWith("refused: ").contains("(46)");
    }
  }
}
