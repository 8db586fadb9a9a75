package dev.fairlead.media.av;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.TestingClips;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class DecoderTest {
  @TempDir private Path directory;

  /** Forty pictures of 1280x720 are 55 MB. */
  @Test
  @Timeout(60)
  void whatADecoderKeepsForLaterIsGivenBack() throws Exception {
    Path source =
        TestingClips.clip(
            "trim.mp4", "-f lavfi -i testsrc2=s=1280x720:r=20 -t 2 -c:v mpeg4 -g 20 -an");
    Path said = directory.resolve("said");
    ProcessBuilder command =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                TestingTrim.class.getName(),
                source.toString())
            .redirectOutput(said.toFile());
    // As in a worker.
    command.environment().put("MALLOC_MMAP_THRESHOLD_", "262144");
    Process process = command.start();
    assertThat(process.waitFor(40, TimeUnit.SECONDS)).isTrue();
    List<Long> bytes =
        Stream.of(Files.readString(said, UTF_8).strip().split(" ")).map(Long::valueOf).toList();
    assertThat(bytes.get(0) - bytes.get(1)).as("given back without that").isLessThan(20_000_000);
    assertThat(bytes.get(1) - bytes.get(2)).as("given back").isGreaterThan(30_000_000);
  }
}
