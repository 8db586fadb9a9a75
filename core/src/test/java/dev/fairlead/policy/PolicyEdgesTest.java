package dev.fairlead.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PolicyEdgesTest {
  @Test
  void earliestFinishDoesNotWaitForABusyDeviceThatIsNoSooner() {
    TestingCandidates candidates = TestingCandidates.of(2);
    candidates
        .candidate(0)
        .learned(2, 0)
        .full()
        .burden(1); // overran its prediction: backlog reads 0
    candidates.candidate(1).learned(2, 0); // the same device, idle
    assertThat(Policies.earliestFinish().place(candidates.rotation(0))).isEqualTo(Choice.of(1, 0));
  }

  @Test
  void adaptiveUsesAFastDeviceAlsoInSparseTraffic() {
    // one request each 3 s, over 1000/s and 10/s
    TestingCandidates candidates = TestingCandidates.measuring(1_000, 10);
    double[] ended = new double[2];
    int[] items = new int[2];
    for (int request = 1; request <= 1000; request++) {
      double now = 3 * request;
      candidates.candidate(0).idle(now - ended[0]);
      candidates.candidate(1).idle(now - ended[1]);
      int chosen = candidates.place(Policies.adaptive());
      ended[chosen] = now + 1 / candidates.rate(chosen);
      items[chosen]++;
    }
    assertThat(items[1]).as("items on the slow device of 1000").isLessThanOrEqualTo(1000 / 20);
  }

  @Test
  void adaptiveIgnoresAnUnusedColdDeviceWhenItLooksForNeglect() {
    TestingCandidates candidates = TestingCandidates.measuring(10, 1_000, Double.NaN);
    candidates.candidate(0).idle(3_600);
    candidates.candidate(1).idle(3_600);
    candidates.candidate(2).full(); // never finished anything: idleSeconds is 0
    assertThat(candidates.place(Policies.adaptive())).isEqualTo(1);
  }

  @Test
  void perRungRunsAUnitThatItsOwnDeviceMayNotRun() {
    TestingUnits units = TestingUnits.of(2, 1, 1).add(1, 0, 1, 1); // group 1 barred from device 1
    String zero = units.take(ServicePolicies.perRung(), 0);
    String one = units.take(ServicePolicies.perRung(), 1);
    assertThat(zero + one).as("somebody takes it").contains("1@0");
  }

  @Test
  void helpersRunUnitsWithoutAPrediction() {
    TestingUnits units = TestingUnits.of(2, 1, 1).add(0, 0, 0); // cost 0
    assertThat(units.take(ServicePolicies.helpers(), 1)).isEqualTo("0@0");
  }

  @Test
  void helpersRunUnitsWithNanPrediction() {
    TestingUnits units = TestingUnits.of(2, 1, 1).add(0, 0, Double.NaN);
    assertThat(units.take(ServicePolicies.helpers(), 1)).isEqualTo("0@0");
  }

  @Test
  void roundRobinSurvivesANegativeTurn() {
    assertThat(TestingCandidates.of(3).turn(Integer.MIN_VALUE).place(Policies.roundRobin()))
        .isBetween(0, 2);
  }

  @Test
  void leastLoadedTakesADeviceOfAnyBurden() {
    TestingCandidates c = TestingCandidates.of(1);
    c.candidate(0).burden(Integer.MAX_VALUE);
    assertThat(c.place(Policies.leastLoaded())).isEqualTo(0);
  }
}
