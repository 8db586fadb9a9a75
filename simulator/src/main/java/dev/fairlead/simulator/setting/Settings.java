package dev.fairlead.simulator.setting;

import dev.fairlead.policy.Tenant;
import dev.fairlead.simulator.engine.Scenario;
import dev.fairlead.simulator.fleet.FleetSpec;
import dev.fairlead.simulator.fleet.Mishap;
import dev.fairlead.simulator.workload.Ladder;
import dev.fairlead.simulator.workload.Tenancy;
import dev.fairlead.simulator.workload.Workload;
import dev.fairlead.simulator.workload.Workloads;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A scenario being put together from fields, by name; those that are not set are as usual. An error
 * names where the field was set.
 */
public final class Settings {
  private static final List<String> FIELDS =
      List.of(
          "fleet",
          "workload",
          "policy",
          "seed",
          "load",
          "tasks",
          "depth",
          "noise",
          "rungs",
          "chunks",
          "chunk-seconds",
          "hardness",
          "stale",
          "watchdog",
          "tries",
          "tenants",
          "jobs",
          "calibrated",
          "mishap");
  private static final List<String> NUMBERS =
      List.of(
          "seed",
          "load",
          "tasks",
          "depth",
          "noise",
          "rungs",
          "chunks",
          "chunk-seconds",
          "hardness",
          "stale",
          "watchdog",
          "tries",
          "jobs");
  private static final List<String> WORKLOADS =
      List.of("ladder", "poisson", "burst", "heavy-tail", "batch", "range");
  private static final double HEAVY = 0.9;
  private static final double MODERATE = 0.7;
  private static final double RANGE_NOISE = 0.3;
  private static final long LEAST_TASKS = 20_000;
  private static final int TASKS_PER_DEVICE = 20;
  private static final int LEAST_CHUNKS = 100;
  private static final int CHUNKS_PER_DEVICE = 4;
  private static final int JOBS_PER_TENANT = 10;
  private static final int CHUNKS_PER_JOB = 20;

  /** A value, and where it comes from, such as {@code --fleet} or {@code night.scenario line 3}. */
  private record Field(String value, String origin) {}

  private final Map<String, Field> fields = new LinkedHashMap<>();
  private final List<Field> mishaps = new ArrayList<>();

  /** Sets a field, or adds a mishap. */
  public void set(String name, String value, String origin) {
    if (!FIELDS.contains(name)) {
      throw new IllegalArgumentException(
          "%s: there is no field \"%s\"; there are %s"
              .formatted(origin, name, String.join(", ", FIELDS)));
    }
    Field field = new Field(value.strip(), origin);
    if (name.equals("mishap")) {
      mishaps.add(field);
    } else {
      fields.put(name, field);
    }
  }

  public boolean has(String name) {
    return fields.containsKey(name);
  }

  /** The policies that are asked for; empty for all. */
  public List<String> policies() {
    String text = text("policy").orElse("all");
    return text.equals("all") ? List.of() : List.of(text.split("\\s*,\\s*"));
  }

  public long seed() {
    return Math.round(number("seed", 7));
  }

  public FleetSpec fleet() {
    Field field = fields.get("fleet");
    if (field == null) {
      throw new IllegalArgumentException("No fleet is given, such as 2xfast:4,1xslow:1");
    }
    return at(field, () -> FleetSpec.parse(field.value));
  }

  /** The scenario with its own workload. */
  public Scenario scenario() {
    FleetSpec fleet = fleet();
    return scenario(fleet, workload(fleet));
  }

  /** The scenario with a workload from elsewhere. */
  public Scenario scenario(FleetSpec fleet, Workload workload) {
    NUMBERS.forEach(name -> number(name, 1)); // those that this workload has no use for as well
    List<Mishap> all = new ArrayList<>();
    for (Field mishap : mishaps) {
      all.addAll(at(mishap, () -> Mishap.parse(mishap.value, fleet)));
    }
    Scenario.Conditions usual = Scenario.Conditions.USUAL;
    Scenario.Conditions conditions =
        new Scenario.Conditions(
            positive("stale", usual.staleSeconds(), true),
            positive("watchdog", usual.watchdogSeconds(), false),
            whole("tries", usual.tries()),
            flag("calibrated"),
            0);
    return new Scenario(fleet, all, workload, conditions, seed());
  }

