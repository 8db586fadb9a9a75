package dev.fairlead.cli;

import dev.fairlead.benchmarks.GridBench;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;

/** Measures how close transcodes come to the shortest time that is possible. */
@Command(
    name = "grid",
    description = {
      "Makespan ÷ lower bound of transcodes: ladders × fleets of CPU lanes × " + "placements.",
      "Takes some minutes a round. Quiet machines give steadier figures."
    },
    mixinStandardHelpOptions = true)
final class BenchGridCommand extends BenchRun {

  BenchGridCommand() {}

  @Override
  Answer measure(int rounds, Consumer<String> progress) throws IOException, InterruptedException {
    List<GridBench.Row> rows = GridBench.run(ThisProgram.command(), rounds, progress);
    return new Answer(json(rows), table(rows));
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
