package dev.fairlead.units;

import dev.fairlead.outcome.TaskException;
import dev.fairlead.policy.Forecast;
import dev.fairlead.policy.ServicePolicy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Asks the service policy, and checks its answer. Owned by the scheduler. */
final class CheckedServicePolicy {
  private final ServicePolicy policy;
  private final DeviceRoster roster;
  private final UnitView view;

  CheckedServicePolicy(ServicePolicy policy, DeviceRoster roster, Forecast forecast) {
    this.policy = policy;
    this.roster = roster;
    this.view = new UnitView(roster, forecast);
  }

  /**
   * The unit that the device takes, null if none.
   *
   * @throws TaskException.ServicePolicyFailed if the policy threw or answered nonsense
   */
  @Nullable UnitTask<?> choose(List<UnitTask<?>> units, int groups, ServedDevice served, long now) {
    if (units.isEmpty()) {
      return null;
    }
    int picked;
    try {
      picked = policy.next(view.of(units, groups, now), served.number());
    } catch (RuntimeException | Error failure) {
      throw new TaskException.ServicePolicyFailed(
          "The service policy %s threw %s".formatted(policy.name(), failure), failure);
    }
    if (picked == ServicePolicy.NONE) {
      return null;
    }
    if (picked < 0 || picked >= units.size() || !roster.mayRun(units.get(picked), served)) {
      throw new TaskException.ServicePolicyFailed(
          "The service policy %s answered %d of %d units for %s, which cannot take that"
              .formatted(policy.name(), picked, units.size(), served.device()),
          null);
    }
    return units.get(picked);
  }

  /** The units that wait, and those that stand in a device's line for a while. */
  static List<UnitTask<?>> withStuck(List<UnitTask<?>> waiting, Collection<UnitAttempt> attempts) {
    List<UnitTask<?>> stuck = new ArrayList<>();
    for (UnitAttempt attempt : attempts) {
      if (attempt.isStuck() && !attempt.isClone() && !attempt.unit().isOver()) {
        stuck.add(attempt.unit());
      }
    }
    if (stuck.isEmpty()) {
      return waiting;
    }
    stuck.addAll(0, waiting);
    return stuck;
  }
}
