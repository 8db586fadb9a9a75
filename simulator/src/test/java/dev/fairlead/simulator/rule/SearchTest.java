package dev.fairlead.simulator.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.fairlead.policy.Candidates;
import dev.fairlead.policy.Choice;
import dev.fairlead.policy.PlacementPolicy;
import dev.fairlead.policy.Policies;
import dev.fairlead.policy.Rank;
import dev.fairlead.simulator.engine.Scenario;
import dev.fairlead.simulator.fleet.FleetSpec;
import dev.fairlead.simulator.fleet.Mishap;
import dev.fairlead.simulator.report.Simulation;
import dev.fairlead.simulator.workload.Ladder;
import dev.fairlead.simulator.workload.Workload;
import dev.fairlead.simulator.workload.Workloads;
import dev.fairlead.simulator.workload.Workloads.Flow;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A policy that searches through an index decides as one that looks at every device. */
class SearchTest {
  private static final FleetSpec FLEET =
      FleetSpec.parse(
          "13xa:4,1xodd:3/slots=3/start=1,20xb:2,7xtight:1/sessions=3/item=0.05,20xc:1");

  static Stream<Scenario> scenarios() {
    Flow flow = new Flow(3_000, 0.9, 0.2);
    List<Workload> workloads =
        List.of(
            Workloads.poisson(flow),
            Workloads.burst(flow, 3),
            Workloads.heavyTail(flow),
            Ladder.of(3, 200));
    return workloads.stream()
        .flatMap(workload ->
            Stream.of(0.0, 0.7)
                .flatMap(stale ->
                    Stream.of(true, false)
                        .map(calibrated ->
                            Scenario.of(FLEET, workload, 11)
                                .with(Mishap.parse("stop 20% at 4", FLEET))
                                .with(
                                    Scenario.Conditions.USUAL
                                        .withStale(stale)
                                        .withCalibration(calibrated)))));
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void anIndexChangesNoDecision(Scenario scenario) {
    for (PlacementPolicy policy :
        List.of(
            Policies.weighted(),
            Policies.weighted().withoutTaking(),
            Policies.adaptive(),
            Policies.adaptive().withoutTaking(),
            Policies.earliestFinish(),
            Policies.earliestFinish().withoutTaking())) {
      int[] decisions = {0};
      Simulation.run(
          scenario,
          new PlacementPolicy() {
            @Override
            public String name() {
              return policy.name();
            }

            @Override
            public boolean weighsQueues() {
              return policy.weighsQueues();
            }

            @Override
            public boolean takes(Candidates candidates, int free, int busy) {
              return policy.takes(candidates, free, busy);
            }

            @Override
            public long place(Candidates candidates) {
              long found = policy.place(candidates);
              decisions[0]++;
              assertSame(candidates, found, policy.place(lookingAtAll(candidates)));
              return found;
            }
          });
      assertThat(decisions[0]).isGreaterThan(500);
    }
  }

  /** Finishes that differ by rounding alone are the same. */
  private static void assertSame(Candidates candidates, long found, long right) {
    if (found == right) {
      return;
    }
    assertThat(Choice.isPlaced(found)).isEqualTo(Choice.isPlaced(right));
    Rank.Finish finish = new Rank.Finish(5);
    assertThat(finish.of(candidates, Choice.index(found)))
        .isCloseTo(finish.of(candidates, Choice.index(right)), within(1e-8));
  }

  /** The same candidates without the shortcut. */
  private static Candidates lookingAtAll(Candidates candidates) {
    return (Candidates)
        Proxy.newProxyInstance(
            Candidates.class.getClassLoader(),
            new Class<?>[] {Candidates.class},
            (_, method, arguments) ->
                method.getName().equals("next")
                    ? arguments[0]
                    : method.invoke(candidates, arguments));
  }
}
