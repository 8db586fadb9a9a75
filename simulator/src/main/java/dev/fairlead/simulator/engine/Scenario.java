package dev.fairlead.simulator.engine;

import dev.fairlead.simulator.fleet.FleetSpec;
import dev.fairlead.simulator.fleet.Mishap;
import dev.fairlead.simulator.workload.Workload;
import java.util.List;

/** What is simulated: devices, what happens to them, the work that comes, and the conditions. */
public record Scenario(
    FleetSpec fleet, List<Mishap> mishaps, Workload workload, Conditions conditions, long seed) {
  public Scenario {
    mishaps = List.copyOf(mishaps);
  }

  /**
   * How things go.
   *
   * @param staleSeconds how old the news of finished work may be when a placement is decided
   * @param watchdogSeconds when work that does not end is given up
   * @param tries how often a unit may fail before it is lost
   * @param calibrated whether each device has done some work of each kind before
   * @param warmUp how many of the first tasks do not count in the times
   */
  public record Conditions(
      double staleSeconds, double watchdogSeconds, int tries, boolean calibrated, long warmUp) {
    public static final Conditions USUAL = new Conditions(0, 120, 3, false, 0);

    public Conditions {
      if (!(staleSeconds >= 0) || !(watchdogSeconds > 0) || tries < 1) {
        throw new IllegalArgumentException(
            "stale is zero or more, watchdog more than zero, tries at least one");
      }
    }

    public Conditions withStale(double seconds) {
      return new Conditions(seconds, watchdogSeconds, tries, calibrated, warmUp);
    }

    public Conditions withWatchdog(double seconds) {
      return new Conditions(staleSeconds, seconds, tries, calibrated, warmUp);
    }

    public Conditions withCalibration(boolean value) {
      return new Conditions(staleSeconds, watchdogSeconds, tries, value, warmUp);
    }

    public Conditions withWarmUp(long tasks) {
      return new Conditions(staleSeconds, watchdogSeconds, tries, calibrated, tasks);
    }
  }

  /** Nothing happens but the work. */
  public static Scenario of(FleetSpec fleet, Workload workload, long seed) {
    return new Scenario(fleet, List.of(), workload, Conditions.USUAL, seed);
  }

  public Scenario with(List<Mishap> value) {
    return new Scenario(fleet, value, workload, conditions, seed);
  }

  public Scenario with(Conditions value) {
    return new Scenario(fleet, mishaps, workload, value, seed);
  }
}
