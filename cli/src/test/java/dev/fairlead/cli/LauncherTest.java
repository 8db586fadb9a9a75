package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.prepare.SourceTools;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as a process of its own, where the machine is not as usual. */
class LauncherTest {
  @TempDir private Path directory;

  private record Run(int code, String text) {}

  private Run run(Map<String, String> environment, List<String> command) throws Exception {
    Path log = directory.resolve("log");
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().keySet().removeIf(name -> name.startsWith("LC_") || name.equals("LANG"));
    builder.environment().putAll(environment);
    Process process = builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
      return new Run(
          process.exitValue(), new String(Files.readAllBytes(log), StandardCharsets.ISO_8859_1));
    } finally {
      process.destroyForcibly();
    }
  }

  /** How cron and systemd start programs. */
  @Test
  void namesMayHaveAnyLettersInTheLocaleC() throws Exception {
    Path clip = directory.resolve("clip.mp4");
    SourceTools.makeClip(clip, 1, 160, 90);
    String script =
        """
        set -eu
        source ../scripts/locale.sh
        name=$(printf '\\303\\244\\342\\202\\254')
        mv "$1/clip.mp4" "$1/$name.mp4"
        directory=$1
        shift
        exec "$@" transcode "$directory/$name.mp4" -o "$directory/$name" --ladder 160x90 \
          --preset 13 --devices cpu:1 --model none
        """;
    List<String> command = new ArrayList<>(List.of("bash", "-c", script, "bash"));
    command.add(directory.toString());
    command.addAll(ThisProgram.command());
    Run run = run(Map.of("LANG", "C"), command);

    assertThat(run.code()).as(run.text()).isZero();
    assertThat(run.text()).contains("master.m3u8");
  }

  @Test
  void aBenchmarkWithoutALibraryOfFfmpegSaysWhatToInstall() throws Exception {
    // A library of that name that cannot be loaded is as good as none.
    Path libraries = Files.createDirectory(directory.resolve("lib"));
    Files.writeString(libraries.resolve("libpulse.so.0"), "none");
    List<String> command = new ArrayList<>(ThisProgram.command());
    command.addAll(List.of("bench", "ladder", "--seconds", "1", "--rounds", "1"));
    Run run = run(Map.of("LD_LIBRARY_PATH", libraries.toString()), command);

    assertThat(run.code()).as(run.text()).isEqualTo(1);
    assertThat(run.text().lines().toList())
        .as(run.text())
        .anyMatch(line -> line.startsWith("fairlead: ") && line.contains("libpulse0"));
    assertThat(run.text()).doesNotContain("UnsatisfiedLinkError", "jniavdevice");
  }
}
