package dev.fairlead.cli;

import dev.fairlead.benchmarks.LadderBench;
import java.io.IOException;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures a whole transcode against the bundled ffmpeg. */
@Command(
    name = "ladder",
    description = {
      "Make the same three rungs of a 1080p clip by Fairlead and by the bundled ffmpeg "
          + "in one command.",
      "Takes many minutes. Quiet machines give steadier figures."
    },
    mixinStandardHelpOptions = true)
final class BenchLadderCommand extends BenchRun {

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "60",
      description = "How long the clip is (default: ${DEFAULT-VALUE}).")
  private int seconds;

  BenchLadderCommand() {}

  @Override
  Answer measure(int rounds, Consumer<String> progress) throws IOException, InterruptedException {
    if (seconds < 1) {
      throw new IllegalArgumentException("--seconds is at least one");
    }
    LadderBench.Figures figures = LadderBench.run(ThisProgram.command(), rounds, seconds, progress);
    return new Answer(json(figures), table(figures));
  }

  static String json(LadderBench.Figures f) {
    return String.format(
        Locale.ROOT,
        "{\"wallRatio\":%.3f,\"cpuRatio\":%.3f,\"memoryRatio\":%.3f,\"bytesRatio\":%.3f,"
            + "\"ssim\":{\"ours\":%.5f,\"theirs\":%.5f},\"busyShare\":%.3f,"
            + "\"makespanOverBound\":%.3f,\"wallSeconds\":%.1f,\"opponentWallSeconds\":%.1f,"
            + "\"opponents\":[%s]}",
        f.wallRatio(),
        f.cpuRatio(),
        f.memoryRatio(),
        f.bytesRatio(),
        f.ssim().ours(),
        f.ssim().theirs(),
        f.busyShare(),
        f.makespanOverBound(),
        f.wallSeconds(),
        f.opponentWallSeconds(),
        f.opponents().stream()
            .map(each ->
                String.format(
                    Locale.ROOT,
                    "{\"command\":\"%s\",\"wallSeconds\":%.1f,\"cpuSeconds\":%.1f,\"megabytes\":%d}",
                    each.command().replace("\\", "\\\\").replace("\"", "\\\""),
                    each.wallSeconds(),
                    each.cpuSeconds(),
                    each.megabytes()))
            .collect(Collectors.joining(",")));
  }

  static String table(LadderBench.Figures f) {
    return String.format(
        Locale.ROOT,
        """
        Fairlead ÷ the fastest command of ffmpeg
          wall     %.3f   (%.1f s against %.1f s)
          cpu      %.3f
          memory   %.3f
          bytes    %.3f
        SSIM of the largest rung: %.5f against %.5f
        Devices %.0f %% busy, makespan %.2f times the bound
        %s\
        """,
        f.wallRatio(),
        f.wallSeconds(),
        f.opponentWallSeconds(),
        f.cpuRatio(),
        f.memoryRatio(),
        f.bytesRatio(),
        f.ssim().ours(),
        f.ssim().theirs(),
        100 * f.busyShare(),
        f.makespanOverBound(),
        f.opponents().stream()
            .map(each ->
                String.format(
                    Locale.ROOT,
                    "%.1f s, %.1f s of cpu, %d MB: %s",
                    each.wallSeconds(),
                    each.cpuSeconds(),
                    each.megabytes(),
                    each.command()))
            .collect(Collectors.joining("\n")));
  }
}
