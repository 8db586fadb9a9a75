package dev.fairlead.media.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.fairlead.media.TestingClips;
import dev.fairlead.media.plan.LadderSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A worker counts as hung when it has given no sign of progress for so long, and only then. */
class HangTest {
  private static final Duration PATIENCE = Duration.ofSeconds(6);
  private static final Duration LONGER = Duration.ofSeconds(10);

  @TempDir private Path directory;

  private static Path clip() {
    return TestingClips.clip(
        "short.mp4", "-f lavfi -i testsrc2=s=320x180:r=25 -t 1 -c:v libopenh264 -an");
  }

  /** A chunk that takes longer than that on this machine, each of its pictures far less. */
  @Test
  void aChunkMayTakeLongerWhilePicturesComeOut() throws Exception {
    for (int rate = 200; rate <= 3_200; rate *= 2) {
      TranscodeResult result = transcodeChunk(rate);
      assertThat(result.workerRestarts()).isZero();
      assertThat(result.rungs().getFirst().frames()).isEqualTo(2L * rate);
      if (result.devices().getFirst().busySeconds() > (double) LONGER.toSeconds()) {
        return;
      }
    }
    fail("No chunk took longer than " + LONGER);
  }

  private TranscodeResult transcodeChunk(int rate) throws Exception {
    Path source =
        TestingClips.clip(
            "busy%d.mp4".formatted(rate),
            "-f lavfi -i testsrc2=s=480x270:r=%d,noise=alls=40:allf=t -t 2 -c:v libopenh264 -b:v 10M -an"
                .formatted(rate));
    return TestingJobs.run(
        TestingJobs.request(source, directory.resolve("out" + rate))
            .withLadder(LadderSpec.parse("480x270@crf20"))
            .withPreset(4),
        "cpu:1",
        ChaosPlan.none(),
        LONGER,
        TranscodeListener.none());
  }

  @Test
  void aDecoderThatGivesNoSignIsReplaced() throws Exception {
    AtomicBoolean stopped = new AtomicBoolean();
    TranscodeResult result =
        TestingJobs.run(
            TestingJobs.request(clip(), directory.resolve("out")),
            "cpu:1",
            ChaosPlan.none(),
            PATIENCE,
            event -> {
              if (event instanceof TranscodeListener.Event.Planned
                  && stopped.compareAndSet(false, true)) {
                stopWorkers();
              }
            });
    assertThat(stopped).isTrue();
    assertThat(result.workerRestarts()).isPositive();
    assertThat(result.rungs().getFirst().frames()).isEqualTo(25);
  }

  private static void stopWorkers() {
    ProcessHandle.current()
        .children()
        .forEach(worker -> {
          try {
            new ProcessBuilder("kill", "-STOP", String.valueOf(worker.pid()))
                .start()
                .waitFor(10, TimeUnit.SECONDS);
          } catch (Exception failure) {
            throw new IllegalStateException(failure);
          }
        });
  }
}
