package dev.fairlead.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class WeightedTest {
  private static final PlacementPolicy POLICY = Policies.weighted();

  @Test
  void sharesExactlyInProportionToTheWeightsWhenCalledOneAtATime() {
    TestingCandidates candidates = TestingCandidates.weighing(1, 1, 2, 4);

    // 12.5, 12.5, 25 and 50 %, in every eight and so in all.
    for (int eight = 0; eight < 1_000; eight++) {
      assertThat(candidates.counts(POLICY, 8)).containsExactly(1, 1, 2, 4);
    }
  }

  @Test
  void startsWithTheHeaviest() {
    assertThat(TestingCandidates.weighing(1, 1, 10).place(POLICY)).isEqualTo(2);
    assertThat(TestingCandidates.weighing(1, 1, 2, 4).place(POLICY)).isEqualTo(3);
  }

  @Test
  void neverStraysFarFromOneToOneToTen() {
    TestingCandidates candidates = TestingCandidates.weighing(1, 1, 10);
    int[] placed = candidates.place(POLICY, 12_000);

    int[] counts = new int[3];
    for (int item = 0; item < placed.length; item++) {
      counts[placed[item]]++;
      assertThat((double) counts[2]).isCloseTo((item + 1) * 10 / 12.0, within(2.0));
    }
  }

  @Test
  void staysWithinAnItemOrTwoOfTheShareForAnyWeights() {
    SplittableRandom random = new SplittableRandom(7_919);
    for (int round = 0; round < 100; round++) {
      double[] weights = random.doubles(random.nextInt(1, 9), 0.01, 20).toArray();
      int items = 1_000;
      int[] counts = TestingCandidates.weighing(weights).counts(POLICY, items);

      double total = Arrays.stream(weights).sum();
      for (int index = 0; index < weights.length; index++) {
        assertThat((double) counts[index])
            .as("%s of %s", index, Arrays.toString(weights))
            .isCloseTo(items * weights[index] / total, within(2.0));
      }
    }
  }

  @Test
  void isCorrectedByWhatIsOutstanding() {
    TestingCandidates candidates = TestingCandidates.weighing(1, 2);
    candidates.candidate(1).burden(3);

    assertThat(candidates.place(POLICY)).isEqualTo(0);
  }

  @Test
  void keepsBurdensInProportionWhenNothingFinishes() {
    TestingCandidates candidates = TestingCandidates.weighing(1, 1, 2, 4);
    for (int item = 0; item < 800; item++) {
      candidates.placeAndHold(POLICY);
    }

    assertThat(candidates.burden(0)).isBetween(99, 101);
    assertThat(candidates.burden(1)).isBetween(99, 101);
    assertThat(candidates.burden(2)).isBetween(199, 201);
    assertThat(candidates.burden(3)).isBetween(398, 402);
  }

  @Test
  void givesALateJoinerItsShareAndNotEverything() {
    TestingCandidates candidates = TestingCandidates.weighing(1, 1, 1);
    candidates.candidate(2).ineligible();
    assertThat(candidates.counts(POLICY, 1_000)).containsExactly(500, 500, 0);

    candidates.candidate(2).free();
    int[] counts = candidates.counts(POLICY, 300);

    assertThat(counts[2]).as("a third, and the two items that it may lag").isBetween(100, 103);
    assertThat(counts[0]).isBetween(98, 101);
  }

  @Test
  void letsADeviceThatWasFullForLongCatchUpOnlyALittle() {
    TestingCandidates candidates = TestingCandidates.weighing(4, 1);
    candidates.place(POLICY, 100);
    candidates.candidate(0).full();
    candidates.place(POLICY, 1_000);

    candidates.candidate(0).free();

    assertThat(candidates.counts(POLICY, 100)[0]).isBetween(80, 86);
  }

  @Test
  void doesNotPunishADeviceForWhatItDidAlone() {
    TestingCandidates candidates = TestingCandidates.weighing(1, 1);
    candidates.candidate(1).full();
    candidates.place(POLICY, 1_000);
    candidates.candidate(1).free();

    assertThat(candidates.counts(POLICY, 100)[0]).isBetween(47, 50);
  }

  @Test
  void passesOverTheFullAndWaitsWhenAllAre() {
    TestingCandidates candidates = TestingCandidates.weighing(1, 100);
    candidates.candidate(1).full();
    assertThat(candidates.place(POLICY)).isEqualTo(0);

    candidates.candidate(0).full();
    assertThat(POLICY.place(candidates)).isEqualTo(Choice.NONE);
  }
}
