package dev.fairlead.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.fairlead.simulator.engine.Scenario;
import dev.fairlead.simulator.fleet.FleetSpec;
import dev.fairlead.simulator.fleet.Mishap;
import dev.fairlead.simulator.report.Figures;
import dev.fairlead.simulator.report.Simulation;
import dev.fairlead.simulator.workload.Workloads;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Ranges shared out by the production splitters and by work stealing, in virtual time. */
class SharingTest {
  private static Scenario scenario(String fleet, int units, double noise) {
    return Scenario.of(
        FleetSpec.parse(fleet), Workloads.range(new Workloads.Flow(units, 1, noise)), 7);
  }

  private static double makespan(Scenario scenario, String rule) {
    return Simulation.run(scenario, rule).makespanSeconds();
  }

  @Test
  void aUniformSplitWaitsForTheSlowestAndOneByWeightDoesNot() {
    Scenario mixed = scenario("1xfast:4,1xslow:1", 1_000, 0);

    assertThat(makespan(mixed, "split-uniform")).as("half of it at speed 1").isEqualTo(500);
    assertThat(makespan(mixed, "split-weighted")).isEqualTo(200);
    assertThat(makespan(mixed, "split-factoring")).isEqualTo(200, within(1.0));
    assertThat(makespan(mixed, "stealing")).isEqualTo(200, within(1.0));
  }

  @Test
  void stealingEvensOutWhatNobodyKnew() {
    Scenario noisy = scenario("8xd:1", 400, 1);

    assertThat(makespan(noisy, "split-weighted")).isGreaterThan(1.1 * makespan(noisy, "stealing"));
  }

  @Test
  void aDeviceThatSlowsDownIsRobbedAndOthersDoWhatItHad() {
    FleetSpec fleet = FleetSpec.parse("4xd:1");
    Scenario slowed = scenario("4xd:1", 400, 0).with(Mishap.parse("slow d-1 to 0.1 at 10", fleet));

    // Of 400 s of work 40 are done at 10 s; the rest at a speed of 3.1.
    assertThat(makespan(slowed, "stealing")).isEqualTo(10 + 360 / 3.1, within(10.0));
    assertThat(makespan(slowed, "split-weighted")).isEqualTo(10 + 90 / 0.1, within(1.0));
  }

  @Test
  void whatADeviceThatStopsHadIsDoneByOthers() {
    FleetSpec fleet = FleetSpec.parse("4xd:1");
    Scenario stopped = scenario("4xd:1", 400, 0).with(Mishap.parse("stop d-1 at 10.5", fleet));
    for (String rule : List.of("stealing", "split-uniform", "split-weighted", "split-factoring")) {
      Figures seen = Simulation.run(stopped, rule);

      assertThat(seen.lost()).as(rule).isZero();
      assertThat(seen.done()).as(rule).isEqualTo(400);
      // 42 s of work are done or thrown away at 10.5 s.
      assertThat(seen.makespanSeconds()).as(rule).isEqualTo(10.5 + 358.5 / 3, within(2.0));
    }
  }

  @Test
  void aDeviceThatJoinsLaterTakesNoPart() {
    FleetSpec fleet = FleetSpec.parse("2xd:1");
    Scenario joined = scenario("2xd:1", 100, 0).with(Mishap.parse("join d-2 at 1", fleet));

    assertThat(makespan(joined, "stealing")).isEqualTo(100);
    assertThat(makespan(joined, "split-uniform")).isEqualTo(100);
  }

  @Test
  void eachSlotOfADeviceIsAWorker() {
    assertThat(makespan(scenario("1xd:1/slots=4", 400, 0), "split-weighted")).isEqualTo(100);
  }

  @Test
  void whatIsLeftWhenAllDevicesAreGoneIsLost() {
    FleetSpec fleet = FleetSpec.parse("2xd:1");
    Scenario gone = scenario("2xd:1", 100, 0).with(Mishap.parse("lost 100% at 10.5", fleet));

    Figures seen = Simulation.run(gone, "stealing");

    assertThat(seen.done()).isEqualTo(20);
    assertThat(seen.lost()).isEqualTo(80);
  }
}
