package dev.fairlead.simulator.report;

import dev.fairlead.simulator.engine.Scenario;
import dev.fairlead.simulator.fleet.FleetSpec;
import dev.fairlead.simulator.fleet.Mishap;
import dev.fairlead.simulator.workload.Ladder;
import dev.fairlead.simulator.workload.Workload;
import dev.fairlead.simulator.workload.Workloads;
import dev.fairlead.simulator.workload.Workloads.Flow;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Consumer;

/**
 * All policies in a fixed set of cells: fleets × workloads, calibrated, from one seed. The figure
 * of a ladder is makespan ÷ bound, that of tasks the mean time in system.
 */
public final class StandingTable {
  private static final long LEAST_TASKS = 20_000;
  private static final long TASKS_PER_DEVICE = 100;

  /** Of the table that stands in the documents. */
  public static final long SEED = 7;

  private static final int PLENTY = 2_000;

  /** The policies that the commands use unless told otherwise. */
  public static final String LADDER_DEFAULT = "any-rung";

  public static final String TASK_DEFAULT = "earliest-finish";

  /** A fleet by name. */
  public record Fleet(String name, String terms, int chunksPerDevice) {}

  /** A cell: a scenario, and which figure counts. */
  public record Cell(String fleet, String workload, Scenario scenario) {
    /** The policy that the commands would use here. */
    public String usual() {
      return scenario.workload().isLadder() ? LADDER_DEFAULT : TASK_DEFAULT;
    }

    /** Service policies that look at all devices for each unit take hours with very many. */
    public List<String> policies() {
      List<String> all = new ArrayList<>(Simulation.policies(scenario));
      if (scenario.fleet().size() > PLENTY) {
        all.removeAll(List.of("helpers", "per-rung"));
      }
      return all;
    }
  }

  /** What one policy came to in one cell. */
  public record Entry(Cell cell, String policy, double figure, long lost, long events) {}

  /** From two devices to ten thousand. */
  public static final List<Fleet> FLEETS =
      List.of(
          new Fleet("2 equal", "2xa:1", 100),
          new Fleet("4:1", "1xfast:4,1xslow:1", 100),
          new Fleet("8 mixed", "2xa:4,3xb:2,3xc:1", 40),
          new Fleet("64", "16xa:4,24xb:2,24xc:1", 32),
          new Fleet("1,024", "256xa:4,384xb:2,384xc:1", 32),
          new Fleet("10,000", "2500xa:4,3750xb:2,3750xc:1", 32));

  /** Devices with overheads, for what the table does not show. */
  private static final Fleet TOILSOME =
      new Fleet("toilsome", "2xfar:8/item=0.6/transfer=0.2,4xnear:1/slots=2,2xlate:2/start=20", 40);

  /** A few that are fast, and as many slow ones as can do without them at times. */
  private static final Fleet UNEVEN = new Fleet("uneven", "2xfast:4,6xslow:1", 2);

  private StandingTable() {}

  /**
   * Cells that are no part of the table: overheads, devices that stop or slow down and come back, a
   * ladder that is all beginning and end. They show whether costs are charged, health recovers, and
   * what was slow is tried again though nobody needs it.
   */
  public static List<Cell> trials(long seed) {
    FleetSpec devices = FleetSpec.parse(TOILSOME.terms);
    Workload ladder = Ladder.of(3, TOILSOME.chunksPerDevice * devices.size());
    Workload tasks = Workloads.poisson(new Flow(LEAST_TASKS, 0.5, 0.1));
    double end = LEAST_TASKS / (0.5 * devices.capacity());
    Cells cells = new Cells(TOILSOME, devices, seed, new ArrayList<>());
    cells.add("ladder", ladder, 0, List.of());
    cells.add("tasks", tasks, 0, List.of());
    for (String mishap : List.of("stop 25%", "slow 25% to 0.02")) {
      cells.add(
          mishap + ", back",
          tasks,
          0,
          List.of("%s at %s".formatted(mishap, end / 20), "back 25%% at %s".formatted(end / 10)));
    }
    FleetSpec few = FleetSpec.parse(UNEVEN.terms);
    Cells more = new Cells(UNEVEN, few, seed, cells.all);
    more.add("short ladder", Ladder.of(3, UNEVEN.chunksPerDevice * few.size()), 0, List.of());
    more.add(
        "slow for a while",
        Workloads.poisson(new Flow(LEAST_TASKS, 0.2, 0.1)),
        0,
        List.of("slow 25% to 0.02 at 50", "back 25% at 150"));
    return cells.all;
  }

