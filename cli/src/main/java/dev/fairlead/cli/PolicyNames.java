package dev.fairlead.cli;

import dev.fairlead.policy.Policies;
import dev.fairlead.policy.ServicePolicies;
import dev.fairlead.simulator.report.Simulation;
import java.util.Iterator;

/** Names of policies, for help and completion. */
final class PolicyNames {
  private PolicyNames() {}

  /** What {@code --placement} takes. */
  record Placement() implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Policies.names().iterator();
    }
  }

  /** What {@code --service} takes. */
  record Service() implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return ServicePolicies.names().iterator();
    }
  }

  /** What {@code simulate --policy} takes, depending on the workload. */
  record Simulated() implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Simulation.policies().iterator();
    }
  }
}
