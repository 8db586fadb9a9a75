package dev.fairlead.units;

import dev.fairlead.policy.FairBooks;
import dev.fairlead.policy.FairJob;
import dev.fairlead.policy.Forecast;
import dev.fairlead.policy.SharedUnits;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The scheduler's books as a service policy reads them: all units that are listed, or a job's. */
final class UnitView implements SharedUnits, SharedUnits.Part {
  private final OpenUnits open;
  private final DeviceRoster roster;
  private final Forecast forecast;
  private final FairBooks books;
  private @Nullable UnitView part;
  private List<UnitTask<?>> units = List.of();
  private int groups = 1;
  private int others;
  private @Nullable Boolean moves;
  private long now;

  UnitView(OpenUnits open, DeviceRoster roster, Forecast forecast, FairBooks books) {
    this.open = open;
    this.roster = roster;
    this.forecast = forecast;
    this.books = books;
  }

  /** All that are listed now. */
  UnitView at(long nanos) {
    return show(open.listed(), open.groups(), 0, nanos);
  }

  private UnitView show(List<UnitTask<?>> which, int groupCount, int besides, long nanos) {
    units = which;
    groups = groupCount;
    others = besides;
    moves = null;
    now = nanos;
    return this;
  }

  @Override
  public FairBooks books() {
    return books;
  }

  @Override
  public Part of(FairJob job, boolean whole, int besides) {
    if (part == null) {
      part = new UnitView(open, roster, forecast, books);
    }
    PartyBooks party = open.of(job);
    return part.show(party.offered(whole), party.options().groups(), besides, now);
  }

  @Override
  public int outer(int unit) {
    return units.get(unit).place();
  }

  @Override
  public int size() {
    return units.size();
  }

  @Override
  public int others() {
    return others;
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
    Boolean known = moves;
    if (known == null) {
      known = units.stream().anyMatch(UnitTask::moves);
      moves = known;
    }
    return known;
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
    return Assignments.busySeconds(forecast, served, now);
  }

  private ServedDevice served(int device) {
    return roster.all().get(device);
  }
}
