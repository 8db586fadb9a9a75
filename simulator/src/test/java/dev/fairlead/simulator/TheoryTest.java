package dev.fairlead.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.fairlead.policy.PlacementPolicy;
import dev.fairlead.policy.Policies;
import dev.fairlead.simulator.engine.Scenario;
import dev.fairlead.simulator.fleet.FleetSpec;
import dev.fairlead.simulator.report.Figures;
import dev.fairlead.simulator.report.Simulation;
import dev.fairlead.simulator.workload.Arrival;
import dev.fairlead.simulator.workload.Workload;
import dev.fairlead.simulator.workload.Workloads;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The simulator reproduces what queueing theory knows, of queues that keep what has joined them.
 * Close to saturation a mean depends so much on the load that the draws happened to come to that a
 * plain comparison needs hundreds of millions of tasks; so what is measured is divided by what
 * M/M/1 says at the load of the draws, and multiplied by what it says at the load that was meant.
 */
class TheoryTest {
  private static final PlacementPolicy ONE_CHOICE =
      PlacementPolicy.of("one-choice", all -> (int) (all.draw(0) * all.size())).withoutTaking();

  private static final long LONGER = Boolean.getBoolean("fairlead.full") ? 5 : 1;

  @ParameterizedTest
  @CsvSource({"0.5, 2", "0.9, 10", "0.95, 20"})
  void aSingleDeviceIsMM1(double load, double expected) {
    assertThat(mean("1xd:1", Policies.leastLoaded(), load, 4_000_000))
        .isCloseTo(expected, withinPercentage(3));
  }

  @ParameterizedTest
  @CsvSource({"2, 0.9", "4, 0.8", "16, 0.95"})
  void aDeviceWithSeveralSlotsIsMMn(int slots, double load) {
    Figures seen =
        Simulation.run(scenario("1xd:1/slots=" + slots, load, 3_000_000), Policies.leastLoaded());

    assertThat(seen.times().mean()).isCloseTo(erlang(slots, load), withinPercentage(3));
  }

  @ParameterizedTest
  @CsvSource({"0.9, 10", "0.95, 20", "0.99, 100"})
  void oneChoiceIsTheSupermarketWithOneChoice(double load, double expected) {
    long tasks = load > 0.98 ? 12_000_000 : 3_000_000;

    assertThat(mean("4xd:1", ONE_CHOICE, load, tasks)).isCloseTo(expected, withinPercentage(3));
  }

  @ParameterizedTest
  @CsvSource({"0.9, 2.61", "0.95, 3.38", "0.99, 5.43"})
  void powerOfTwoIsTheSupermarketWithTwoChoices(double load, double expected) {
    long tasks = load > 0.98 ? 5_000_000 : 1_500_000;

    PlacementPolicy keeping = Policies.powerOfTwo().withoutTaking();

    assertThat(Simulation.run(scenario("1000xd:1", load, tasks), keeping).times().mean())
        .isCloseTo(expected, withinPercentage(3));
  }

  @Test
  void twoRunsOfOneSeedAreTheSameAndThoseOfTwoAreNot() {
    Scenario one = scenario("8xd:1", 0.9, 10_000);
    Scenario other = new Scenario(one.fleet(), one.mishaps(), one.workload(), one.conditions(), 8);

    assertThat(Simulation.run(one, "adaptive")).isEqualTo(Simulation.run(one, "adaptive"));
    assertThat(Simulation.run(one, "adaptive")).isNotEqualTo(Simulation.run(other, "adaptive"));
  }

  private static Scenario scenario(String fleet, double load, long tasks) {
    long count = tasks * LONGER;
    return Scenario.of(
            FleetSpec.parse(fleet), Workloads.poisson(new Workloads.Flow(count, load, 0)), 7)
        .with(Scenario.Conditions.USUAL.withWarmUp(count / 5).withCalibration(true));
  }

  /** For devices that are M/M/1 each, at the load that was meant. */
  private static double mean(String fleet, PlacementPolicy policy, double load, long tasks) {
    Scenario scenario = scenario(fleet, load, tasks);
    double seen = Simulation.run(scenario, policy).times().mean();
    double drawn = drawnLoad(scenario);
    return seen * (1 - drawn) / (1 - load);
  }

  /** The load of the tasks that count. */
  private static double drawnLoad(Scenario scenario) {
    Workload.Stream stream = scenario.workload().open(scenario.seed(), scenario.fleet().capacity());
    Arrival arrival = new Arrival();
    double work = 0;
    double from = 0;
    while (stream.next(arrival)) {
      if (arrival.order < scenario.conditions().warmUp()) {
        from = arrival.seconds;
      } else {
        work += arrival.cost;
      }
    }
    return work / scenario.fleet().capacity() / (arrival.seconds - from);
  }

  /** The mean time in system of M/M/n with services of mean one. */
  private static double erlang(int servers, double load) {
    double offered = servers * load;
    double blocked = 1;
    for (int n = 1; n <= servers; n++) {
      blocked = offered * blocked / (n + offered * blocked);
    }
    double waits = blocked / (1 - load * (1 - blocked));
    return 1 + waits / (servers * (1 - load));
  }
}
