package dev.fairlead.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RoundRobinTest {
  private static final PlacementPolicy POLICY = Policies.roundRobin();

  private final TestingCandidates candidates = TestingCandidates.of(3);

  @Test
  void goesRoundInStrictOrder() {
    assertThat(candidates.place(POLICY, 6)).containsExactly(0, 1, 2, 0, 1, 2);
  }

  @Test
  void goesRoundWhateverTheDevicesCarry() {
    candidates.candidate(0).burden(100);
    candidates.candidate(1).rate(0.001);

    assertThat(candidates.place(POLICY, 6)).containsExactly(0, 1, 2, 0, 1, 2);
  }

  @Test
  void skipsAFullDeviceAndTakesItUpAgainInItsPlace() {
    candidates.candidate(1).full();
    assertThat(candidates.place(POLICY, 4)).containsExactly(0, 2, 0, 2);

    candidates.candidate(1).free();
    assertThat(candidates.place(POLICY, 3)).containsExactly(0, 1, 2);
  }

  @Test
  void waitsWhenNobodyIsAvailable() {
    candidates.candidate(0).full();
    candidates.candidate(1).ineligible();
    candidates.candidate(2).full();

    assertThat(POLICY.place(candidates)).isEqualTo(Choice.NONE);
  }

  @Test
  void survivesATurnBeyondTheLastDevice() {
    assertThat(candidates.turn(3).place(POLICY, 4)).containsExactly(0, 1, 2, 0);
    assertThat(candidates.turn(Integer.MAX_VALUE - 1).place(POLICY, 4)).containsExactly(0, 1, 2, 0);
    assertThat(candidates.turn(Integer.MAX_VALUE).place(POLICY, 4)).containsExactly(0, 1, 2, 0);
  }

  @Test
  void looksAtEveryDeviceFromATurnBeyondTheLast() {
    candidates.candidate(0).full();
    candidates.candidate(1).full();

    assertThat(candidates.turn(Integer.MAX_VALUE).place(POLICY)).isEqualTo(2);
  }

  @Test
  void countsPlacesFromTheNextTurn() {
    candidates.turn(2);

    assertThat(POLICY.account(candidates, 2)).isEqualTo("has the next turn");
    assertThat(POLICY.account(candidates, 0)).isEqualTo("has the turn after the next one");
    assertThat(POLICY.account(candidates.turn(3), 1)).isEqualTo("has the turn after the next one");
  }
}
