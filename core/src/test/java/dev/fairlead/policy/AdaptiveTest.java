package dev.fairlead.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AdaptiveTest {
  private static final PlacementPolicy POLICY = Policies.adaptive();

  @Test
  void prefersAThousandASecondToTenWhenAllAreMeasured() {
    TestingCandidates candidates = TestingCandidates.measuring(10, 1_000, 10);

    assertThat(candidates.counts(POLICY, 100)).containsExactly(0, 100, 0);
  }

  @Test
  void takesTheDeviceThatWouldFinishFirst() {
    TestingCandidates candidates = TestingCandidates.measuring(100, 1_000);
    candidates.candidate(1).burden(8);
    assertThat(POLICY.place(candidates)).as("9 ms before 10 ms").isEqualTo(Choice.of(1, 8));

    candidates.candidate(1).burden(10);
    assertThat(POLICY.place(candidates)).as("10 ms before 11 ms").isEqualTo(Choice.of(0, 0));
  }

  @Test
  void holdsBurdensInProportionToRates() {
    TestingCandidates candidates = TestingCandidates.measuring(10, 30, 60);
    for (int item = 0; item < 1_000; item++) {
      candidates.placeAndHold(POLICY);
    }

    assertThat((double) candidates.burden(0)).isCloseTo(100, within(2.0));
    assertThat((double) candidates.burden(1)).isCloseTo(300, within(2.0));
    assertThat((double) candidates.burden(2)).isCloseTo(600, within(2.0));
  }

  @Test
  void triesADeviceThatIsNotMeasuredYet() {
    for (int rotation = 0; rotation < 3; rotation++) {
      TestingCandidates candidates =
          TestingCandidates.measuring(1_000, Double.NaN, 500).rotation(rotation);

      assertThat(POLICY.place(candidates)).isEqualTo(Choice.of(1, 0));
    }
  }

  @Test
  void triesUnmeasuredDevicesOneItemAtATime() {
    TestingCandidates candidates = TestingCandidates.measuring(1_000, Double.NaN);

    assertThat(candidates.placeAndHold(POLICY)).isEqualTo(1);
    assertThat(candidates.placeAndHold(POLICY)).as("it has one to be measured by").isEqualTo(0);
  }

  @Test
  void spreadsOverDevicesOfWhichNoneIsMeasured() {
    TestingCandidates candidates = TestingCandidates.of(3);
    for (int item = 0; item < 30; item++) {
      candidates.placeAndHold(POLICY);
    }

    assertThat(IntStream.range(0, 3).map(candidates::burden)).containsOnly(10);
  }

  @Test
  void doesNotTryAnUnmeasuredDeviceThatIsHandicapped() {
    TestingCandidates candidates = TestingCandidates.measuring(10, Double.NaN);
    candidates.candidate(1).burden(4);

    for (int item = 0; item < 100; item++) {
      assertThat(candidates.place(POLICY)).isEqualTo(0);
    }
  }

  @Test
  void takesAHandicappedUnmeasuredDeviceForAsSlowAsTheSlowest() {
    TestingCandidates candidates = TestingCandidates.measuring(10, 100, Double.NaN);
    candidates.candidate(0).full();
    candidates.candidate(1).burden(60);
    candidates.candidate(2).burden(4);

    assertThat(POLICY.place(candidates)).as("0.5 s before 0.61 s").isEqualTo(Choice.of(2, 4));

    candidates.candidate(1).burden(40);
    assertThat(POLICY.place(candidates)).as("0.41 s before 0.5 s").isEqualTo(Choice.of(1, 40));
  }

  @Test
  void probesASlowDeviceNowAndThen() {
    OneAtATime run = new OneAtATime(1_000, 10);
    run.until(60);

    // Twenty of its items are two seconds, and the item takes a tenth.
    assertThat(run.items[1]).isBetween(60 * 10 / 21 - 2, 60 * 10 / 21 + 2);
    assertThat(run.items[1] / 10.0).as("seconds lent to it").isLessThanOrEqualTo(60 / 20.0);
    assertThat(run.items[0]).as("the rest of the minute").isGreaterThan(56_000);
  }

  @Test
  void noticesThatASlowDeviceHasBecomeFast() {
    OneAtATime run = new OneAtATime(1_000, 10);
    run.until(10);
    run.truth[1] = 5_000;
    run.until(20);

    assertThat(run.items[1]).as("it has taken over").isGreaterThan(20_000);
  }

  @Test
  void doesNotProbeWhenAllHaveBeenIdleForLong() {
    TestingCandidates candidates = TestingCandidates.measuring(10, 1_000);
    candidates.candidate(0).idle(3_600);
    candidates.candidate(1).idle(3_600);

    assertThat(candidates.place(POLICY)).isEqualTo(1);
  }

  @Test
  void doesNotProbeADeviceThatIsFullOrHandicapped() {
    TestingCandidates candidates = TestingCandidates.measuring(10, 1_000, 10);
    candidates.candidate(0).idle(3_600).burden(1);
    candidates.candidate(2).idle(3_600).full();

    assertThat(candidates.place(POLICY)).isEqualTo(1);
  }

  /** A caller that waits for each item: the clock moves by what the item takes. */
  private static final class OneAtATime {
    private final double[] truth;
    private final double[] ended;
    private final int[] items;
    private final TestingCandidates candidates;
    private double now;

    OneAtATime(double... rates) {
      truth = rates.clone();
      ended = new double[rates.length];
      items = new int[rates.length];
      candidates = TestingCandidates.measuring(rates);
    }

    void until(double seconds) {
      while (now < seconds) {
        for (int index = 0; index < truth.length; index++) {
          candidates.candidate(index).idle(now - ended[index]);
        }
        int chosen = candidates.place(POLICY);
        now += 1 / truth[chosen];
        ended[chosen] = now;
        items[chosen]++;
        candidates.candidate(chosen).rate(truth[chosen]);
      }
    }
  }
}
