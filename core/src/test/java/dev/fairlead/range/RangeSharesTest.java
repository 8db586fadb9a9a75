package dev.fairlead.range;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.List;
import org.junit.jupiter.api.Test;

class RangeSharesTest {
  private static final double NOT_MEASURED = Double.NaN;

  @Test
  void sharesAreInProportionToSpeeds() {
    RangeShares shares = RangeShares.of(100, List.of(3.0, 1.0));

    assertThat(shares.left(0)).isEqualTo(75);
    assertThat(shares.left(1)).isEqualTo(25);
    assertThat(shares.take(1, 10)).isEqualTo(new Range(75, 85));
  }

  @Test
  void aThiefGetsHalfOfWhatTheRichestHas() {
    RangeShares shares = RangeShares.of(110, List.of(8.0, 2.0, 1.0));
    shares.take(2, 100);

    assertThat(shares.take(2, 1)).isNull();
    assertThat(shares.steal(2)).isEqualTo(new Range(40, 41));
    assertThat(shares.left(2)).isEqualTo(39);
    assertThat(shares.left(0)).isEqualTo(40);
    assertThat(shares.left(1)).isEqualTo(20);
  }

  @Test
  void theLastUnitCanBeStolenAndThenThereIsNothing() {
    RangeShares shares = RangeShares.of(1, List.of(1.0, 1.0));

    assertThat(shares.isEmpty()).isFalse();
    assertThat(shares.steal(1)).isEqualTo(new Range(0, 1));
    assertThat(shares.steal(0)).isNull();
    assertThat(shares.isEmpty()).isTrue();
  }

  @Test
  void whoHasUnitsOfItsOwnDoesNotStealAndNothingIsLost() {
    RangeShares shares = RangeShares.of(100, List.of(3.0, 1.0));

    assertThatIllegalStateException()
        .isThrownBy(() -> shares.steal(1))
        .withMessage("Worker 1 has 25 units left: it takes those before it steals");
    assertThatIllegalStateException().isThrownBy(() -> shares.steal(0));
    assertThat(shares.left(0)).isEqualTo(75);
    assertThat(shares.left(1)).isEqualTo(25);
  }

  @Test
  void aDequeThatHoldsUnitsIsNotFilled() {
    StealableUnits units = new StealableUnits();
    units.fill(StealableUnits.interval(0, 5));

    assertThatIllegalStateException()
        .isThrownBy(() -> units.fill(StealableUnits.interval(7, 9)))
        .withMessage("5 units would be lost");
    assertThat(units.size()).isEqualTo(5);
  }

  @Test
  void aBatchTakesTwoMillisecondsAndLeavesHalfToThieves() {
    RangeShares shares = RangeShares.of(100, List.of(1.0));

    assertThat(shares.batch(0, 0)).as("nothing is known").isEqualTo(1);
    assertThat(shares.batch(0, 100_000)).isEqualTo(20);
    assertThat(shares.batch(0, 1)).isEqualTo(50);
    assertThat(shares.batch(0, 1e9)).isEqualTo(1);
  }

  @Test
  void weightsStandInWhereNothingWasMeasured() {
    assertThat(RangeShares.speeds(List.of(30.0, 10.0, NOT_MEASURED), List.of(1.0, 1.0, 2.0)))
        .containsExactly(1.5, 0.5, 2.0);
    assertThat(RangeShares.speeds(List.of(NOT_MEASURED, NOT_MEASURED), List.of(1.0, 0.25)))
        .containsExactly(1.0, 0.25);
  }
}
