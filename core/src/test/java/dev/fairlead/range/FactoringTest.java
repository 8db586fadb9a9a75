package dev.fairlead.range;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

class FactoringTest {
  private static final long TOTAL = 10_000;
  private static final long GRAIN = 10;
  private static final List<Double> WEIGHTS = List.of(1.0, 1.0, 2.0, 4.0);

  @Test
  void dealsHalfOfWhatRemainsInEachRound() {
    assertThat(lengths(Splitter.factoring(List.of(1.0), 1).split(16, 1)))
        .containsExactly(8L, 4L, 2L, 1L, 1L);
    assertThat(lengths(Splitter.factoring(List.of(1.0), 10).split(100, 1)))
        .as("shares below the minimum wait until they add up to it")
        .containsExactly(50L, 25L, 12L, 11L, 2L);
  }

  @Test
  void dealsEachRoundInProportionToWeights() {
    List<Unit> units = Splitter.factoring(WEIGHTS, 1).split(160, 4);

    assertThat(lengths(units).subList(0, 8)).containsExactly(10L, 10L, 20L, 40L, 5L, 5L, 10L, 20L);
    assertThat(units.subList(0, 8)).extracting(Unit::home).containsExactly(0, 1, 2, 3, 0, 1, 2, 3);
  }

  @Test
  void dealsWhatIsLeftToTheDeviceThatFinishesItFirst() {
    assertThat(Splitter.factoring(List.of(1.0, 8.0), 100).split(70, 2))
        .containsExactly(new Unit(new Range(0, 70), 1));
  }

  @Test
  void sparesASlowDeviceTheMinimumOfEveryRound() {
    // One in 10,000 of the total is its share: a single unit of the minimum is already too much.
    assertThat(Splitter.factoring(List.of(100.0, 0.01), 50).split(100_000, 2))
        .extracting(Unit::home)
        .containsOnly(0);
  }

  @Test
  void splitsTheLargestTotalWithTheLargestMinimum() {
    assertThat(lengths(Splitter.factoring(WEIGHTS, Long.MAX_VALUE).split(Long.MAX_VALUE, 4)))
        .containsExactly(Long.MAX_VALUE);
  }

  @Test
  void refusesAMinimumBelowOne() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Splitter.factoring(WEIGHTS, 0))
        .withMessage("minimumLength is not positive: 0");
  }

  @Test
  void beatsStaticSelfAndGuidedSchedulingWhereADeviceIsSlowerThanItsWeight() {
    double[] speeds = {1, 1, 2, 3};
    double bound = TOTAL / 7.0;

    List<Unit> shrinking = Splitter.factoring(WEIGHTS, GRAIN).split(TOTAL, 4);
    List<Unit> fixedUnits = Splitter.weighted(WEIGHTS).split(TOTAL, 4);
    double factored = TestingRun.homesFirst(speeds, shrinking, GRAIN);
    double fixed = TestingRun.homesFirst(speeds, fixedUnits, GRAIN);
    double self = TestingRun.inOrder(speeds, inTurn(remaining -> 1));
    double guided = TestingRun.inOrder(speeds, inTurn(remaining -> Math.max(1, remaining / 4)));

    assertThat(factored)
        .isLessThan(1.03 * bound)
        .isLessThan(fixed)
        .isLessThan(self)
        .isLessThan(guided);
  }

  private static List<Unit> inTurn(LongUnaryOperator lengthOfRemaining) {
    List<Unit> units = new ArrayList<>();
    for (long start = 0; start < TOTAL; start = units.getLast().range().end()) {
      long end = start + lengthOfRemaining.applyAsLong(TOTAL - start);
      units.add(new Unit(new Range(start, end), 0));
    }
    return units;
  }

  private static List<Long> lengths(List<Unit> units) {
    return units.stream().map(unit -> unit.range().length()).toList();
  }
}
