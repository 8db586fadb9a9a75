package dev.fairlead.range;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class RangeTest {

  @Test
  void hasItsStartAndNotItsEnd() {
    Range range = new Range(3, 5);

    assertThat(range.length()).isEqualTo(2);
    assertThat(range.contains(2)).isFalse();
    assertThat(range.contains(3)).isTrue();
    assertThat(range.contains(4)).isTrue();
    assertThat(range.contains(5)).isFalse();
    assertThat(range).hasToString("[3, 5)");
  }

  @Test
  void isEmptyWhereStartIsEnd() {
    assertThat(new Range(3, 3).isEmpty()).isTrue();
    assertThat(new Range(3, 3).contains(3)).isFalse();
    assertThat(new Range(3, 4).isEmpty()).isFalse();
  }

  @Test
  void refusesANegativeStartAndAnEndBeforeIt() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Range(-1, 4))
        .withMessage("start is negative: -1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Range(4, 3))
        .withMessage("end is before start: [4, 3)");
  }

  @Test
  void splitsBeforeTheIndexAndAtBothEdges() {
    Range range = new Range(10, 20);

    assertThat(range.splitAt(13)).isEqualTo(new Range.Halves(new Range(10, 13), new Range(13, 20)));
    assertThat(range.splitAt(10).front().isEmpty()).isTrue();
    assertThat(range.splitAt(20).back().isEmpty()).isTrue();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> range.splitAt(21))
        .withMessage("cannot split [10, 20) at 21");
    assertThatIllegalArgumentException().isThrownBy(() -> range.splitAt(9));
  }

  @Test
  void keepsTheOddIndexInTheFrontHalf() {
    assertThat(new Range(10, 13).halves())
        .isEqualTo(new Range.Halves(new Range(10, 12), new Range(12, 13)));
    assertThat(new Range(10, 14).halves())
        .isEqualTo(new Range.Halves(new Range(10, 12), new Range(12, 14)));
    assertThat(new Range(10, 11).halves())
        .isEqualTo(new Range.Halves(new Range(10, 11), new Range(11, 11)));
  }

  @Test
  void halvesTheLargestRange() {
    Range.Halves halves = new Range(0, Long.MAX_VALUE).halves();

    assertThat(halves.front().length()).isEqualTo(1L << 62);
    assertThat(halves.back().length()).isEqualTo((1L << 62) - 1);
  }

  @Test
  void isTheNonEmptyPartOfAUnit() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Unit(new Range(2, 2), 0))
        .withMessage("the range of a unit is empty: [2, 2)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Unit(new Range(2, 3), -1))
        .withMessage("home is negative: -1");
  }
}
