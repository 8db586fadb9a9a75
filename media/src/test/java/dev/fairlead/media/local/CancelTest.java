package dev.fairlead.media.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.device.Discovery;
import dev.fairlead.lease.Lease;
import dev.fairlead.media.TestingClips;
import dev.fairlead.media.job.ChaosPlan;
import dev.fairlead.media.job.JobOptions;
import dev.fairlead.media.job.TestingJobs;
import dev.fairlead.media.job.Transcode;
import dev.fairlead.media.job.TranscodeException;
import dev.fairlead.media.job.TranscodeListener;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.ServicePolicies;
import dev.fairlead.pool.DevicePool;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job is cancelled in every phase. */
class CancelTest {
  /** Less than a job waits for a device, or a source for its reader. */
  private static final long PATIENCE_SECONDS = 60;

  @TempDir private Path directory;

  private Transcode submit(DevicePool pool) {
    TranscodeRequest request = TestingJobs.request(TestingClips.usual(), directory.resolve("out"));
    JobOptions options =
        new JobOptions(pool, ServicePolicies.anyRung(), ChaosPlan.none(), Duration.ofMinutes(2));
    return new LocalTranscodes(options).submit(request, TranscodeListener.none());
  }

  private static void requireCancelled(Transcode transcode) {
    CompletableFuture<Object> end = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            end.complete(transcode.await());
          } catch (Throwable failure) {
            end.completeExceptionally(failure);
          }
        });
    assertThatThrownBy(() -> end.get(PATIENCE_SECONDS, TimeUnit.SECONDS))
        .cause()
        .isInstanceOf(TranscodeException.Cancelled.class);
  }

  @Test
  void beforeItsSourceIsInspected() {
    try (DevicePool pool = DevicePool.open(Discovery.find("cpu:1"))) {
      Transcode transcode = submit(pool);
      transcode.cancel();
      requireCancelled(transcode);
    }
  }

  @Test
  void whileATrialWaitsForItsDevice() throws Exception {
    try (DevicePool pool = DevicePool.open(Discovery.find("cpu:1"))) {
      Lease held = pool.lease(Demand.any(), Duration.ofSeconds(20));
      Transcode transcode = submit(pool);
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
      while (pool.snapshot().waiting() == 0) {
        assertThat(System.nanoTime() - end).as("the trial waits for the lane").isNegative();
        Thread.onSpinWait();
      }
      transcode.cancel();
      requireCancelled(transcode);
      held.succeed();
    }
  }
}
