package dev.fairlead.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class PowerOfTwoTest {
  private static final PlacementPolicy POLICY = Policies.powerOfTwo();
  private static final int MANY = 100_000;

  @Test
  void takesTheBetterOfTheTwoItDraws() {
    TestingCandidates candidates = TestingCandidates.measuring(1, 1, 1, 1);
    candidates.candidate(0).burden(0);
    candidates.candidate(1).burden(5);
    candidates.candidate(2).burden(3);

    assertThat(POLICY.place(candidates.drawing(0.3, 0.6))).isEqualTo(Choice.of(2, 3));
    assertThat(POLICY.place(candidates.drawing(0.6, 0.3))).isEqualTo(Choice.of(2, 3));
    assertThat(POLICY.place(candidates.drawing(0.3, 0.3)))
        .as("it looks at the drawn ones only")
        .isEqualTo(Choice.of(1, 5));
  }

  @Test
  void comparesFinishTimesAndNotBurdens() {
    TestingCandidates candidates = TestingCandidates.measuring(1, 9);
    candidates.candidate(1).burden(4);

    assertThat(POLICY.place(candidates.drawing(0.05, 0.5)))
        .as("five ninths of a second before one second")
        .isEqualTo(Choice.of(1, 4));
  }

  @Test
  void drawsBySpeed() {
    TestingCandidates candidates = TestingCandidates.measuring(1, 1, 2);

    // The slow ones win only when neither draw is the fast one: 1/2 squared, an eighth for each.
    int[] counts = candidates.counts(POLICY, MANY);

    assertThat(counts[0] / (double) MANY).isCloseTo(1 / 8.0, within(0.005));
    assertThat(counts[1] / (double) MANY).isCloseTo(1 / 8.0, within(0.005));
    assertThat(counts[2] / (double) MANY).isCloseTo(3 / 4.0, within(0.005));
  }

  @Test
  void drawsEqualsEquallyOften() {
    int[] counts = TestingCandidates.measuring(7, 7, 7, 7, 7).counts(POLICY, MANY);

    for (int count : counts) {
      assertThat(count / (double) MANY).isCloseTo(1 / 5.0, within(0.005));
    }
  }

  @Test
  void takesUnmeasuredDevicesForAsFastAsTheOthersAre() {
    TestingCandidates candidates = TestingCandidates.measuring(1, 3, Double.NaN);

    // Speeds 1, 3 and 2 of 6.
    assertThat(candidates.drawing(0.1, 0.1).place(POLICY)).isEqualTo(0);
    assertThat(candidates.drawing(0.2, 0.2).place(POLICY)).isEqualTo(1);
    assertThat(candidates.drawing(0.65, 0.65).place(POLICY)).isEqualTo(1);
    assertThat(candidates.drawing(0.7, 0.7).place(POLICY)).isEqualTo(2);
  }

  @Test
  void goesByWeightWhileNobodyIsMeasured() {
    TestingCandidates candidates = TestingCandidates.weighing(1, 3);

    assertThat(candidates.drawing(0.2, 0.2).place(POLICY)).isEqualTo(0);
    assertThat(candidates.drawing(0.3, 0.3).place(POLICY)).isEqualTo(1);
    assertThat(candidates.drawing(0.2, 0.3).place(POLICY)).as("the heavier").isEqualTo(1);
  }

  @Test
  void drawsAmongTheAvailableOnly() {
    TestingCandidates candidates = TestingCandidates.measuring(1_000, 1, 1_000, 1);
    candidates.candidate(0).full();
    candidates.candidate(2).ineligible();

    assertThat(candidates.drawing(0, 0).place(POLICY)).isEqualTo(1);
    assertThat(candidates.drawing(0.999, 0.999).place(POLICY)).isEqualTo(3);
  }

  @Test
  void survivesADrawAtTheVeryEnd() {
    TestingCandidates candidates = TestingCandidates.measuring(0.1, 0.2, 0.3, 0.4);
    candidates.candidate(3).full();
    double last = Math.nextDown(1.0);

    assertThat(candidates.drawing(last, last).place(POLICY)).isEqualTo(2);
  }

  @Test
  void waitsWhenNobodyIsAvailable() {
    TestingCandidates candidates = TestingCandidates.of(1);
    candidates.candidate(0).full();

    assertThat(POLICY.place(candidates)).isEqualTo(Choice.NONE);
    assertThat(POLICY.place(TestingCandidates.of(0))).isEqualTo(Choice.NONE);
  }

  @Test
  void spreadsOutstandingItemsFarBetterThanChance() {
    TestingCandidates candidates = TestingCandidates.of(100);
    int most = 0;
    for (int item = 0; item < 1_000; item++) {
      most = Math.max(most, candidates.burden(candidates.placeAndHold(POLICY)));
    }

    // Ten each on average; one random choice reaches about twenty.
    assertThat(most).isLessThanOrEqualTo(13);
  }
}
