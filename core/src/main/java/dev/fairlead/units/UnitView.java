package dev.fairlead.units;

import dev.fairlead.policy.Forecast;
import dev.fairlead.policy.WaitingUnits;
import java.util.List;

/** The scheduler's books as a service policy reads them. */
final class UnitView implements WaitingUnits {
  private final DeviceRoster roster;
  private final Forecast forecast;
  private List<UnitTask<?>> units = List.of();
  private int groups;
  private boolean moves;
  private long now;

  UnitView(DeviceRoster roster, Forecast forecast) {
    this.roster = roster;
    this.forecast = forecast;
  }

  /** The same books with these units. */
  UnitView of(List<UnitTask<?>> waiting, int groupCount, long nanos) {
    units = waiting;
    groups = groupCount;
    moves = waiting.stream().anyMatch(UnitTask::moves);
    now = nanos;
    return this;
  }

  @Override
  public int size() {
    return units.size();
  }

  @Override
  public int group(int unit) {
    return units.get(unit).group();
  }

  @Override
  public long order(int unit) {
    return units.get(unit).order();
  }

  @Override
  public boolean mayRun(int unit, int device) {
    return roster.mayRun(units.get(unit), served(device));
  }

  @Override
  public double seconds(int unit, int device) {
    return forecast.seconds(units.get(unit).demand().work(), device) + moveSeconds(unit, device);
  }

  @Override
  public double moveSeconds(int unit, int device) {
    return units.get(unit).input().secondsTo(served(device).device());
  }

  @Override
  public boolean moves() {
    return moves;
  }

  @Override
  public int groups() {
    return groups;
  }

  @Override
  public int devices() {
    return roster.all().size();
  }

  @Override
  public boolean serves(int device) {
    return served(device).serves();
  }

  @Override
  public int slots(int device) {
    return served(device).device().slots();
  }

  /** What units have left, all slots in use; what others have there is not known. */
  @Override
  public double backlogSeconds(int device) {
    ServedDevice served = served(device);
    if (served.attempts().isEmpty()) {
      return roster.sessions().allow(served, now) ? 0 : Double.POSITIVE_INFINITY;
    }
    double left = 0;
    for (UnitAttempt attempt : served.attempts()) {
      double whole = forecast.seconds(attempt.unit().demand().work(), device);
      left += Math.max(0, whole - attempt.elapsedNanos(now) / 1e9);
    }
    return left / slots(device);
  }

  private ServedDevice served(int device) {
    return roster.all().get(device);
  }
}
