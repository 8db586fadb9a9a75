package dev.fairlead.media.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.TestingClips;
import dev.fairlead.media.plan.LadderSpec;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Encoders come and go beside one another in one process, thousands of times. */
class ManyEncodersTest {
  private static final int CHUNKS = Boolean.getBoolean("fairlead.full") ? 20_000 : 1_000;

  /** At two seconds a frame, every frame is a chunk of its own. */
  private static final String FRAMES =
      "-f lavfi -i testsrc2=s=64x64:r=1/2 -c:v mpeg4 -frames:v " + CHUNKS / 2;

  @TempDir private Path directory;

  @Test
  void noWorkerDiesOfManyEncodersInOneProcess() throws Exception {
    Path source = TestingClips.clip("frames.mp4", FRAMES);
    TranscodeResult result =
        TestingJobs.run(
            TestingJobs.request(source, directory.resolve("out"))
                .withLadder(LadderSpec.parse("64x64,32x32")),
            "cpu:2");
    assertThat(result.workerRestarts()).isZero();
    assertThat(result.devices())
        .extracting(TranscodeResult.DeviceResult::chunks)
        .hasSize(2)
        .allMatch(chunks -> chunks > 0);
    assertThat(result.rungs())
        .hasSize(2)
        .allSatisfy(rung ->
            assertThat(TestingJobs.keys(rung.manifest())).as(rung.name()).hasSize(CHUNKS / 2));
  }
}
