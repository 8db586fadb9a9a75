package dev.fairlead.media.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RescaleTest {
  @Test
  void agreesWithNumbersOfAnySize() {
    TestingSources.check(random -> {
      long value = number(random) * (random.nextBoolean() ? 1 : -1);
      long factor = number(random);
      long divisor = Math.max(1, number(random));
      BigDecimal product =
          new BigDecimal(BigInteger.valueOf(value).multiply(BigInteger.valueOf(factor)));
      BigDecimal by = BigDecimal.valueOf(divisor);
      BigInteger floor = product.divide(by, 0, RoundingMode.FLOOR).toBigInteger();
      if (floor.bitLength() > 62) {
        return;
      }
      assertThat(Rescale.floor(value, factor, divisor)).isEqualTo(floor.longValue());
      assertThat(Rescale.ceiling(value, factor, divisor))
          .isEqualTo(product.divide(by, 0, RoundingMode.CEILING).longValueExact());
      assertThat(Rescale.nearest(value, factor, divisor))
          .isEqualTo(nearest(product, by).longValueExact());
    });
  }

  @Test
  void refusesWhatALongCannotHold() {
    assertThatExceptionOfType(ArithmeticException.class)
        .isThrownBy(() -> Rescale.floor(Long.MAX_VALUE, 3, 2));
    assertThatExceptionOfType(ArithmeticException.class)
        .isThrownBy(() -> Rescale.floor(Long.MAX_VALUE, Long.MAX_VALUE, 1));
    assertThatExceptionOfType(ArithmeticException.class)
        .isThrownBy(() -> Rescale.floor(Long.MIN_VALUE, 1, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> Rescale.floor(1, 1, 0));
    assertThat(Rescale.floor(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE))
        .isEqualTo(Long.MAX_VALUE);
  }

  private static BigDecimal nearest(BigDecimal product, BigDecimal by) {
    BigDecimal two = BigDecimal.valueOf(2);
    return product.multiply(two).add(by).divide(by.multiply(two), 0, RoundingMode.FLOOR);
  }

  private static long number(SplittableRandom random) {
    return random.nextLong(Long.MAX_VALUE) >>> random.nextInt(63);
  }
}
