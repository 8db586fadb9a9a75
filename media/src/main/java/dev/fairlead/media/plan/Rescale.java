package dev.fairlead.media.plan;

/**
 * {@code value × factor ÷ divisor} in whole numbers, exact whatever the size of the product.
 *
 * <p>The product has up to 126 bits: it is held in two longs and divided by shifting and
 * subtracting. A quotient that a long cannot hold is an {@link ArithmeticException}, never a wrong
 * number.
 */
public final class Rescale {
  private Rescale() {}

  /** The largest whole number that is not more. */
  public static long floor(long value, long factor, long divisor) {
    if (factor < 0 || divisor <= 0) {
      throw new IllegalArgumentException(
          "Not a scale: " + value + " × " + factor + " ÷ " + divisor);
    }
    if (value >= 0) {
      return quotient(value, factor, divisor);
    }
    if (value == Long.MIN_VALUE) {
      throw new ArithmeticException("Too small a value to rescale: " + value);
    }
    long below = quotient(-value, factor, divisor);
    return -below - (remainder(-value, factor, divisor, below) == 0 ? 0 : 1);
  }

  /** The smallest whole number that is not less. */
  public static long ceiling(long value, long factor, long divisor) {
    long below = floor(value, factor, divisor);
    return remainder(value, factor, divisor, below) == 0 ? below : Math.addExact(below, 1);
  }

  /** The nearest whole number; of two as near, the larger. */
  public static long nearest(long value, long factor, long divisor) {
    long below = floor(value, factor, divisor);
    long rest = remainder(value, factor, divisor, below);
    return rest >= divisor - rest ? Math.addExact(below, 1) : below;
  }

  /** It is from 0 to the divisor, so the low words alone give it, though both products overflow. */
  private static long remainder(long value, long factor, long divisor, long floor) {
    return value * factor - floor * divisor;
  }

  private static long quotient(long value, long factor, long divisor) {
    long high = Math.multiplyHigh(value, factor);
    long low = value * factor;
    if (high == 0) {
      return fitting(Long.divideUnsigned(low, divisor), value, factor, divisor);
    }
    if (high >= divisor) {
      throw tooLarge(value, factor, divisor);
    }
    long rest = high;
    long result = 0;
    for (int bit = Long.SIZE - 1; bit >= 0; bit--) {
      rest = (rest << 1) | ((low >>> bit) & 1);
      result <<= 1;
      if (Long.compareUnsigned(rest, divisor) >= 0) {
        rest -= divisor;
        result |= 1;
      }
    }
    return fitting(result, value, factor, divisor);
  }

  private static long fitting(long result, long value, long factor, long divisor) {
    if (result < 0) {
      throw tooLarge(value, factor, divisor);
    }
    return result;
  }

  private static ArithmeticException tooLarge(long value, long factor, long divisor) {
    return new ArithmeticException(
        "Too large a number: " + value + " × " + factor + " ÷ " + divisor);
  }
}
