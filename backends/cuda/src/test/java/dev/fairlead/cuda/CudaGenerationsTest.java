package dev.fairlead.cuda;

import static dev.fairlead.cuda.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.compute.ComputeContext;
import dev.fairlead.compute.DeviceBuffer;
import dev.fairlead.compute.driver.ComputeException;
import dev.fairlead.device.Device;
import dev.fairlead.device.Discovery;
import dev.fairlead.health.Health;
import dev.fairlead.lease.Lease;
import dev.fairlead.lease.PoolException;
import dev.fairlead.policy.Demand;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.PoolOptions;
import dev.fairlead.pool.Timing;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is left of a generation after it died, end to end against the driver double. */
class CudaGenerationsTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  private final TestingCuda cuda = TestingCuda.with(1);
  private final Discovery found = cuda.provider().discover(List.of());
  private final Device device = found.devices().getFirst();

  private Lease lease(DevicePool pool) throws InterruptedException {
    return pool.lease(Demand.any().onlyOn(device.id()), LONG);
  }

  private static DeviceBuffer keep(Lease lease) throws InterruptedException {
    return lease.run(slot -> slot.context(ComputeContext.class).allocate(4));
  }

  private static void fill(Lease lease, DeviceBuffer buffer) throws InterruptedException {
    lease.run(slot -> {
      slot.context(ComputeContext.class).stream().fill(buffer, (byte) 0);
      return true;
    });
  }

  @Test
  void aPoisonedContextRefusesWorkThatIsStillInsideWithoutAskingTheDriver() throws Exception {
    try (DevicePool pool = DevicePool.open(found)) {
      try (Lease inside = lease(pool)) {
        DeviceBuffer kept = keep(inside);
        try (Lease astray = lease(pool)) {
          assertThatThrownBy(() -> astray.run(TestingWork::launchWild))
              .hasMessageContaining("CUDA_ERROR_ILLEGAL_ADDRESS (700)");
        }
        List<String> before = cuda.afterPoison();
        assertThatThrownBy(() -> fill(inside, kept))
            .isInstanceOfSatisfying(
                ComputeException.Poisoned.class,
                refusal ->
                    assertThat(refusal.driverError().orElseThrow().name())
                        .isEqualTo("CUDA_ERROR_ILLEGAL_ADDRESS"));
        kept.close();
        boolean sampled = inside.run(slot -> slot.context().sample().isPresent());
        assertThat(sampled).as("what is known without asking").isTrue();
        assertThat(cuda.afterPoison()).isEqualTo(before);
      }
    }
    cuda.requireCleanBooks();
  }

  /** After a hang the old context stays open, so that its buffers do not even know of their end. */
  @Test
  void whatAHungGenerationOwnedIsRefusedInTheNext() throws Exception {
    PoolOptions options =
        PoolOptions.usual()
            .withTiming(
                Timing.usual()
                    .withPoll(Duration.ofMillis(20))
                    .withWatchdog(Duration.ofMillis(400)));
    try (DevicePool pool = DevicePool.open(found, options)) {
      DeviceBuffer kept;
      try (Lease lease = lease(pool)) {
        kept = keep(lease);
        assertThatThrownBy(() ->
                lease.run(slot -> {
                  var _ = TestingWork.launchHang(slot);
                  slot.context(ComputeContext.class).stream().synchronise();
                  return 1;
                }))
            .isInstanceOf(PoolException.WorkHung.class);
      }
      cuda.releaseHung();
      until("it serves again", () -> pool.health(device.id()) == Health.PROBING);
      int fills = cuda.calls("cuMemsetD8Async");
      try (Lease lease = lease(pool)) {
        assertThatThrownBy(() -> fill(lease, kept))
            .isInstanceOf(ComputeException.StaleGeneration.class);
        int frees = cuda.calls("cuMemFree_v2");
        kept.close();
        assertThat(lease.<Integer, RuntimeException>run(slot -> TestingWork.compute(1, slot)))
            .isEqualTo(1001);
        assertThat(cuda.calls("cuMemFree_v2"))
            .as("the work's is kept, and that of the hung generation is left alone")
            .isEqualTo(frees);
        assertThat(cuda.calls("cuMemsetD8Async")).isEqualTo(fills);
        lease.succeed();
      }
    }
  }
}
