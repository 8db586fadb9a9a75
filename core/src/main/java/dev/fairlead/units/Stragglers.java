package dev.fairlead.units;

import dev.fairlead.policy.Forecast;
import dev.fairlead.policy.StragglerRule;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Says which running unit an idle device would finish sooner than the device that has it.
 *
 * <p>What remains of a try is as {@link StragglerRule} says. Only learned costs count, since a
 * weight says nothing about seconds.
 */
final class Stragglers {
  /** How much the latest end counts. */
  private static final double LATEST = 0.2;

  private final DeviceRoster roster;
  private final Forecast forecast;

  /** Costs are learned from the time that devices work; units may have them for longer. */
  private double heldOverWorked = 1;

  Stragglers(DeviceRoster roster, Forecast forecast) {
    this.roster = roster;
    this.forecast = forecast;
  }

  /** A unit has ended, with this. */
  void ended(@Nullable Object result) {
    double held = result instanceof TimedResult timed ? 1 / timed.workedShare() : 1;
    heldOverWorked += LATEST * (held - heldOverWorked);
  }

  /** The try that gains most by a clone on {@code idle}; null if none gains. */
  @Nullable UnitAttempt worthCloning(
      Collection<UnitAttempt> attempts, ServedDevice idle, long now) {
    UnitAttempt best = null;
    double most = 0;
    for (UnitAttempt attempt : attempts) {
      UnitTask<?> unit = attempt.unit();
      if (attempt.hasStarted()
          && !unit.isOver()
          && !unit.isCloned()
          && !unit.failures().areOn(idle.id())
          && forecast.isLearned(unit.demand().work())
          && roster.mayRun(unit, idle)) {
        double gain =
            remaining(attempt, now)
                - seconds(unit, idle)
                - unit.input().secondsTo(idle.device());
        if (gain > most) {
          most = gain;
          best = attempt;
        }
      }
    }
    return best;
  }

  private double remaining(UnitAttempt attempt, long now) {
    double whole = seconds(attempt.unit(), attempt.served());
    return StragglerRule.remaining(whole, attempt.elapsedNanos(now) / 1e9);
  }

  /** How long a device would have a unit, if it waits as much as others did of late. */
  private double seconds(UnitTask<?> unit, ServedDevice served) {
    return forecast.seconds(unit.demand().work(), served.number()) * heldOverWorked;
  }
}
