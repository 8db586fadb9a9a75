package dev.fairlead.media.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkerMainTest {
  private static final int SECONDS = 60;

  @TempDir private Path directory;

  @Test
  void endsIfItsParentIsGoneBeforeItCanConnect() throws Exception {
    Process worker =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                WorkerMain.class.getName(),
                directory.resolve("nobody").toString())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("log").toFile())
            .start();
    try {
      assertThat(worker.waitFor(SECONDS, TimeUnit.SECONDS)).as("whether it has ended").isTrue();
      assertThat(worker.exitValue()).isNotZero();
    } finally {
      worker.destroyForcibly();
    }
  }
}
