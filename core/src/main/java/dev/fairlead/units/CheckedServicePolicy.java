package dev.fairlead.units;

import dev.fairlead.outcome.TaskException;
import dev.fairlead.policy.FairPolicy;
import dev.fairlead.policy.ServicePolicy;
import dev.fairlead.policy.Turn;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Asks the service policy, and checks its answer. Owned by the scheduler. */
final class CheckedServicePolicy {
  private final ServicePolicy policy;
  private final OpenUnits open;
  private final DeviceRoster roster;
  private final UnitView view;

  CheckedServicePolicy(ServicePolicy policy, OpenUnits open, DeviceRoster roster, UnitView view) {
    this.policy = policy;
    this.open = open;
    this.roster = roster;
    this.view = view;
  }

  /**
   * The unit that the device takes, null if none.
   *
   * @throws TaskException.ServicePolicyFailed if the policy threw or answered nonsense
   */
  @Nullable UnitTask<?> choose(ServedDevice served, long now) {
    List<UnitTask<?>> units = open.listed();
    if (units.isEmpty()) {
      return null;
    }
    int picked;
    try {
      picked = policy.next(view.at(now), served.number());
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

  /** Whose turn it would be on the device, if the policy is one that shares. */
  Optional<Turn> turn(ServedDevice served, long now) {
    return policy instanceof FairPolicy fair
        ? Optional.of(fair.turn(view.at(now), served.number()))
        : Optional.empty();
  }
}
