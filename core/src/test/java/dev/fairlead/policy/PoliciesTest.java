package dev.fairlead.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PoliciesTest {
  private static final long SEED = Long.getLong("fairlead.seed", 7_919);
  private static final int CASES = Boolean.getBoolean("fairlead.full") ? 200_000 : 5_000;

  @Test
  void areFoundByName() {
    for (PlacementPolicy policy : Policies.all()) {
      assertThat(Policies.named(policy.name())).isSameAs(policy);
    }
    assertThat(Policies.named(" Least-Loaded ")).isSameAs(Policies.leastLoaded());
    assertThat(Policies.all())
        .extracting(PlacementPolicy::name)
        .containsExactly(
            "round-robin",
            "least-loaded",
            "weighted",
            "adaptive",
            "power-of-two",
            "earliest-finish");
  }

  @Test
  void listTheNamesThereAreWhenAskedForAnother() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Policies.named("fastest"))
        .withMessageContainingAll("\"fastest\"", "round-robin", "earliest-finish");
  }

  @Test
  void sayWhatHasToBeRememberedForThem() {
    assertThat(Policies.roundRobin().memory()).isEqualTo(PlacementPolicy.Memory.TURN);
    assertThat(Policies.weighted().memory()).isEqualTo(PlacementPolicy.Memory.SHARES);
    assertThat(Policies.leastLoaded().memory()).isEqualTo(PlacementPolicy.Memory.NONE);
  }

  @ParameterizedTest
  @MethodSource("dev.fairlead.policy.Policies#all")
  void waitForNobodyInAnEmptyPool(PlacementPolicy policy) {
    assertThat(policy.place(TestingCandidates.of(0))).isEqualTo(Choice.NONE);
  }

  @ParameterizedTest
  @MethodSource("dev.fairlead.policy.Policies#all")
  void answerAnAvailableDeviceOrNone(PlacementPolicy policy) {
    for (long seed = SEED; seed < SEED + CASES; seed++) {
      TestingCandidates candidates = random(new SplittableRandom(seed));
      long choice = policy.place(candidates);
      String hint = policy.name() + ", run again with -Dfairlead.seed=" + seed;

      int index = Choice.index(choice);
      if (Choice.isPlaced(choice)) {
        assertThat(index).as(hint).isLessThan(candidates.size());
        assertThat(candidates.available(index)).as(hint).isTrue();
        assertThat(Choice.burden(choice)).as(hint).isGreaterThanOrEqualTo(candidates.burden(index));
      } else if (choice != Choice.NONE) {
        assertThat(candidates.eligible(index)).as("awaited; " + hint).isTrue();
        assertThat(candidates.available(index)).as("awaited; " + hint).isFalse();
      } else {
        assertThat(IntStream.range(0, candidates.size()).noneMatch(candidates::available))
            .as(hint)
            .isTrue();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.fairlead.policy.Policies#all")
  void answerTheSameAgainWhenNothingChanged(PlacementPolicy policy) {
    for (long seed = SEED; seed < SEED + 500; seed++) {
      TestingCandidates candidates = random(new SplittableRandom(seed)).drawing(0.3, 0.6);

      assertThat(policy.place(candidates)).isEqualTo(policy.place(candidates));
    }
  }

  @ParameterizedTest
  @MethodSource("dev.fairlead.policy.Policies#all")
  void accountForEachDeviceInWords(PlacementPolicy policy) {
    TestingCandidates candidates = random(new SplittableRandom(SEED));
    for (int index = 0; index < candidates.size(); index++) {
      assertThat(policy.account(candidates, index)).isNotBlank();
    }
  }

  @Test
  void ofYourOwnAnswerAnIndexOrMinusOneToWait() {
    TestingCandidates candidates = TestingCandidates.of(2);

    assertThat(PlacementPolicy.of("last", each -> each.size() - 1).place(candidates))
        .isEqualTo(Choice.of(1));
    assertThat(PlacementPolicy.of("never", each -> -1).place(candidates)).isEqualTo(Choice.NONE);
    assertThatIllegalStateException()
        .isThrownBy(() -> PlacementPolicy.of("bad", each -> -2).place(candidates))
        .withMessageContaining("-2");
  }

  private static TestingCandidates random(SplittableRandom random) {
    int size = random.nextInt(1, 9);
    TestingCandidates candidates =
        TestingCandidates.of(size)
            .turn(random.nextInt(4) == 0 ? Integer.MAX_VALUE : random.nextInt(size + 1))
            .rotation(random.nextInt(4) == 0 ? Integer.MAX_VALUE : random.nextInt(size + 1));
    boolean learned = random.nextBoolean();
    for (int index = 0; index < size; index++) {
      TestingCandidates.Candidate device =
          candidates
              .candidate(index)
              .burden(random.nextInt(3) == 0 ? 0 : random.nextInt(1_000))
              .weight(Math.max(0.01, random.nextDouble() * 10))
              .idle(random.nextBoolean() ? 0 : random.nextDouble() * 100);
      if (random.nextInt(3) > 0) {
        device.rate(Math.scalb(1.0, random.nextInt(-20, 20)));
      }
      if (learned) {
        device.learned(random.nextDouble() * 10, random.nextInt(3) == 0 ? 0 : random.nextDouble());
      }
      switch (random.nextInt(5)) {
        case 0 -> device.ineligible();
        case 1, 2 -> device.full();
        default -> device.free();
      }
    }
    return candidates;
  }
}
