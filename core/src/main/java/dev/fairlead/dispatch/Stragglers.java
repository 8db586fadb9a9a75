package dev.fairlead.dispatch;

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
  private final DeviceRoster roster;
  private final Forecast forecast;

  Stragglers(DeviceRoster roster, Forecast forecast) {
    this.roster = roster;
    this.forecast = forecast;
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
                - forecast.seconds(unit.demand().work(), idle.number())
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
    double whole = forecast.seconds(attempt.unit().demand().work(), attempt.served().number());
    return StragglerRule.remaining(whole, attempt.elapsedNanos(now) / 1e9);
  }
}
