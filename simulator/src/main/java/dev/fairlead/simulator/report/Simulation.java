package dev.fairlead.simulator.report;

import dev.fairlead.policy.FairPolicy;
import dev.fairlead.policy.PlacementPolicy;
import dev.fairlead.policy.Policies;
import dev.fairlead.policy.ServicePolicies;
import dev.fairlead.policy.ServicePolicy;
import dev.fairlead.simulator.engine.Discipline;
import dev.fairlead.simulator.engine.Engine;
import dev.fairlead.simulator.engine.Observer;
import dev.fairlead.simulator.engine.Scenario;
import dev.fairlead.simulator.rule.Placing;
import dev.fairlead.simulator.rule.Serving;
import dev.fairlead.simulator.rule.TenantTally;
import dev.fairlead.simulator.sharing.Sharing;
import dev.fairlead.simulator.sharing.SharingRule;
import dev.fairlead.simulator.workload.Tenancy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Runs a scenario under policies, by name. */
public final class Simulation {
  private Simulation() {}

  /** The names of all policies, whatever the workload. */
  public static List<String> policies() {
    List<String> names = new ArrayList<>(ServicePolicies.names());
    Arrays.stream(SharingRule.values()).forEach(rule -> names.add(rule.text()));
    names.addAll(Policies.names());
    return names;
  }

  /** The names of the policies that a workload can be run under. */
  public static List<String> policies(Scenario scenario) {
    List<String> names = new ArrayList<>();
    if (scenario.workload().isLadder()) {
      names.addAll(ServicePolicies.names());
    }
    if (scenario.workload() instanceof Tenancy) {
      return names; // the others do not know whose work it is
    }
    if (scenario.workload().isRange()) {
      Arrays.stream(SharingRule.values()).forEach(rule -> names.add(rule.text()));
    }
    names.addAll(Policies.names());
    return names;
  }

  public static Figures run(Scenario scenario, String policy) {
    return run(scenario, policy, null);
  }

  public static Figures run(Scenario scenario, String policy, @Nullable Observer observer) {
    if (scenario.workload() instanceof Tenancy tenancy) {
      return share(scenario, tenancy, policy, observer);
    }
    Engine engine = new Engine(scenario, discipline(scenario, policy), observer);
    return Figures.of(policy, engine.run(), scenario.fleet());
  }

  /** The same under a placement policy of your own. */
  public static Figures run(Scenario scenario, PlacementPolicy policy) {
    Engine engine = new Engine(scenario, its -> new Placing(its, policy), null);
    return Figures.of(policy.name(), engine.run(), scenario.fleet());
  }

  /** Shares devices between tenants; of a job's units the policy of that name picks one. */
  private static Figures share(
      Scenario scenario, Tenancy tenancy, String inner, @Nullable Observer observer) {
    FairPolicy policy = ServicePolicies.fair(ServicePolicies.named(inner));
    TenantTally tally = new TenantTally(tenancy);
    Engine engine = new Engine(scenario, its -> Serving.sharing(its, policy, tally), observer);
    return Figures.of(policy.name(), engine.run(), scenario.fleet()).with(tally.shares());
  }

  private static Function<Engine, Discipline> discipline(Scenario scenario, String name) {
    String wanted = name.strip().toLowerCase(Locale.ROOT);
    if (!policies(scenario).contains(wanted)) {
      throw new IllegalArgumentException(
          "There is no policy \"%s\" for the workload %s; there are %s"
              .formatted(name, scenario.workload().name(), String.join(", ", policies(scenario))));
    }
    Optional<ServicePolicy> service = ServicePolicies.find(wanted);
    if (service.isPresent()) {
      return engine -> new Serving(engine, service.get());
    }
    for (SharingRule rule : SharingRule.values()) {
      if (rule.text().equals(wanted)) {
        return engine -> new Sharing(engine, rule);
      }
    }
    PlacementPolicy placement = Policies.named(wanted);
    return engine -> new Placing(engine, placement);
  }
}
