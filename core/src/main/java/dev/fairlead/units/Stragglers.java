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
  /** Whoever wakes up for a straggler finds that it is one, however seconds were rounded. */
  private static final long MARGIN_NANOS = 1_000;

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
      if (mayBeCloned(attempt, idle)) {
        double gain = remaining(attempt, now) - copySeconds(attempt, idle);
        if (gain > most) {
          most = gain;
          best = attempt;
        }
      }
    }
    return best;
  }

  /** How long it takes until an attempt is worth a clone on {@code idle} that is not now. */
  long nanosUntilWorth(Collection<UnitAttempt> attempts, ServedDevice idle, long now) {
    long least = NextLook.NEVER;
    for (UnitAttempt attempt : attempts) {
      if (mayBeCloned(attempt, idle)) {
        double worth = StragglerRule.worthAfter(wholeSeconds(attempt), copySeconds(attempt, idle));
        long left = (long) (worth * 1e9) + MARGIN_NANOS - attempt.elapsedNanos(now);
        least = left > 0 ? Math.min(least, left) : least;
      }
    }
    return least;
  }

  private boolean mayBeCloned(UnitAttempt attempt, ServedDevice idle) {
    UnitTask<?> unit = attempt.unit();
    return attempt.hasStarted()
        && !unit.isOver()
        && !unit.isCloned()
        && !unit.failures().areOn(idle.id())
        && forecast.isLearned(unit.demand().work())
        && roster.mayRun(unit, idle);
  }

  private double remaining(UnitAttempt attempt, long now) {
    return StragglerRule.remaining(wholeSeconds(attempt), attempt.elapsedNanos(now) / 1e9);
  }

  private double wholeSeconds(UnitAttempt attempt) {
    return forecast.seconds(attempt.unit().demand().work(), attempt.served().number());
  }

  private double copySeconds(UnitAttempt attempt, ServedDevice idle) {
    return forecast.seconds(attempt.unit().demand().work(), idle.number());
  }
}
