package dev.fairlead.media.av;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SystemDriversTest {
  @TempDir private Path directory;

  /** Loads FFmpeg as a worker does. */
  static final class TestingStart {
    private TestingStart() {}

    public static void main(String[] arguments) {
      System.out.println(Ffmpeg.version());
    }
  }

  /** The loader of the system writes down which library each function was taken from. */
  @Test
  void ffmpegTakesTheSystemsVaapi() throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                TestingStart.class.getName())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("out").toFile());
    builder.environment().put("LD_DEBUG", "bindings");
    builder.environment().put("LD_BIND_NOW", "1");
    builder.environment().put("LD_DEBUG_OUTPUT", directory.resolve("bound").toString());
    Process process = builder.start();
    try {
      assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    } finally {
      process.destroyForcibly();
    }

    assertThat(process.exitValue()).as(Files.readString(directory.resolve("out"))).isZero();
    assertThat(bindings(process.pid()))
        .isNotEmpty()
        .allSatisfy(line -> assertThat(line).doesNotContain("javacpp").contains("libva.so.2"));
  }

  private List<String> bindings(long pid) throws IOException {
    try (Stream<String> lines = Files.lines(directory.resolve("bound." + pid))) {
      return lines
          .filter(line -> line.contains("libavutil") && line.contains("`vaInitialize'"))
          .map(line -> line.replaceFirst(".* to ", ""))
          .toList();
    }
  }
}
