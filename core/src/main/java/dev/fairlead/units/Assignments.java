package dev.fairlead.units;

import dev.fairlead.policy.Forecast;
import dev.fairlead.policy.Turn;
import dev.fairlead.policy.Work;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Takes down why a unit is given to a device, before it is. Owned by the scheduler. */
final class Assignments {
  private final DeviceRoster roster;
  private final Forecast forecast;

  Assignments(DeviceRoster roster, Forecast forecast) {
    this.roster = roster;
    this.forecast = forecast;
  }

  Assignment of(
      UnitTask<?> unit, ServedDevice taker, boolean clone, Optional<Turn> turn, long now) {
    Work work = unit.demand().work();
    boolean learned = forecast.isLearned(work);
    List<Assignment.Candidate> candidates = new ArrayList<>();
    for (ServedDevice served : roster.all()) {
      if (served.isPresent()) {
        double seconds =
            forecast.seconds(work, served.number()) + unit.input().secondsTo(served.device());
        candidates.add(
            new Assignment.Candidate(
                served.device(),
                learned ? Optional.of(seconds) : Optional.empty(),
                isPredicted(served)
                    ? Optional.of(busySeconds(forecast, served, now))
                    : Optional.empty(),
                standing(unit, served, taker, now)));
      }
    }
    return new Assignment(candidates, clone, turn);
  }

  private Assignment.Standing standing(
      UnitTask<?> unit, ServedDevice served, ServedDevice taker, long now) {
    if (served.equals(taker)) {
      return Assignment.Standing.TAKES;
    }
    if (!served.serves()) {
      return Assignment.Standing.AWAY;
    }
    if (unit.attempts().stream().anyMatch(attempt -> attempt.served().equals(served))) {
      return Assignment.Standing.HAS_IT;
    }
    if (!roster.mayRun(unit, served)) {
      return Assignment.Standing.UNFIT;
    }
    return roster.haveRoom(served, now) ? Assignment.Standing.FREE : Assignment.Standing.BUSY;
  }

  /** Whether all that a device has is of kinds that were measured. */
  private boolean isPredicted(ServedDevice served) {
    return served.attempts().stream()
        .allMatch(attempt -> forecast.isLearned(attempt.unit().demand().work()));
  }

  /** What the units of a device have left, all slots in use. */
  static double busySeconds(Forecast forecast, ServedDevice served, long now) {
    double left = 0;
    for (UnitAttempt attempt : served.attempts()) {
      double whole = forecast.seconds(attempt.unit().demand().work(), served.number());
      left += Math.max(0, whole - attempt.elapsedNanos(now) / 1e9);
    }
    return left / served.device().slots();
  }
}
