package dev.fairlead.cli;

import dev.fairlead.benchmarks.StartBench;
import java.io.IOException;
import java.util.Locale;
import java.util.function.Consumer;
import picocli.CommandLine.Command;

/** Measures what starting costs. */
@Command(
    name = "start",
    description =
        "Transcode five pictures and look into their file, in turn with the bundled "
            + "ffmpeg, which encodes the same. Quiet machines give steadier figures.",
    mixinStandardHelpOptions = true)
final class BenchStartCommand extends BenchRun {
  BenchStartCommand() {}

  @Override
  Answer measure(int rounds, Consumer<String> progress) throws IOException, InterruptedException {
    StartBench.Figures figures = StartBench.run(ThisProgram.command(), rounds, progress);
    return new Answer(json(figures), table(figures));
  }

  private static String json(StartBench.Figures f) {
    return String.format(
        Locale.ROOT,
        "{\"transcodeWallSeconds\":%.3f,\"transcodeCpuSeconds\":%.3f,\"probeWallSeconds\":%.3f,"
            + "\"ffmpegWallSeconds\":%.3f,\"rounds\":%d}",
        f.transcodeWallSeconds(),
        f.transcodeCpuSeconds(),
        f.probeWallSeconds(),
        f.ffmpegWallSeconds(),
        f.rounds());
  }

  private static String table(StartBench.Figures f) {
    return String.format(
        Locale.ROOT,
        """
        Five pictures of 640x360, medians of %d rounds
          transcode  %.2f s, %.2f s of cpu
          probe      %.2f s
          ffmpeg     %.2f s\
        """,
        f.rounds(),
        f.transcodeWallSeconds(),
        f.transcodeCpuSeconds(),
        f.probeWallSeconds(),
        f.ffmpegWallSeconds());
  }
}
