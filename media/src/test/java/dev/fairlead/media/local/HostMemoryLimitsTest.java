package dev.fairlead.media.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.device.Discovery;
import dev.fairlead.media.TestingClips;
import dev.fairlead.media.job.HostException;
import dev.fairlead.media.job.JobOptions;
import dev.fairlead.media.job.JobState;
import dev.fairlead.media.job.TestingJobs;
import dev.fairlead.media.job.Transcode;
import dev.fairlead.media.job.TranscodeException;
import dev.fairlead.media.job.TranscodeListener;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.pool.DevicePool;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Less memory than a job needs, and more than there can be. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class HostMemoryLimitsTest {
  @TempDir private Path directory;

  private final DevicePool pool = DevicePool.open(Discovery.find("cpu:2"));
  private final JobOptions options = JobOptions.usual(pool);

  @AfterEach
  void closePool() {
    pool.close();
  }

  private TranscodeRequest request(String name) {
    return TestingJobs.request(TestingClips.usual(), directory.resolve(name));
  }

  @Test
  void aBudgetBelowTheLeastThatAJobNeedsFailsThatJob() throws Exception {
    try (TranscodeHost host =
        TranscodeHost.open(
            options.withMemoryBytes(1_000_000), HostLimits.usual(pool).withMinFreeBytes(0))) {
      Transcode job =
          host.submit(JobOrder.of(request("small"), options.withMemoryBytes(1_000_000)));
      assertThatThrownBy(job::await).isInstanceOf(TranscodeException.TooLarge.class);
      assertThat(job.status().state()).isEqualTo(JobState.FAILED);
    }
  }

  @Test
  void moreMemoryThanThereIsIsRefused() {
    assertThatThrownBy(() ->
            TranscodeHost.open(options.withMemoryBytes(Long.MAX_VALUE), HostLimits.usual(pool)))
        .isInstanceOf(HostException.TooMuchMemory.class)
        .hasMessageContaining("8 EiB of memory are for jobs");
    LocalTranscodes alone = new LocalTranscodes(options.withMemoryBytes(Long.MAX_VALUE));
    assertThatThrownBy(() -> alone.submit(request("alone"), TranscodeListener.none()))
        .isInstanceOf(HostException.TooMuchMemory.class);
    assertThat(directory.resolve("alone")).doesNotExist();
  }
}