  /** The cells of a fleet, with work drawn from a seed. */
  public static List<Cell> cells(Fleet fleet, long seed) {
    FleetSpec devices = FleetSpec.parse(fleet.terms);
    long tasks = Math.max(LEAST_TASKS, TASKS_PER_DEVICE * devices.size());
    Workload ladder = Ladder.of(3, fleet.chunksPerDevice * devices.size());
    Workload poisson = Workloads.poisson(new Flow(tasks, 0.9, 0.1));
    Workload moderate = Workloads.poisson(new Flow(tasks, 0.7, 0.1));
    double ladderSeconds = 0.5 * fleet.chunksPerDevice * devices.size() * 6.8 / devices.capacity();
    double taskSeconds = 0.5 * tasks / (0.7 * devices.capacity());
    Cells cells = new Cells(fleet, devices, seed, new ArrayList<>());
    cells.add("ladder", ladder, 0, List.of());
    cells.add("ladder, failing", ladder, 0, List.of(failing(ladderSeconds)));
    cells.add("Poisson 0.9", poisson, 0, List.of());
    cells.add("burst", Workloads.burst(new Flow(tasks, 0.7, 0.1), 4), 0, List.of());
    cells.add("heavy tail", Workloads.heavyTail(new Flow(tasks, 0.7, 0.1)), 0, List.of());
    cells.add("failing", moderate, 0, List.of(failing(taskSeconds)));
    cells.add("stale 0.25 s", poisson, 0.25, List.of());
    cells.add("stale 1 s", poisson, 1, List.of());
    cells.add("stale 5 s", poisson, 5, List.of());
    return cells.all;
  }

  /** One device in eight, at least one, stops half-way and does not come back. */
  private static String failing(double half) {
    return "stop 12.5%% at %s".formatted(half);
  }

  /** The cells of one fleet as they are put together. */
  private record Cells(Fleet fleet, FleetSpec devices, long seed, List<Cell> all) {
    void add(String name, Workload workload, double stale, List<String> what) {
      List<Mishap> mishaps =
          what.stream().flatMap(each -> Mishap.parse(each, devices).stream()).toList();
      Scenario.Conditions conditions =
          Scenario.Conditions.USUAL.withCalibration(true).withStale(stale);
      all.add(
          new Cell(fleet.name, name, new Scenario(devices, mishaps, workload, conditions, seed)));
    }
  }

  /** Runs all policies of a cell. */
  public static List<Entry> run(Cell cell) {
    List<Entry> entries = new ArrayList<>();
    for (String policy : cell.policies()) {
      Figures seen = Simulation.run(cell.scenario, policy);
      double figure =
          cell.scenario.workload().isLadder() ? seen.makespanOverBound() : seen.times().mean();
      entries.add(new Entry(cell, policy, figure, seen.lost(), seen.events()));
    }
    return entries;
  }

  /** Runs everything; each cell is told of as it is done. */
  public static List<Entry> run(List<Fleet> fleets, long seed, Consumer<List<Entry>> progress) {
    List<Entry> all = new ArrayList<>();
    for (Fleet fleet : fleets) {
      for (Cell cell : cells(fleet, seed)) {
        List<Entry> entries = run(cell);
        progress.accept(entries);
        all.addAll(entries);
      }
    }
    return all;
  }

  /** The figure of the default ÷ that of the best policy in a cell. */
  public static double overBest(List<Entry> cell) {
    double best = cell.stream().mapToDouble(Entry::figure).min().orElseThrow();
    OptionalDouble usual =
        cell.stream()
            .filter(entry -> entry.policy.equals(entry.cell.usual()))
            .mapToDouble(Entry::figure)
            .findFirst();
    return usual.orElseThrow() / best;
  }
}
