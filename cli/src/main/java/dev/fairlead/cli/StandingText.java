package dev.fairlead.cli;

import dev.fairlead.simulator.fleet.FleetSpec;
import dev.fairlead.simulator.report.StandingTable;
import dev.fairlead.simulator.report.StandingTable.Cell;
import dev.fairlead.simulator.report.StandingTable.Entry;
import dev.fairlead.simulator.report.StandingTable.Fleet;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The standing cells as tables in Markdown, one for ladders and one for tasks. */
final class StandingText {
  private StandingText() {}

  static String of(int mostDevices, long seed, PrintWriter progress) {
    List<Fleet> fleets =
        StandingTable.FLEETS.stream()
            .filter(fleet -> FleetSpec.parse(fleet.terms()).size() <= mostDevices)
            .toList();
    Map<Cell, List<Entry>> cells = new LinkedHashMap<>();
    long begun = System.nanoTime();
    List<Entry> all =
        StandingTable.run(
            fleets,
            seed,
            entries -> {
              Cell cell = entries.getFirst().cell();
              cells.put(cell, entries);
              progress.println(cell.fleet() + ", " + cell.workload());
              progress.flush();
            });
    double seconds = (System.nanoTime() - begun) / 1e9;
    long events = all.stream().mapToLong(Entry::events).sum();
    return table(cells, true)
        + "\n"
        + table(cells, false)
        + String.format(
            Locale.ROOT,
            "%nSeed %d; %,d events in %.0f s, %,.0f a second.%n",
            seed,
            events,
            seconds,
            events / seconds);
  }

  private static String table(Map<Cell, List<Entry>> cells, boolean ladder) {
    List<String> policies = new ArrayList<>();
    cells.forEach((cell, entries) -> {
      if (cell.scenario().workload().isLadder() == ladder && policies.isEmpty()) {
        entries.forEach(entry -> policies.add(entry.policy()));
      }
    });
    StringBuilder text = new StringBuilder("| devices | workload |");
    policies.forEach(policy -> text.append(' ').append(policy).append(" |"));
    text.append(" default ÷ best | lost |\n|---|---|");
    text.append("---|".repeat(policies.size() + 2)).append('\n');
    cells.forEach((cell, entries) -> {
      if (cell.scenario().workload().isLadder() == ladder) {
        row(text, cell, entries, policies);
      }
    });
    return text.toString();
  }

  private static void row(
      StringBuilder text, Cell cell, List<Entry> entries, List<String> policies) {
    text.append("| %s | %s |".formatted(cell.fleet(), cell.workload()));
    double best = entries.stream().mapToDouble(Entry::figure).min().orElseThrow();
    for (String policy : policies) {
      String figure =
          entries.stream()
              .filter(entry -> entry.policy().equals(policy))
              .findFirst()
              .map(entry -> figure(entry.figure(), best))
              .orElse("–");
      text.append(' ').append(figure).append(" |");
    }
    text.append(
        String.format(
            Locale.ROOT,
            " %.2f | %d |%n",
            StandingTable.overBest(entries),
            entries.stream().mapToLong(Entry::lost).sum()));
  }

  /** The best is bold. */
  private static String figure(double value, double best) {
    String text = String.format(Locale.ROOT, value < 100 ? "%.3f" : "%.0f", value);
    return value == best ? "**" + text + "**" : text;
  }
}
