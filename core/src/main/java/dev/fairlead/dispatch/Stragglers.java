package dev.fairlead.dispatch;

import dev.fairlead.policy.Forecast;
import dev.fairlead.policy.Tail;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Says which running unit an idle device would finish sooner than the device that has it.
 *
 * <p>What remains of a try is as {@link Tail} says. Only learned costs count, since a weight says
 * nothing about seconds.
 */
final class Stragglers {
  private final Posts posts;
  private final Forecast forecast;

  Stragglers(Posts posts, Forecast forecast) {
    this.posts = posts;
    this.forecast = forecast;
  }

  /** The try that gains most by a clone on {@code idle}; null if none gains. */
  @Nullable UnitTry worthCloning(Collection<UnitTry> tries, Post idle, long now) {
    UnitTry best = null;
    double most = 0;
    for (UnitTry ride : tries) {
      UnitTask<?> unit = ride.unit();
      if (ride.hasStarted()
          && !unit.isOver()
          && !unit.isCloned()
          && !unit.hasFailedOn(idle)
          && forecast.isLearned(unit.demand().work())
          && posts.mayRun(unit, idle)) {
        double gain = remaining(ride, now) - forecast.seconds(unit.demand().work(), idle.number());
        if (gain > most) {
          most = gain;
          best = ride;
        }
      }
    }
    return best;
  }

  private double remaining(UnitTry ride, long now) {
    double whole = forecast.seconds(ride.unit().demand().work(), ride.post().number());
    return Tail.remaining(whole, ride.elapsedNanos(now) / 1e9);
  }
}
