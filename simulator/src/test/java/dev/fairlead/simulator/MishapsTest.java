package dev.fairlead.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.fairlead.simulator.engine.Scenario;
import dev.fairlead.simulator.fleet.FleetSpec;
import dev.fairlead.simulator.fleet.Mishap;
import dev.fairlead.simulator.report.Figures;
import dev.fairlead.simulator.report.Simulation;
import dev.fairlead.simulator.workload.Ladder;
import dev.fairlead.simulator.workload.Workload;
import dev.fairlead.simulator.workload.Workloads;
import dev.fairlead.simulator.workload.Workloads.Given;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What happens to devices happens to their work, and none of it is lost while one of them serves.
 */
class MishapsTest {
  private static final FleetSpec FLEET = FleetSpec.parse("3xd:1");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "stop d-1 at 10",
        "lost d-1 at 10",
        "slow d-1 to 0.1 at 10",
        "hang d-1 at 10",
        "flap d-1 every 3 at 10",
        "join d-1 at 10",
        "leave d-1 at 10",
        "stop 60% at 10"
      })
  void nothingIsLostUnderAnyPolicy(String mishap) {
    for (Workload workload :
        List.of(
            Workloads.poisson(new Workloads.Flow(300, 0.6, 0.2)),
            Workloads.range(new Workloads.Flow(300, 0.6, 0.2)),
            Ladder.of(3, 30))) {
      Scenario scenario = scenario(workload, mishap);
      for (String policy : Simulation.policies(scenario)) {
        Figures seen = Simulation.run(scenario, policy);

        assertThat(seen.lost()).as("%s, %s, %s", mishap, workload.name(), policy).isZero();
        assertThat(seen.done()).isEqualTo(workload.isLadder() ? 90 : 300);
        assertThat(seen.makespanOverBound()).isGreaterThan(1 - 1e-9);
      }
    }
  }

  @Test
  void whatStopsTogetherDoesNotPassWorkOn() {
    Figures seen = units(16, "16xd:1", "stop 75% at 4");

    assertThat(seen.moved()).as("each unit of the twelve devices once").isEqualTo(12);
    assertThat(seen.lost()).isZero();
  }

  @Test
  void whatRanOnADeviceThatStopsIsDoneByAnother() {
    Figures seen = units(2, "2xd:1", "stop d-1 at 4");

    assertThat(seen.moved()).isEqualTo(1);
    assertThat(seen.makespanSeconds()).as("10 s, then the other from its start").isEqualTo(20);
  }

  @Test
  void whatHangsIsGivenUpByTheWatchdog() {
    Figures seen = units(2, "2xd:1", "hang d-1 at 4");

    assertThat(seen.makespanSeconds()).as("4 s + 120 s of patience + 10 s").isEqualTo(134);
  }

  @Test
  void whatRunsOnADeviceThatSlowsDownTakesTheRestLonger() {
    assertThat(units(1, "1xd:1", "slow d-1 to 0.5 at 4").makespanSeconds())
        .isCloseTo(4 + 6 / 0.5, within(1e-6));
  }

  @Test
  void aDeviceThatLeavesEndsWhatItHas() {
    Figures seen = units(2, "2xd:1", "leave d-1 at 4");

    assertThat(seen.makespanSeconds()).isEqualTo(10);
    assertThat(seen.moved()).isZero();
  }

  @Test
  void aDeviceThatJoinsTakesItsShareFromThenOn() {
    assertThat(units("any-rung", 4, "2xd:1", "join d-2 at 5").makespanSeconds())
        .as("two each, the second device 5 s late")
        .isEqualTo(25);
  }

  @Test
  void aDeviceThatIsBackServesWhenItsProbeHasPassed() {
    Figures seen = units(1, "1xd:1", "stop d-1 at 4", "back d-1 at 4.5");

    assertThat(seen.makespanSeconds()).as("4 s, a rest of 1 s, then all of it").isEqualTo(15);
  }

  @Test
  void whatNobodyCanDoAnyMoreIsLost() {
    Figures seen = units(3, "2xd:1", "lost 100% at 4");

    assertThat(seen.lost()).isEqualTo(3);
    assertThat(seen.done()).isZero();
  }

  @Test
  void startUpAndTransferTakeTheirTime() {
    assertThat(units(2, "1xd:2/start=3/item=0.5/transfer=0.1").makespanSeconds())
        .as("3 + 2 × (0.5 + 0.1 × 10 + 10 / 2)")
        .isCloseTo(16, within(1e-6));
  }

  @Test
  void sessionsLimitWhatADeviceTakes() {
    assertThat(units(4, "2xd:1/slots=2/sessions=1").makespanSeconds()).isEqualTo(20);
  }

  private static Figures units(int count, String fleet, String... mishaps) {
    return units("least-loaded", count, fleet, mishaps);
  }

  private static Figures units(String policy, int count, String fleet, String... mishaps) {
    FleetSpec devices = FleetSpec.parse(fleet);
    List<Given> units =
        IntStream.range(0, count).mapToObj(i -> new Given(0, 0, i, 10, 10)).toList();
    List<Mishap> all = new ArrayList<>();
    for (String mishap : mishaps) {
      all.addAll(Mishap.parse(mishap, devices));
    }
    Scenario scenario =
        Scenario.of(devices, Workloads.given("units", List.of("unit"), units), 7).with(all);
    Figures seen = Simulation.run(scenario, policy);
    assertThat(seen.done() + seen.lost()).isEqualTo(count);
    return seen;
  }

  private static Scenario scenario(Workload workload, String mishap) {
    return Scenario.of(FLEET, workload, 7).with(Mishap.parse(mishap, FLEET));
  }
}
