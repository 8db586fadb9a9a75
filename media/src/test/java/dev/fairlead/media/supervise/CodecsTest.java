package dev.fairlead.media.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.TestingClips;
import dev.fairlead.media.wire.Command;
import dev.fairlead.media.wire.Report;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The FFmpeg for older drivers is another one, in the worker alone. */
class CodecsTest {
  private static final Path JARS = Path.of("target/older-ffmpeg").toAbsolutePath();
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @TempDir private Path directory;

  @Test
  void jarsOfFfmpegAreReplacedAndAllElseStays() throws Exception {
    Path folder = Files.createDirectory(directory.resolve("older"));
    for (String name : List.of("ffmpeg-8.0-linux-x86_64.jar", "javacpp-1.jar", "readme.txt")) {
      Files.createFile(folder.resolve(name));
    }
    String usual = "/a/ffmpeg-8.1-linux-x86_64.jar:/a/ffmpeg-tools:/a/javacpp-2.jar:/b/own.jar";

    Codecs older = Codecs.older(folder, usual).orElseThrow();

    assertThat(older.classPath())
        .isEqualTo(
            "/a/ffmpeg-tools:/b/own.jar:%1$s/ffmpeg-8.0-linux-x86_64.jar:%1$s/javacpp-1.jar"
                .formatted(folder));
    assertThat(older.nativeJars()).containsExactly("ffmpeg-8.0-linux-x86_64.jar");
    assertThat(Codecs.older(directory.resolve("nowhere"), usual)).isEmpty();
    assertThat(Codecs.older(Files.createDirectory(directory.resolve("empty")), usual)).isEmpty();
  }

  @Test
  void aWorkerLoadsTheOlderOne() throws Exception {
    Codecs older = Codecs.older(JARS, Codecs.usual().classPath()).orElseThrow();
    Confinement limits = Confinement.to(List.of(TestingClips.usual()), List.of(directory));
    String usual;
    try (WorkerProcess worker =
        WorkerProcess.start(directory.resolve("usual.log"), limits, report -> {})) {
      usual = codecs(worker);
    }
    try (WorkerProcess worker =
        WorkerProcess.start(older, directory.resolve("older.log"), limits, report -> {})) {
      assertThat(codecs(worker)).contains("8.0.1").contains("libavcodec 62.11");
    }
    assertThat(usual).contains("8.1.2").contains("libavcodec 62.28");
  }

  private static String codecs(WorkerProcess worker) throws Exception {
    Report.Answer answer =
        worker.ask(number -> new Command.InspectSource(number, TestingClips.usual()), PATIENCE);
    return ((Report.Inspected) answer).codecs();
  }
}
