package dev.fairlead.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.simulator.report.StandingTable;
import dev.fairlead.simulator.report.StandingTable.Cell;
import dev.fairlead.simulator.report.StandingTable.Entry;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * No policy gets worse by more than one part in twenty in a fixed set of cells. The figures that
 * they are held against are in {@code standing-figures.txt}; a change that makes policies better is
 * a reason to write the file anew, with what a failure prints.
 */
class StandingFiguresTest {
  private static final double MAY_BE_WORSE = 1.05;
  private static final double MAY_LOSE = 1.1;
  private static final double MAY_EXCEED_THE_BOUND = 1.05;
  private static final int FLEETS = 5;

  private final List<String> seen = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();

  @Test
  void noPolicyGetsWorseAndTheDefaultsKeepTheirPromises() throws IOException {
    Map<String, Double> known = known();
    for (StandingTable.Fleet fleet : StandingTable.FLEETS.subList(0, FLEETS)) {
      for (Cell cell : StandingTable.cells(fleet, StandingTable.SEED)) {
        if (cell.scenario().workload().isLadder() && cell.scenario().fleet().size() > 64) {
          continue; // takes minutes under policies that look at all units
        }
        List<Entry> entries = StandingTable.run(cell);
        entries.forEach(entry -> compare(entry, known));
        promised(entries);
      }
    }
    for (Cell cell : StandingTable.trials(StandingTable.SEED)) {
      StandingTable.run(cell).forEach(entry -> compare(entry, known));
    }
    assertThat(problems).as("All figures:\n%s", String.join("\n", seen)).isEmpty();
    assertThat(known).as("cells that are gone").isEmpty();
  }

  private void compare(Entry entry, Map<String, Double> known) {
    String key =
        "%s|%s|%s".formatted(entry.cell().fleet(), entry.cell().workload(), entry.policy());
    seen.add(key + "|" + entry.figure());
    Double before = known.remove(key);
    if (before == null || !(entry.figure() <= before * MAY_BE_WORSE)) {
      problems.add("%s: %s, was %s".formatted(key, entry.figure(), before));
    }
    if (entry.lost() > 0) {
      problems.add("%s: lost %d".formatted(key, entry.lost()));
    }
  }

  private void promised(List<Entry> entries) {
    Cell cell = entries.getFirst().cell();
    for (Entry entry : entries) {
      if (cell.scenario().workload().isLadder()
          && entry.policy().equals(cell.usual())
          && !(entry.figure() <= MAY_EXCEED_THE_BOUND)) {
        problems.add(
            "%s, %s: %s over the bound".formatted(cell.fleet(), cell.workload(), entry.figure()));
      }
    }
    if (StandingTable.overBest(entries) > MAY_LOSE) {
      problems.add("%s, %s: the default loses".formatted(cell.fleet(), cell.workload()));
    }
  }

  private static Map<String, Double> known() throws IOException {
    Map<String, Double> known = new LinkedHashMap<>();
    try (InputStream in =
        Objects.requireNonNull(
            StandingFiguresTest.class.getResourceAsStream("standing-figures.txt"))) {
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList()) {
        int bar = line.lastIndexOf('|');
        known.put(line.substring(0, bar), Double.valueOf(line.substring(bar + 1)));
      }
    }
    return known;
  }
}
