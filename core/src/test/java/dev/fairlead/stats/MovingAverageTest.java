package dev.fairlead.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MovingAverageTest {
  private final MovingAverage average = new MovingAverage();

  @Test
  void isZeroBeforeTheFirstSample() {
    assertThat(average.value()).isZero();
  }

  @Test
  void isSeededByTheFirstSample() {
    average.add(100);

    assertThat(average.value()).isEqualTo(100);
  }

  @Test
  void givesATenthOfItsWeightToEachNewSample() {
    average.add(100);
    average.add(50);

    assertThat(average.value()).isCloseTo(95, within(1e-9));
  }

  @ParameterizedTest
  @ValueSource(
      doubles = {
        0,
        -0.0,
        -5,
        Double.NaN,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY,
        -Double.MIN_VALUE
      })
  void ignoresWhatIsNotAPositiveNumber(double sample) {
    average.add(sample);
    assertThat(average.value()).as("not seeded by it").isZero();

    average.add(100);
    average.add(sample);
    average.add(50);

    assertThat(average.value()).isCloseTo(95, within(1e-9));
  }
}
