package dev.fairlead.doctor.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.doctor.TestingMachine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckProcessTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path directory;

  @AfterEach
  void restore() throws IOException {
    TestingMachine.restore();
    TestingMachine.clear();
  }

  @Test
  void aProcessThatIsKilledInMidCheckLeavesNothingBehind() throws Exception {
    TestingMachine machine =
        TestingMachine.nvidia(directory, 1, "610.10").with("NVIDIA_DOUBLE_FAULTS", "0=1:hang");
    machine.use();
    Path folder;
    try (CheckProcess process =
        CheckProcess.start(
            machine.environment(),
            List.of(
                ChildMain.CHECK,
                TestingChecks.THOROUGH.argument(),
                "cuda:0",
                "cuda:0",
                "encode.nvenc-h264.8bit.360p"))) {
      folder = process.folder();
      awaitTrials(folder);
    }

    assertThat(folder).doesNotExist();
  }

  /** Waits until there is a worker, which does not come to an end. */
  private static void awaitTrials(Path folder) throws IOException {
    long started = System.nanoTime();
    while (true) {
      try (Stream<Path> files = Files.list(folder)) {
        if (files.anyMatch(file -> file.getFileName().toString().startsWith("fairlead-trials"))) {
          return;
        }
      }
      assertThat(System.nanoTime() - started).as("no trial begins").isLessThan(PATIENCE.toNanos());
      LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
    }
  }
}
