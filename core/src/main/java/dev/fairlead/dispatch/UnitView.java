package dev.fairlead.dispatch;

import dev.fairlead.policy.Forecast;
import dev.fairlead.policy.WaitingUnits;
import java.util.List;

/** The foreman's books as a service policy reads them. */
final class UnitView implements WaitingUnits {
  private final Posts posts;
  private final Forecast forecast;
  private List<UnitTask<?>> units = List.of();
  private long now;

  UnitView(Posts posts, Forecast forecast) {
    this.posts = posts;
    this.forecast = forecast;
  }

  /** The same books with these units. */
  UnitView of(List<UnitTask<?>> waiting, long nanos) {
    units = waiting;
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
    return posts.mayRun(units.get(unit), post(device));
  }

  @Override
  public double seconds(int unit, int device) {
    return forecast.seconds(units.get(unit).demand().work(), device);
  }

  @Override
  public int groups() {
    return posts.groups();
  }

  @Override
  public int devices() {
    return posts.all().size();
  }

  @Override
  public boolean serves(int device) {
    return post(device).serves();
  }

  /** Until a slot is free; what others have there is not known. */
  @Override
  public double backlogSeconds(int device) {
    Post post = post(device);
    if (post.hasFreeSlot() && posts.sessions().allow(post, now)) {
      return 0;
    }
    double soonest = Double.POSITIVE_INFINITY;
    for (UnitTry ride : post.tries()) {
      double whole = forecast.seconds(ride.unit().demand().work(), device);
      soonest = Math.min(soonest, Math.max(0, whole - ride.elapsedNanos(now) / 1e9));
    }
    return soonest;
  }

  private Post post(int device) {
    return posts.all().get(device);
  }
}
