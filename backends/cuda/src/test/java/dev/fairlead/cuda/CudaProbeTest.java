package dev.fairlead.cuda;

import static dev.fairlead.cuda.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.compute.driver.ComputeException;
import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceContext;
import dev.fairlead.device.Discovery;
import dev.fairlead.dispatch.Dispatcher;
import dev.fairlead.event.PoolListener;
import dev.fairlead.health.Health;
import dev.fairlead.policy.Demand;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.PoolOptions;
import dev.fairlead.pool.Timing;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** What a CUDA device has to show after a fault before it serves again. */
class CudaProbeTest {
  private static final Duration LONGEST_REST = Duration.ofMinutes(5);
  private static final Duration WHILE = Duration.ofMillis(500);

  /** The clock goes by minutes at once, which must not make a probe seem late. */
  private static final Duration EVER = Duration.ofDays(365);

  private final TestingCuda cuda = TestingCuda.with(1);
  private final CudaProvider provider = cuda.provider();
  private final Discovery found = provider.discover(List.of());
  private final Device device = found.devices().getFirst();
  private final AtomicLong nanos = new AtomicLong();
  private final List<Throwable> troubles = new CopyOnWriteArrayList<>();

  private DevicePool open() {
    PoolListener listener =
        event -> {
          // A poll may meet the error of a kernel as well.
          if (event instanceof PoolListener.Event.Trouble trouble
              && trouble.what().equals("probing")) {
            troubles.add(trouble.cause());
          }
        };
    return DevicePool.open(
        found,
        PoolOptions.usual()
            .withTiming(Timing.usual().withPoll(Duration.ofMillis(20)).withOpening(EVER))
            .withTicker(nanos::get)
            .withListener(listener));
  }

  private void goAstray(DevicePool pool) {
    try (Dispatcher dispatcher = Dispatcher.on(pool)) {
      assertThatThrownBy(() -> dispatcher.dispatch(Demand.any(), TestingWork::launchWild))
          .hasMessageContaining("CUDA_ERROR_ILLEGAL_ADDRESS (700)");
    }
    assertThat(pool.health(device.id())).isEqualTo(Health.QUARANTINED);
  }

  private void untilTrouble(Class<? extends Throwable> kind) {
    untilProbed("a probe has failed", () -> troubles.stream().anyMatch(kind::isInstance));
  }

  private void untilItServes(DevicePool pool) {
    untilProbed("a probe has passed", () -> pool.health(device.id()) == Health.PROBING);
  }

  /** Moves the clock to the next probe, and on only if nothing has come of that for a while. */
  private void untilProbed(String what, BooleanSupplier condition) {
    AtomicLong moved = new AtomicLong(System.nanoTime() - WHILE.toNanos());
    until(
        what,
        () -> {
          boolean come = condition.getAsBoolean();
          if (!come && System.nanoTime() - moved.get() >= WHILE.toNanos()) {
            nanos.addAndGet(LONGEST_REST.toNanos());
            moved.set(System.nanoTime());
          }
          return come;
        });
  }

  @Test
  void aProbeRunsAKernel() {
    try (DeviceContext context = provider.open(device)) {
      context.bind();
      context.probe();
    }
    assertThat(cuda.calls("cuLaunchKernel")).isEqualTo(1);
    cuda.requireCleanBooks();
  }

  @Test
  void aDeviceThatCopiesAndDoesNotComputeStaysOut() {
    try (DevicePool pool = open()) {
      goAstray(pool);
      cuda.fail("cuLaunchKernel:0:719");
      untilTrouble(ComputeException.DriverFailed.class);
      assertThat(pool.health(device.id())).isEqualTo(Health.QUARANTINED);

      cuda.forgive();
      untilItServes(pool);
    }
    cuda.requireCleanBooks();
  }

  @Test
  void aDeviceThatComputesWronglyStaysOut() {
    try (DevicePool pool = open()) {
      goAstray(pool);
      cuda.idleKernels(0, true);
      untilTrouble(ComputeException.WrongResult.class);
      assertThat(pool.health(device.id())).isEqualTo(Health.QUARANTINED);

      cuda.idleKernels(0, false);
      untilItServes(pool);
    }
    cuda.requireCleanBooks();
  }

  @Test
  void anErrorThatOutlivesTheResetNeedsANewProcess() {
    cuda.keepErrors(0);
    try (DevicePool pool = open()) {
      goAstray(pool);
      untilTrouble(ComputeException.NeedsNewProcess.class);

      assertThat(pool.health(device.id())).isEqualTo(Health.QUARANTINED);
      assertThat(troubles.getLast())
          .hasMessageContaining("CUDA_ERROR_ILLEGAL_ADDRESS (700)")
          .hasMessageContaining("needs a new process");
    }
    cuda.requireCleanBooks();
  }

  @Test
  void anErrorOfAGenerationThatHasServedIsOneOfItsOwn() {
    try (DevicePool pool = open()) {
      goAstray(pool);
      untilItServes(pool);
      goAstray(pool);
      untilItServes(pool);
    }
    assertThat(troubles).isEmpty();
    cuda.requireCleanBooks();
  }
}
