package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example in the README: it compiles, runs as a program, prints what is said, and ends. */
class ReadmeTest {
  private static final String PROGRAM = "Example";
  private static final int MOST_LINES = 12;
  private static final int MOST_SECONDS = 120;

  @TempDir private Path directory;

  @Test
  void theExamplePrintsWhatTheReadmeSays() throws IOException, InterruptedException {
    TestingDocument readme = TestingDocument.of("README.md");
    assertThat(readme.blocks("java")).hasSize(1);
    assertThat(readme.blocks("text")).as("the output of the example").hasSize(1);
    Path source = directory.resolve(PROGRAM + ".java");
    Files.writeString(source, readme.blocks("java").getFirst());

    TestingDocument.compile(source, directory);

    assertThat(run(PROGRAM)).isEqualTo(readme.blocks("text").getFirst());
  }

  @Test
  void theExampleIsShort() throws IOException {
    assertThat(TestingDocument.of("README.md").blocks("java").getFirst().lines())
        .filteredOn(line -> !line.isBlank())
        .hasSizeLessThanOrEqualTo(MOST_LINES);
  }

  /** Runs a compiled program in a JVM of its own, as a user would; what it printed. */
  private String run(String program) throws IOException, InterruptedException {
    File output = directory.resolve("output.txt").toFile();
    File errors = directory.resolve("errors.txt").toFile();
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home", ""), "bin", "java").toString(),
                "-classpath",
                directory + File.pathSeparator + TestingDocument.classPath(),
                program)
            .redirectOutput(output)
            .redirectError(errors)
            .start();
    try {
      assertThat(process.waitFor(MOST_SECONDS, TimeUnit.SECONDS)).as("it ends by itself").isTrue();
      assertThat(Files.readString(errors.toPath())).isEmpty();
      assertThat(process.exitValue()).isZero();
      return Files.readString(output.toPath());
    } finally {
      process.destroyForcibly();
    }
  }
}
