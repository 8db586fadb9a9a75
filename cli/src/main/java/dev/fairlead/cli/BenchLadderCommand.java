package dev.fairlead.cli;

import dev.fairlead.benchmarks.LadderBench;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures a whole transcode against the bundled ffmpeg. */
@Command(
    name = "ladder",
    description = {
      "Make the same three rungs of a 1080p clip by Fairlead and by the bundled ffmpeg in one command.",
      "Takes many minutes. Quiet machines give steadier figures."
    },
    mixinStandardHelpOptions = true)
final class BenchLadderCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Option(names = "--json", description = "Print one JSON object on one line.")
  private boolean json;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description = "Rounds; a figure is the median (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "60",
      description = "How long the clip is (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @SuppressWarnings("NullAway.Init") // picocli sets the fields before it runs a command
  BenchLadderCommand() {}

  @Override
  public void run() {
    if (rounds < 1 || seconds < 1) {
      throw new IllegalArgumentException("--rounds and --seconds are at least one");
    }
    PrintWriter progress = spec.commandLine().getErr();
    PrintWriter out = spec.commandLine().getOut();
    try {
      LadderBench.Figures figures =
          LadderBench.run(
              thisProgram(),
              rounds,
              seconds,
              line -> {
                progress.println(line);
                progress.flush();
              });
      out.println(json ? json(figures) : table(figures));
      out.flush();
    } catch (IOException failure) {
      throw new IllegalStateException(
          "The benchmark did not run: " + failure.getMessage(), failure);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted", interrupted);
    }
  }

  /** The command that runs this program, as it was started. */
  static List<String> thisProgram() {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    return command;
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
