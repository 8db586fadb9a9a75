package dev.fairlead.media.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Driver doubles: C sources of the tests, compiled with gcc. */
final class TestingDoubles {
  private static final Path SOURCES = Path.of("src/test/c");
  private static final Duration LONGEST = Duration.ofMinutes(2);

  private TestingDoubles() {}

  /**
   * Where the libraries of a folder of sources are, among the classes: a worker may read these.
   * Tests of another process have others.
   */
  static Path build(String sources) {
    try {
      String name = "%s-%d".formatted(sources, ProcessHandle.current().pid());
      Path folder =
          Files.createDirectories(Path.of("target", "test-classes", name)).toAbsolutePath();
      compile(SOURCES.resolve(sources), folder);
      return folder;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException("Interrupted while gcc ran", interrupted);
    }
  }

  private static void compile(Path sources, Path folder) throws IOException, InterruptedException {
    Path said = folder.resolve("build.said");
    Process build =
        new ProcessBuilder("sh", sources.resolve("build.sh").toString(), folder.toString())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    boolean ended = build.waitFor(LONGEST.toSeconds(), TimeUnit.SECONDS);
    build.destroyForcibly();
    String text = Files.readString(said, StandardCharsets.UTF_8);
    assertThat(ended && build.exitValue() == 0)
        .as(
            "Driver doubles are compiled with gcc (on Debian: apt-get install gcc libc6-dev"
                + " libva-dev; ./verify does): %s",
            text)
        .isTrue();
  }
}
