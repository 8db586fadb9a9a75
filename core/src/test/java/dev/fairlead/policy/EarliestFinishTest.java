package dev.fairlead.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EarliestFinishTest {
  private static final PlacementPolicy POLICY = Policies.earliestFinish();

  private final TestingCandidates candidates = TestingCandidates.of(3);

  @Test
  void choosesByBacklogAndPredictedTime() {
    candidates.candidate(0).learned(1, 1.5).burden(1);
    candidates.candidate(1).learned(8, 0);
    candidates.candidate(2).learned(2, 1).burden(6);

    for (int rotation = 0; rotation < 3; rotation++) {
      assertThat(POLICY.place(candidates.rotation(rotation)))
          .as("a second in line counts as five, however many items that is")
          .isEqualTo(Choice.of(2, 6));
    }
  }

  @Test
  void doesNotJoinALineWhereAnIdleDeviceIsNotMuchSlower() {
    candidates.candidate(0).learned(1, 1).burden(1);
    candidates.candidate(1).learned(5.5, 0);
    candidates.candidate(2).learned(6.5, 0);

    assertThat(POLICY.place(candidates)).isEqualTo(Choice.of(1, 0));
  }

  @Test
  void aBacklogCountsOnceWhereASlotIsFree() {
    candidates.candidate(0).learned(1, 1).burden(0);
    candidates.candidate(1).learned(5.5, 0);
    candidates.candidate(2).learned(6.5, 0);

    assertThat(POLICY.place(candidates)).isEqualTo(Choice.of(0, 0));
  }

  @Test
  void waitsForABusyDeviceThatStillFinishesSoonerAndNamesIt() {
    candidates.candidate(0).learned(10, 0);
    candidates.candidate(1).learned(1, 3).full();
    candidates.candidate(2).learned(9, 0);

    long choice = POLICY.place(candidates);

    assertThat(choice).isEqualTo(Choice.waitFor(1));
    assertThat(Choice.isPlaced(choice)).isFalse();
    assertThat(Choice.index(choice)).isEqualTo(1);
  }

  @Test
  void doesNotWaitForABusyDeviceThatWouldFinishLater() {
    candidates.candidate(0).learned(10, 0);
    candidates.candidate(1).learned(1, 8.5).full();
    candidates.candidate(2).learned(9, 0);

    assertThat(POLICY.place(candidates)).isEqualTo(Choice.of(2, 0));
  }

  @Test
  void doesNotWaitForADeviceThatIsNotEligible() {
    candidates.candidate(0).learned(10, 0);
    candidates.candidate(1).learned(1, 0).ineligible();
    candidates.candidate(2).learned(9, 0);

    assertThat(candidates.place(POLICY)).isEqualTo(2);
  }

  @Test
  void rotatesAmongEquals() {
    for (int index = 0; index < 3; index++) {
      candidates.candidate(index).learned(1, 0);
    }

    assertThat(candidates.place(POLICY, 6)).containsExactly(0, 1, 2, 0, 1, 2);
  }

  @Test
  void isAdaptiveWhileOneOfThemIsNotCalibrated() {
    candidates.candidate(0).learned(1, 0).rate(10);
    candidates.candidate(1).learned(5, 0).rate(1_000);
    candidates.candidate(2).rate(20).burden(1);

    assertThat(candidates.place(POLICY)).as("the highest rate").isEqualTo(1);

    candidates.candidate(2).learned(2, 0);
    assertThat(candidates.place(POLICY)).as("the soonest").isEqualTo(0);
  }

  @Test
  void triesAnIdleDeviceWhoseCostIsNotKnownHoweverSlowItIsAtOtherWork() {
    candidates.candidate(0).learned(1, 0).rate(1_000);
    candidates.candidate(1).learned(1, 0).rate(1_000);
    candidates.candidate(2).rate(0.001);

    assertThat(candidates.place(POLICY)).isEqualTo(2);
  }

  @Test
  void triesADeviceAgainThatTheOthersHaveLeftIdleForLong() {
    candidates.candidate(0).learned(1, 0);
    candidates.candidate(1).learned(1, 0);
    candidates.candidate(2).learned(10, 0).idle(201);

    assertThat(Choice.index(POLICY.place(candidates.drawing(0.04, 0))))
        .as("one in twenty")
        .isEqualTo(2);
    assertThat(Choice.index(POLICY.place(candidates.drawing(0.06, 0)))).isLessThan(2);
    candidates.candidate(2).learned(10, 0).idle(199);
    assertThat(Choice.index(POLICY.place(candidates.drawing(0.04, 0)))).as("not yet").isLessThan(2);
  }

  @Test
  void triesUnmeasuredDevicesWhileNotCalibrated() {
    candidates.candidate(0).learned(1, 0).rate(10);
    candidates.candidate(1).learned(1, 0).rate(10);

    assertThat(candidates.place(POLICY)).isEqualTo(2);
  }

  @Test
  void isNotHeldBackByAnUncalibratedDeviceThatMayNotTakeTheWork() {
    candidates.candidate(0).learned(5, 0).rate(1_000);
    candidates.candidate(1).learned(1, 0).rate(10);
    candidates.candidate(2).ineligible();

    assertThat(candidates.place(POLICY)).isEqualTo(1);
  }

  @Test
  void waitsWhenNobodyIsEligible() {
    for (int index = 0; index < 3; index++) {
      candidates.candidate(index).learned(1, 0).ineligible();
    }

    assertThat(POLICY.place(candidates)).isEqualTo(Choice.NONE);
  }

  @Test
  void saysWhatItGoesBy() {
    candidates.candidate(0).learned(2, 3);

    assertThat(POLICY.account(candidates, 0)).isEqualTo("free in 3 s, takes 2 s for this");
    assertThat(POLICY.account(candidates, 1)).startsWith("cost not learned yet");
  }
}
