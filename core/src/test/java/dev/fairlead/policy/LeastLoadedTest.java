package dev.fairlead.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LeastLoadedTest {
  private static final PlacementPolicy POLICY = Policies.leastLoaded();

  private final TestingCandidates candidates = TestingCandidates.of(3);

  @Test
  void takesTheDeviceWithTheLeastBurden() {
    candidates.candidate(0).burden(3);
    candidates.candidate(1).burden(1);
    candidates.candidate(2).burden(2);

    for (int rotation = 0; rotation < 3; rotation++) {
      assertThat(POLICY.place(candidates.rotation(rotation))).isEqualTo(Choice.of(1, 1));
    }
  }

  @Test
  void countsForeignStreamsAndHandicapsLikeItems() {
    int streamsOfOthers = 2;
    int handicap = 8;
    candidates.candidate(0).burden(streamsOfOthers);
    candidates.candidate(1).burden(handicap);
    candidates.candidate(2).burden(1);

    assertThat(candidates.place(POLICY)).isEqualTo(2);
  }

  @Test
  void rotatesAmongEquals() {
    assertThat(candidates.place(POLICY, 6)).containsExactly(0, 1, 2, 0, 1, 2);

    candidates.candidate(1).burden(1);
    assertThat(candidates.place(POLICY, 4)).containsExactly(0, 2, 0, 2);
  }

  @Test
  void rotatesAmongEqualsThatCarrySomething() {
    for (int index = 0; index < 3; index++) {
      candidates.candidate(index).burden(4);
    }

    assertThat(candidates.place(POLICY, 6)).containsExactly(0, 1, 2, 0, 1, 2);
  }

  @Test
  void spreadsItemsThatStayOutstanding() {
    for (int item = 0; item < 300; item++) {
      candidates.placeAndHold(POLICY);
    }

    assertThat(candidates.burden(0)).isEqualTo(100);
    assertThat(candidates.burden(1)).isEqualTo(100);
    assertThat(candidates.burden(2)).isEqualTo(100);
  }

  @Test
  void passesOverWhoIsNotAvailableHoweverIdle() {
    candidates.candidate(0).full();
    candidates.candidate(1).burden(7);
    candidates.candidate(2).ineligible();

    assertThat(POLICY.place(candidates)).isEqualTo(Choice.of(1, 7));
  }

  @Test
  void survivesARotationBeyondTheLastDevice() {
    assertThat(candidates.rotation(Integer.MAX_VALUE).place(POLICY))
        .isEqualTo(Integer.MAX_VALUE % 3);
  }
}
