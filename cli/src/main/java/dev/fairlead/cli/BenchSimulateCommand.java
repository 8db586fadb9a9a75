package dev.fairlead.cli;

import dev.fairlead.benchmarks.PredictionBench;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Compares what the simulator predicts with what real runs take. */
@Command(
    name = "simulate",
    description = {
      "Record a ladder on two equal CPU lanes, predict other fleets from its trace, and run those.",
      "Takes some minutes. Only a quiet machine gives figures that mean something."
    },
    mixinStandardHelpOptions = true)
final class BenchSimulateCommand implements Runnable {
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
      defaultValue = "48",
      description = "How long the clip is (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @SuppressWarnings("NullAway.Init") // picocli sets the fields before it runs a command
  BenchSimulateCommand() {}

  @Override
  public void run() {
    if (rounds < 1 || seconds < 4) {
      throw new IllegalArgumentException("--rounds is at least 1 and --seconds at least 4");
    }
    PrintWriter progress = spec.commandLine().getErr();
    try {
      List<PredictionBench.Row> rows =
          PredictionBench.run(
              BenchLadderCommand.thisProgram(),
              rounds,
              seconds,
              line -> {
                progress.println(line);
                progress.flush();
              });
      spec.commandLine().getOut().println(json ? json(rows) : table(rows));
      spec.commandLine().getOut().flush();
    } catch (IOException failure) {
      throw new IllegalStateException(
          "The benchmark did not run: " + failure.getMessage(), failure);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted", interrupted);
    }
  }

  static String json(List<PredictionBench.Row> rows) {
    return rows.stream()
        .map(row ->
            String.format(
                Locale.ROOT,
                "{\"fleet\":\"%s\",\"predictedSeconds\":%.3f,\"measuredSeconds\":%.3f,\"error\":%.4f}",
                row.fleet(),
                row.predictedSeconds(),
                row.measuredSeconds(),
                row.error()))
        .collect(Collectors.joining(",", "{\"rows\":[", "]}"));
  }

  static String table(List<PredictionBench.Row> rows) {
    return "| lanes | predicted | measured | off by |\n|---|---|---|---|\n"
        + rows.stream()
            .map(row ->
                String.format(
                    Locale.ROOT,
                    "| %s | %.2f s | %.2f s | %+.1f %% |",
                    row.fleet(),
                    row.predictedSeconds(),
                    row.measuredSeconds(),
                    100 * row.error()))
            .collect(Collectors.joining("\n"));
  }
}
