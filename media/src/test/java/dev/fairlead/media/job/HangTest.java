package dev.fairlead.media.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.TestingClips;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A worker counts as hung when it has given no sign of progress for so long. */
class HangTest {
  private static final Duration PATIENCE = Duration.ofSeconds(6);

  @TempDir private Path directory;

  private static Path clip() {
    return TestingClips.clip(
        "short.mp4", "-f lavfi -i testsrc2=s=320x180:r=25 -t 1 -c:v libopenh264 -an");
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
