package dev.fairlead.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.policy.Candidates;
import dev.fairlead.policy.Choice;
import dev.fairlead.policy.PlacementPolicy;
import dev.fairlead.policy.Policies;
import dev.fairlead.simulator.engine.Scenario;
import dev.fairlead.simulator.fleet.FleetSpec;
import dev.fairlead.simulator.fleet.Mishap;
import dev.fairlead.simulator.report.Figures;
import dev.fairlead.simulator.report.Simulation;
import dev.fairlead.simulator.workload.Workloads;
import dev.fairlead.simulator.workload.Workloads.Given;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** No device is idle while work that it may do waits for another, whatever the policy. */
class TakingTest {
  @ParameterizedTest
  @CsvSource({
    "fast-1, fast-2, 1",
    "fast-1, fast-2, 5",
    "fast-2, slow-1, 2",
    "slow-1, fast-2, 2",
    "slow-2, slow-1, 5"
  })
  void aBurstOnDevicesOfWhichOneIsLostAndOneSlowedDownIsDoneNearTheBound(
      String lost, String slowed, double seconds) {
    for (boolean calibrated : List.of(false, true)) {
      Scenario scenario =
          scenario(
              300,
              "3xfast:4,2xslow:1",
              calibrated,
              "lost %s at %s".formatted(lost, seconds),
              "slow %s to 0.25 at %s".formatted(slowed, seconds));
      for (PlacementPolicy policy : Policies.all()) {
        assertThat(Simulation.run(scenario, policy).makespanOverBound())
            .as("%s, calibrated %s", policy.name(), calibrated)
            .isLessThanOrEqualTo(1.2);
      }
    }
  }

  @Test
  void equalItemsOnUnequalDevicesOfWhichNothingIsKnownAreDoneNearTheBound() {
    Scenario scenario = scenario(100, "1xslow:20,1xfast:200", false);
    for (PlacementPolicy policy : Policies.all()) {
      Figures seen = Simulation.run(scenario, policy);

      assertThat(seen.boundSeconds()).isBetween(0.4545, 0.4546);
      assertThat(seen.makespanOverBound()).as(policy.name()).isLessThanOrEqualTo(1.15);
    }
  }

  @Test
  void aFreeDeviceComesBeforeAQueueWhoeverHasTheTurn() {
    Scenario scenario = scenario(3, "1xslow:1,1xfast:10", false);

    assertThat(Simulation.run(scenario, Policies.roundRobin()).makespanSeconds())
        .as("one on the slow device, two on the fast one")
        .isEqualTo(1);
  }

  @Test
  void aDeviceThatJoinsTakesWhatStandsInTheLinesOfOthers() {
    Scenario scenario = scenario(30, "2xd:1", false, "join d-2 at 10");
    for (PlacementPolicy policy : Policies.all()) {
      assertThat(Simulation.run(scenario, policy).makespanSeconds())
          .as("ten on the first, then ten on each, under %s", policy.name())
          .isEqualTo(20);
    }
  }

  @Test
  void underAPolicyThatLetsNothingBeTakenALineKeepsWhatHasJoinedIt() {
    Scenario scenario = scenario(100, "1xslow:20,1xfast:200", false);

    assertThat(Simulation.run(scenario, Policies.leastLoaded().withoutTaking()).makespanSeconds())
        .as("half of them on the slow device")
        .isEqualTo(2.5);
  }

  @Test
  void withStaleNewsNothingIsTaken() {
    Scenario fresh = scenario(100, "1xslow:20,1xfast:200", false);
    Scenario stale = fresh.with(fresh.conditions().withStale(0.001));

    assertThat(Simulation.run(stale, Policies.leastLoaded()).makespanSeconds())
        .as("half of them on the slow device")
        .isEqualTo(2.5);
  }

  @Test
  void whatIsTakenCountsInTheShareOfWhoTakesIt() {
    List<String> shares = new ArrayList<>();

    Simulation.run(scenario(3, "2xd:1", false), toTheFirst(shares));

    assertThat(shares).containsExactly("0.0 0.0", "1.0 0.0", "1.0 1.0");
  }

  /** It failed twice, so that it has a handicap of three; at 2 s one of one is left. */
  @Test
  void aDeviceThatHasFailedTakesOnlyFromWhoCarriesMoreThanItsHandicap() {
    FleetSpec fleet = FleetSpec.parse("2xd:1");
    List<Mishap> mishaps = new ArrayList<>(Mishap.parse("flap d-2 every 0.4 at 1", fleet));
    mishaps.addAll(Mishap.parse("back d-2 at 1.85", fleet));
    List<Given> items = List.of(new Given(1.9, 0, 0, 10, 10), new Given(1.9, 0, 1, 10, 10));

    Figures seen =
        Simulation.run(
            Scenario.of(fleet, Workloads.given("items", List.of("item"), items), 7).with(mishaps),
            toTheFirst(new ArrayList<>()));

    assertThat(seen.makespanSeconds()).as("taken at 2 s, not at 1.9 s").isEqualTo(12);
  }

  private static PlacementPolicy toTheFirst(List<String> shares) {
    return new PlacementPolicy() {
      @Override
      public String name() {
        return "to-the-first";
      }

      @Override
      public boolean weighsQueues() {
        return true;
      }

      @Override
      public long place(Candidates candidates) {
        shares.add(candidates.pass(0) + " " + candidates.pass(1));
        return Choice.of(0);
      }
    };
  }

  private static Scenario scenario(int count, String fleet, boolean calibrated, String... mishaps) {
    FleetSpec devices = FleetSpec.parse(fleet);
    List<Given> items = IntStream.range(0, count).mapToObj(i -> new Given(0, 0, i, 1, 1)).toList();
    List<Mishap> all = new ArrayList<>();
    for (String mishap : mishaps) {
      all.addAll(Mishap.parse(mishap, devices));
    }
    return Scenario.of(devices, Workloads.given("items", List.of("item"), items), 7)
        .with(all)
        .with(Scenario.Conditions.USUAL.withCalibration(calibrated));
  }
}
