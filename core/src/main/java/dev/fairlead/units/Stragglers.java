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

  /** A wake-up for a straggler finds that it is one, however seconds were rounded. */
  private static final long MARGIN_NANOS = 1_000;

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
    return seconds(attempt.unit(), attempt.served());
  }

  private double copySeconds(UnitAttempt attempt, ServedDevice idle) {
    return seconds(attempt.unit(), idle) + attempt.unit().input().secondsTo(idle.device());
  }

  /** How long a device would have a unit, if it waits as much as others did of late. */
  private double seconds(UnitTask<?> unit, ServedDevice served) {
    return forecast.seconds(unit.demand().work(), served.number()) * heldOverWorked;
  }
}
