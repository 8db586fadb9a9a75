package dev.fairlead.cli;

import dev.fairlead.simulator.engine.Scenario;
import dev.fairlead.simulator.fleet.FleetSpec;
import dev.fairlead.simulator.report.Figures;
import dev.fairlead.simulator.report.Simulation;
import dev.fairlead.simulator.report.StandingTable;
import dev.fairlead.simulator.setting.ScenarioFile;
import dev.fairlead.simulator.setting.Settings;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs policies on devices that do not exist, in virtual time. */
@Command(
    name = "simulate",
    description = {
      "Run the scheduling policies on simulated devices, in virtual time.",
      "What is given by options goes before what the scenario file says."
    },
    footer = {
      "",
      "A fleet is COUNTxNAME:SPEED[/TRAIT=VALUE…],… with the traits slots, memory, "
          + "sessions, start, item and transfer. Mishaps are 'stop fast-1 at 30', 'lost …', "
          + "'slow fast-1 to 0.25 at 30', 'hang …', 'flap fast-1 every 5 at 10', 'back …', "
          + "'join …', 'leave …'; 10%% is that part of the devices. A scenario file has a "
          + "line NAME = VALUE for each field."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class SimulateCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Parameters(arity = "0..1", paramLabel = "SCENARIO", description = "A scenario file.")
  private @Nullable Path file;

  @Option(
      names = "--fleet",
      paramLabel = "TERMS",
      description = "The devices: 2xfast:4,1xslow:1 is count × name : relative speed.")
  private @Nullable String fleet;

  @Option(
      names = "--workload",
      paramLabel = "NAME",
      description = "ladder, poisson, burst, heavy-tail, batch or range (default: ladder).")
  private @Nullable String workload;

  @Option(
      names = "--policy",
      paramLabel = "NAMES",
      completionCandidates = PolicyNames.Simulated.class,
      description =
          "Policies, separated by commas: ${COMPLETION-CANDIDATES} (default: all that the workload"
              + " can be run under).")
  private @Nullable String policy;

  @Option(names = "--seed", paramLabel = "N", description = "Of all draws (default: 7).")
  private @Nullable String seed;

  @Option(
      names = "--load",
      paramLabel = "PART",
      description = "Work that comes ÷ work that can be done (default: 0.9 or 0.7).")
  private @Nullable String load;

  @Option(names = "--tasks", paramLabel = "N", description = "How many tasks come.")
  private @Nullable String tasks;

  @Option(names = "--rungs", paramLabel = "N", description = "Of a ladder, 1 to 5 (default: 3).")
  private @Nullable String rungs;

  @Option(names = "--chunks", paramLabel = "N", description = "Of a ladder.")
  private @Nullable String chunks;

  @Option(
      names = "--tenants",
      paramLabel = "TERMS",
      description =
          "Share the devices between tenants by weight: a:3,b:1 is name : weight, 5xgold:4 are five"
              + " such. Each has jobs that are ladders.")
  private @Nullable String tenants;

  @Option(
      names = "--jobs",
      paramLabel = "N",
      description = "Of all tenants together (default: 10 for each).")
  private @Nullable String jobs;

  @Option(
      names = "--stale",
      paramLabel = "SECONDS",
      description = "How old the news of finished work is (default: 0).")
  private @Nullable String stale;

  @Option(
      names = "--mishap",
      paramLabel = "TEXT",
      description = "What happens to a device; may be given several times.")
  private List<String> mishaps = new ArrayList<>();

  @Option(
      names = "--calibrated",
      description = "Each device has done some work of each kind before.")
  private boolean calibrated;

  @Option(names = "--set", paramLabel = "NAME=VALUE", description = "Any field of a scenario file.")
  private Map<String, String> more = new LinkedHashMap<>();

  @Option(
      names = "--table",
      description =
          "Run the standing set of cells instead, fleets × workloads × policies, and print "
              + "them as tables in Markdown. Takes some minutes.")
  private boolean table;

  @Option(
      names = "--most-devices",
      paramLabel = "N",
      defaultValue = "10000",
      description = "Leave out the fleets of the table that are larger (default: 10000).")
  private int mostDevices;

  @Option(
      names = "--from",
      paramLabel = "TRACE",
      description =
          "Replay the chunks of a run that 'transcode --trace' wrote, on another fleet or "
              + "under another policy; speed 1 is the fastest device of that run. Without "
              + "--fleet: on the same.")
  private @Nullable Path from;

  @Option(names = "--json", description = "Print one JSON object on one line.")
  private boolean json;

  @Option(
      names = "--report",
      paramLabel = "FILE.html",
      description = "Write a page with device lanes, queue lengths and latency curves.")
  private @Nullable Path report;

  @SuppressWarnings("NullAway.Init") // picocli sets the fields before it runs a command
  SimulateCommand() {}

  @Override
  public void run() {
    if (table) {
      if (mostDevices < 2) {
        throw new ParameterException(spec.commandLine(), "--most-devices is at least 2");
      }
      PrintWriter err = spec.commandLine().getErr();
      spec.commandLine().getOut().print(StandingText.of(mostDevices, tableSeed(), err));
      spec.commandLine().getOut().flush();
      return;
    }
    Settings settings = new Settings();
    Scenario scenario;
    List<String> policies;
    try {
      if (file != null) {
        ScenarioFile.read(file, settings);
      }
      apply(settings);
      scenario = from == null ? settings.scenario() : replay(settings, TraceReader.read(from));
      policies = policies(settings, scenario);
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(spec.commandLine(), String.valueOf(wrong.getMessage()), wrong);
    }
    simulate(scenario, policies);
  }

  private static Scenario replay(Settings settings, Replay recorded) {
    FleetSpec devices = settings.has("fleet") ? settings.fleet() : recorded.fleet();
    return settings.scenario(devices.withItemSeconds(recorded.handover()), recorded.workload());
  }

  private long tableSeed() {
    try {
      return seed == null ? StandingTable.SEED : Long.parseLong(seed);
    } catch (NumberFormatException wrong) {
      throw new ParameterException(
          spec.commandLine(), "--seed is not a whole number: \"%s\"".formatted(seed), wrong);
    }
  }

  private void apply(Settings settings) {
    set(settings, "fleet", fleet);
    if (from != null && workload != null) {
      throw new IllegalArgumentException("--workload and --from are two answers to one question");
    }
    if (from != null && (tenants != null || jobs != null)) {
      throw new IllegalArgumentException(
          "--from has the jobs that were recorded: leave --tenants and --jobs out");
    }
    if (from != null && !ofWorkload().isEmpty()) {
      throw new IllegalArgumentException(
          "%s has no effect with --from, which replays what was recorded"
              .formatted(String.join(" and ", ofWorkload())));
    }
    set(settings, "workload", workload);
    set(settings, "policy", policy);
    set(settings, "seed", seed);
    set(settings, "load", load);
    set(settings, "tasks", tasks);
    set(settings, "rungs", rungs);
    set(settings, "chunks", chunks);
    set(settings, "tenants", tenants);
    set(settings, "jobs", jobs);
    set(settings, "stale", stale);
    set(settings, "calibrated", calibrated ? "true" : null);
    mishaps.forEach(each -> set(settings, "mishap", each));
    more.forEach((name, value) -> settings.set(name, value, "--set " + name));
  }

  /** The options that were given and describe work. */
  private List<String> ofWorkload() {
    return Stream.of(
            tasks == null ? "" : "--tasks",
            load == null ? "" : "--load",
            rungs == null ? "" : "--rungs",
            chunks == null ? "" : "--chunks")
        .filter(option -> !option.isEmpty())
        .toList();
  }

  private static void set(Settings settings, String name, @Nullable String value) {
    if (value != null) {
      settings.set(name, value, "--" + name);
    }
  }

  private static List<String> policies(Settings settings, Scenario scenario) {
    List<String> known = Simulation.policies(scenario);
    for (String name : settings.policies()) {
      if (!known.contains(name)) {
        throw new IllegalArgumentException(
            "There is no policy \"%s\" for the workload %s; there are %s"
                .formatted(name, scenario.workload().name(), String.join(", ", known)));
      }
    }
    return settings.policies().isEmpty() ? known : settings.policies();
  }

  private void simulate(Scenario scenario, List<String> policies) {
    List<Figures> all = new ArrayList<>();
    List<SimulationFilm> films = new ArrayList<>();
    List<Double> took = new ArrayList<>();
    for (String each : policies) {
      SimulationFilm film = new SimulationFilm();
      films.add(film);
      long begun = System.nanoTime();
      all.add(Simulation.run(scenario, each, report == null ? null : film));
      took.add((System.nanoTime() - begun) / 1e9);
    }
    if (report != null) {
      write(report, SimulationPage.of(scenario, all, films, GivenCommand.origin(spec)));
    }
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(SimulationText.json(scenario, all, took));
    } else {
      out.print(SimulationText.table(all));
      out.print(SimulationText.tenants(all));
      SimulationText.equalRows(scenario, all).forEach(out::println);
      long events = all.stream().mapToLong(Figures::events).sum();
      double seconds = took.stream().mapToDouble(Double::doubleValue).sum();
      out.println(
          String.format(
              Locale.ROOT,
              "%n%s, %s, seed %d; the shortest time that is possible is %s."
                  + " %,d events in %.1f s, %,.0f a second.",
              SimulationText.devices(scenario),
              scenario.workload().name(),
              scenario.seed(),
              SimulationText.seconds(all.getFirst().boundSeconds()),
              events,
              seconds,
              events / seconds));
    }
    out.flush();
  }

  private static void write(Path file, String text) {
    try {
      Path directory = file.toAbsolutePath().getParent();
      if (directory != null) {
        Files.createDirectories(directory);
      }
      Files.writeString(file, text);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
