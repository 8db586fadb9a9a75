package dev.fairlead.cli;

import dev.fairlead.benchmarks.GridBench;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures how close transcodes come to the shortest time that is possible. */
@Command(
    name = "grid",
    description = {
      "Makespan ÷ lower bound of transcodes: ladders × fleets of CPU lanes × placements.",
      "Takes some minutes a round. Quiet machines give steadier figures."
    },
    mixinStandardHelpOptions = true)
final class BenchGridCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Option(names = "--json", description = "Print one JSON object on one line.")
  private boolean json;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "1",
      description = "Rounds; a figure is the median (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @SuppressWarnings("NullAway.Init") // picocli sets the fields before it runs a command
  BenchGridCommand() {}

  @Override
  public void run() {
    if (rounds < 1) {
      throw new IllegalArgumentException("--rounds is at least one");
    }
    PrintWriter progress = spec.commandLine().getErr();
    PrintWriter out = spec.commandLine().getOut();
    try {
      List<GridBench.Row> rows =
          GridBench.run(
              BenchLadderCommand.thisProgram(),
              rounds,
              line -> {
                progress.println(line);
                progress.flush();
              });
      out.println(json ? json(rows) : table(rows));
      out.flush();
    } catch (IOException failure) {
      throw new IllegalStateException(
          "The benchmark did not run: " + failure.getMessage(), failure);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted", interrupted);
    }
  }

  static String json(List<GridBench.Row> rows) {
    return rows.stream()
        .map(row ->
            String.format(
                Locale.ROOT,
                "{\"fleet\":\"%s\",\"rungs\":%d,\"makespanOverBound\":%s}",
                row.fleet(),
                row.rungs(),
                figures(row, "\"%s\":%.3f", ",", "{", "}")))
        .collect(Collectors.joining(",", "{\"rows\":[", "]}"));
  }

  static String table(List<GridBench.Row> rows) {
    String head =
        "| lanes | rungs | "
            + String.join(" | ", GridBench.PLACEMENTS)
            + " |\n|---|---|---|---|---|\n";
    return head
        + rows.stream()
            .map(row ->
                String.format(
                    Locale.ROOT,
                    "| %s | %d | %s |",
                    row.fleet(),
                    row.rungs(),
                    figures(row, "%2$.2f", " | ", "", "")))
            .collect(Collectors.joining("\n"));
  }

  private static String figures(
      GridBench.Row row, String each, String between, String open, String close) {
    StringBuilder out = new StringBuilder(open);
    for (int i = 0; i < GridBench.PLACEMENTS.size(); i++) {
      out.append(i == 0 ? "" : between);
      out.append(
          String.format(
              Locale.ROOT, each, GridBench.PLACEMENTS.get(i), row.makespanOverBound().get(i)));
    }
    return out.append(close).toString();
  }
}