  private Workload workload(FleetSpec fleet) {
    String name = text("workload").orElse("ladder");
    if (!WORKLOADS.contains(name)) {
      throw new IllegalArgumentException(
          "%s: there is no workload \"%s\"; there are %s"
              .formatted(origin("workload"), name, String.join(", ", WORKLOADS)));
    }
    if (has("tenants") || has("jobs")) {
      return tenancy(name);
    }
    if (name.equals("ladder")) {
      return ladder(Math.max(LEAST_CHUNKS, CHUNKS_PER_DEVICE * fleet.size()));
    }
    long tasks =
        Math.round(
            positive(
                "tasks", Math.max(LEAST_TASKS, (double) TASKS_PER_DEVICE * fleet.size()), false));
    double load = positive("load", name.equals("poisson") ? HEAVY : MODERATE, false);
    double noise = positive("noise", name.equals("range") ? RANGE_NOISE : 0, true);
    String where = origin("load") + ", " + origin("noise");
    Workloads.Flow flow =
        at(new Field("", where), () -> new Workloads.Flow(Math.max(1, tasks), load, noise));
    return switch (name) {
      case "poisson" -> Workloads.poisson(flow);
      case "burst" -> Workloads.burst(flow, whole("depth", 4));
      case "heavy-tail" -> Workloads.heavyTail(flow);
      case "batch" -> Workloads.batch(flow);
      case "range" -> Workloads.range(flow);
      default -> throw new IllegalStateException(name);
    };
  }

  private Workload tenancy(String workload) {
    Field field = fields.get("tenants");
    if (field == null) {
      throw new IllegalArgumentException(
          origin("jobs") + ": jobs are of tenants, such as tenants a:3,b:1");
    }
    if (!workload.equals("ladder")) {
      throw new IllegalArgumentException(
          "%s: jobs of tenants are ladders, not %s".formatted(field.origin, workload));
    }
    List<Tenant> tenants = at(field, () -> Tenancy.parse(field.value));
    int jobs = whole("jobs", JOBS_PER_TENANT * tenants.size());
    Ladder usual = ladder(CHUNKS_PER_JOB);
    String where = origin("tenants") + ", " + origin("jobs") + ", " + origin("chunks");
    return at(new Field("", where), () -> new Tenancy(tenants, jobs, usual));
  }

  private Ladder ladder(int usualChunks) {
    int rungs = whole("rungs", 3);
    int chunks = whole("chunks", usualChunks);
    Ladder usual =
        at(
            new Field("", origin("rungs") + ", " + origin("chunks")),
            () -> Ladder.of(rungs, chunks));
    return new Ladder(
        usual.rungs(),
        chunks,
        positive("chunk-seconds", usual.chunkSeconds(), false),
        positive("hardness", usual.hardness(), true));
  }

  // ---- fields

  private Optional<String> text(String name) {
    return Optional.ofNullable(fields.get(name)).map(Field::value);
  }

  private String origin(String name) {
    Field field = fields.get(name);
    return field == null ? name : field.origin;
  }

  private double number(String name, double usual) {
    Field field = fields.get(name);
    if (field == null) {
      return usual;
    }
    try {
      double value = Double.parseDouble(field.value);
      if (Double.isFinite(value)) {
        return value;
      }
    } catch (NumberFormatException bad) {
      throw wrong(name, "is not a number: \"" + field.value + "\"");
    }
    throw wrong(name, "is not finite: \"" + field.value + "\"");
  }

  private double positive(String name, double usual, boolean zeroToo) {
    double value = number(name, usual);
    if (value < 0 || (value == 0 && !zeroToo)) {
      throw wrong(name, (zeroToo ? "is negative: " : "is not positive: ") + value);
    }
    return value;
  }

  private int whole(String name, int usual) {
    double value = positive(name, usual, false);
    if (value != Math.rint(value) || value > Integer.MAX_VALUE) {
      throw wrong(name, "is not a whole number: " + value);
    }
    return (int) value;
  }

  private boolean flag(String name) {
    String value = text(name).orElse("false");
    return switch (value) {
      case "true", "yes" -> true;
      case "false", "no" -> false;
      default -> throw wrong(name, "is neither true nor false: \"" + value + "\"");
    };
  }

  private IllegalArgumentException wrong(String name, String what) {
    return new IllegalArgumentException(
        "%s: %s %s".formatted(Objects.requireNonNull(fields.get(name)).origin, name, what));
  }

  /** Something that is read from a field. */
  private interface Reading<T> {
    T read();
  }

  private static <T> T at(Field field, Reading<T> reading) {
    try {
      return reading.read();
    } catch (IllegalArgumentException bad) {
      throw new IllegalArgumentException(field.origin + ": " + bad.getMessage(), bad);
    }
  }
}
