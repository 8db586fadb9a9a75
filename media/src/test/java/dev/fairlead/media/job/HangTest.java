package dev.fairlead.media.job;

import static org.assertj.core.api.Assertions.assertThat;

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
  private static final Duration PATIENCE = Duration.ofSeconds(4);

  @TempDir private Path directory;

  private static Path clip() {
    return TestingClips.clip(
        "short.mp4", "-f lavfi -i testsrc2=s=320x180:r=25 -t 1 -c:v libopenh264 -an");
  }

  /** All of the chunk takes about twice as long on one core, each group of pictures far less. */
  @Test
  void aChunkMayTakeLongerWhilePicturesComeOut() throws Exception {
    Path source =
        TestingClips.clip(
            "busy.mp4",
            "-f lavfi -i testsrc2=s=480x270:r=200,noise=alls=40:allf=t -t 2 -c:v libopenh264"
                + " -b:v 10M -an");
    TranscodeResult result =
        TestingJobs.run(
            TestingJobs.request(source, directory.resolve("out"))
                .withLadder(LadderSpec.parse("480x270@crf20"))
                .withPreset(4),
            "cpu:1",
            ChaosPlan.none(),
            Duration.ofSeconds(10),
            TranscodeListener.none());
    assertThat(result.workerRestarts()).isZero();
    assertThat(result.rungs().getFirst().frames()).isEqualTo(400);
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
    assertThat(result.workerRestarts()).isEqualTo(1);
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
