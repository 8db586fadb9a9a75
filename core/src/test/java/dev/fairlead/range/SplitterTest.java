package dev.fairlead.range;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SplitterTest {

  @Test
  void splitsTenOverThreeIntoTenUnitsOfOneWithHomesInTurn() {
    assertThat(Splitter.uniform().split(10, 3))
        .extracting(Unit::range)
        .containsExactlyElementsOf(
            Stream.iterate(0, i -> i + 1).limit(10).map(i -> new Range(i, i + 1)).toList());
    assertThat(homes(Splitter.uniform().split(10, 3)))
        .containsExactly(0, 1, 2, 0, 1, 2, 0, 1, 2, 0);
  }

  @Test
  void splitsTwoOverEightIntoTwoUnits() {
    assertThat(Splitter.uniform().split(2, 8))
        .containsExactly(new Unit(new Range(0, 1), 0), new Unit(new Range(1, 2), 1));
  }

  @Test
  void splitsIntoFourUnitsADeviceAndAShorterLastOne() {
    assertThat(lengths(Splitter.uniform().split(80, 2))).hasSize(8).containsOnly(10L);
    assertThat(lengths(Splitter.uniform().split(81, 2)))
        .containsExactly(10L, 10L, 10L, 10L, 10L, 10L, 10L, 10L, 1L);
    assertThat(lengths(Splitter.uniform().split(7, 1))).hasSize(7).containsOnly(1L);
    assertThat(lengths(Splitter.uniform().split(8, 1))).hasSize(4).containsOnly(2L);
  }

  @Test
  void splitsTheLargestTotal() {
    List<Unit> units = Splitter.uniform().split(Long.MAX_VALUE, 1);

    assertThat(lengths(units))
        .containsExactly(
            Long.MAX_VALUE / 4, Long.MAX_VALUE / 4, Long.MAX_VALUE / 4, Long.MAX_VALUE / 4, 3L);
    assertThat(units.getLast().range().end()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void splitsALittleOverTheMostDevices() {
    assertThat(homes(Splitter.uniform().split(3, Integer.MAX_VALUE))).containsExactly(0, 1, 2);
  }

  @Test
  void refusesMoreUnitsThanAnArrayHoldsAndNamesTheCountAndTheRemedy() {
    long most = 8L * Integer.MAX_VALUE - 1;
    assertThatExceptionOfType(SplitException.TooManyUnits.class)
        .isThrownBy(() -> Splitter.uniform().split(most, Integer.MAX_VALUE))
        .withMessageStartingWith("the split has 17179869175 units")
        .withMessageEndingWith("use fewer devices, or split the total in several parts");
    assertThatExceptionOfType(SplitException.TooManyUnits.class)
        .isThrownBy(() -> Splitter.uniform().split(Long.MAX_VALUE, Integer.MAX_VALUE))
        .satisfies(refused -> assertThat(refused.count()).isEqualTo(1L << 33));
  }

  static Stream<Splitter> splittersOfNoDevices() {
    return Stream.of(
        Splitter.uniform(), Splitter.weighted(List.of()), Splitter.factoring(List.of(), 1));
  }

  @ParameterizedTest
  @MethodSource("splittersOfNoDevices")
  void givesNoUnitsForNothingAlsoWithoutDevices(Splitter splitter) {
    assertThat(splitter.split(0, 0)).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("splittersOfNoDevices")
  void refusesWorkWithoutDevicesAndNamesTheCountAndTheRemedy(Splitter splitter) {
    assertThatExceptionOfType(SplitException.NoDevices.class)
        .isThrownBy(() -> splitter.split(7, 0))
        .withMessage(
            "cannot split 7 indices over 0 devices; add a device first, or split a total of 0")
        .satisfies(refused -> assertThat(refused.total()).isEqualTo(7));
  }

  static Stream<Splitter> splittersOfThreeDevices() {
    List<Double> weights = List.of(1.0, 2.0, 3.0);
    return Stream.of(
        Splitter.uniform(), Splitter.weighted(weights), Splitter.factoring(weights, 1));
  }

  @ParameterizedTest
  @MethodSource("splittersOfThreeDevices")
  void givesNoUnitsForNothing(Splitter splitter) {
    assertThat(splitter.split(0, 3)).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("splittersOfThreeDevices")
  void refusesNegativeArgumentsByName(Splitter splitter) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> splitter.split(-1, 3))
        .withMessage("total is negative: -1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> splitter.split(1, -3))
        .withMessage("devices is negative: -3");
  }

  @Test
  void givesEachDeviceOneUnitInProportionToItsWeight() {
    assertThat(Splitter.weighted(List.of(1.0, 1.0, 2.0, 4.0)).split(80, 4))
        .containsExactly(
            new Unit(new Range(0, 10), 0),
            new Unit(new Range(10, 20), 1),
            new Unit(new Range(20, 40), 2),
            new Unit(new Range(40, 80), 3));
  }

  @Test
  void givesWhatRoundingLeavesToTheLargestRemaindersFirstInPoolOrder() {
    // Exact shares: 1.43, 2.86, 5.71.
    assertThat(lengths(Splitter.weighted(List.of(1.0, 2.0, 4.0)).split(10, 3)))
        .containsExactly(1L, 3L, 6L);
    assertThat(lengths(Splitter.weighted(List.of(1.0, 1.0, 1.0)).split(11, 3)))
        .containsExactly(4L, 4L, 3L);
  }

  @Test
  void leavesOutADeviceWhoseShareIsNothing() {
    assertThat(homes(Splitter.weighted(List.of(1.0, 100.0, 1.0, 100.0)).split(2, 4)))
        .containsExactly(1, 3);
  }

  @Test
  void raisesLowWeightsToTheSmallest() {
    assertThat(lengths(Splitter.weighted(List.of(0.0, -3.0, 0.009, 0.01)).split(400, 4)))
        .containsOnly(100L);
  }

  @Test
  void splitsExactlyWhereDoublesWouldRoundOrOverflow() {
    assertThat(
            lengths(
                Splitter.weighted(List.of(Double.MAX_VALUE, Double.MAX_VALUE))
                    .split(Long.MAX_VALUE, 2)))
        .containsExactly(1L << 62, (1L << 62) - 1);
    assertThat(lengths(Splitter.weighted(List.of(Double.MAX_VALUE, 1.0)).split(9, 2)))
        .containsExactly(9L);
  }

  @Test
  void refusesWeightsThatAreNotFinite() {
    for (double weight : new double[] {Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Splitter.weighted(List.of(1.0, weight)))
          .withMessage("a weight is not finite: " + weight);
      assertThatIllegalArgumentException().isThrownBy(() -> Splitter.factoring(List.of(weight), 1));
    }
  }

  @Test
  void refusesWeightsForAnotherNumberOfDevices() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Splitter.weighted(List.of(1.0, 2.0)).split(10, 3))
        .withMessage("there are 3 devices and 2 weights; give one each");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Splitter.factoring(List.of(1.0, 2.0), 1).split(10, 1));
  }

  private static List<Long> lengths(List<Unit> units) {
    return units.stream().map(unit -> unit.range().length()).toList();
  }

  private static List<Integer> homes(List<Unit> units) {
    return units.stream().map(Unit::home).toList();
  }
}
