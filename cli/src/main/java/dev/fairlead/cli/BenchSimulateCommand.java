package dev.fairlead.cli;

import dev.fairlead.benchmarks.PredictionBench;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Compares what the simulator predicts with what real runs take. */
@Command(
    name = "simulate",
    description = {
      "Record a ladder on two equal CPU lanes, predict other fleets from its trace, and "
          + "run those.",
      "Each run stands between two recordings. Takes ten minutes or more. Only a quiet "
          + "machine gives figures that mean something."
    },
    mixinStandardHelpOptions = true)
final class BenchSimulateCommand extends BenchRun {
  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "48",
      description = "How long the clip is (default: ${DEFAULT-VALUE}).")
  private int seconds;

  BenchSimulateCommand() {}

  @Override
  Answer measure(int rounds, Consumer<String> progress) throws IOException, InterruptedException {
    if (seconds < 4) {
      throw new IllegalArgumentException("--seconds is at least 4");
    }
    List<PredictionBench.Row> rows =
        PredictionBench.run(ThisProgram.command(), rounds, seconds, progress);
    return new Answer(json(rows), table(rows));
  }

  static String json(List<PredictionBench.Row> rows) {
    return rows.stream()
        .map(row ->
            String.format(
                Locale.ROOT,
                "{\"fleet\":\"%s\",\"predictedSeconds\":%.3f,\"measuredSeconds\":%.3f,"
                    + "\"error\":%.4f,\"worstError\":%.4f}",
                row.fleet(),
                row.predictedSeconds(),
                row.measuredSeconds(),
                row.error(),
                row.worst()))
        .collect(Collectors.joining(",", "{\"rows\":[", "]}"));
  }

  static String table(List<PredictionBench.Row> rows) {
    return "| lanes | predicted | measured | off by | worst round |\n|---|---|---|---|---|\n"
        + rows.stream()
            .map(row ->
                String.format(
                    Locale.ROOT,
                    "| %s | %.2f s | %.2f s | %+.1f %% | %+.1f %% |",
                    row.fleet(),
                    row.predictedSeconds(),
                    row.measuredSeconds(),
                    100 * row.error(),
                    100 * row.worst()))
            .collect(Collectors.joining("\n"));
  }
}
