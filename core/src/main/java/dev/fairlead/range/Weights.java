package dev.fairlead.range;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** The relative speeds of devices in pool order, as exact integers. */
final class Weights {
  /*
   * A product of a total and a weight has more bits than a long or a double, and a sum of weights
   * can exceed the largest double. With integers of any size there is no rounding but the one that
   * is meant, and lengths add up to the total at any input.
   */

  /** A double is a whole multiple of the last place of any smaller one. */
  private static final BigDecimal PARTS_PER_ONE =
      BigDecimal.ONE.divide(new BigDecimal(Math.ulp(Splitter.SMALLEST_WEIGHT)));

  private final List<BigInteger> parts;
  private final BigInteger sum;

  private Weights(List<BigInteger> parts) {
    this.parts = parts;
    this.sum = parts.stream().reduce(BigInteger.ZERO, BigInteger::add);
  }

  static Weights of(List<Double> weights) {
    return new Weights(weights.stream().map(Weights::parts).toList());
  }

  void checkCount(int devices) {
    if (devices != parts.size()) {
      throw new IllegalArgumentException(
          "there are " + devices + " devices and " + parts.size() + " weights; give one each");
    }
  }

  /** The share of one device in {@code total}, rounded down. */
  long share(long total, int home) {
    return product(total, home).divide(sum).longValueExact();
  }

  /** Shares of all devices, rounded so that they sum to {@code total}: by largest remainder. */
  long[] apportion(long total) {
    long[] lengths = new long[parts.size()];
    BigInteger[] remainders = new BigInteger[lengths.length];
    long left = total;
    for (int home = 0; home < lengths.length; home++) {
      BigInteger[] share = product(total, home).divideAndRemainder(sum);
      lengths[home] = share[0].longValueExact();
      remainders[home] = share[1];
      left -= lengths[home];
    }
    // A stable sort: the first in pool order wins among equals.
    IntStream.range(0, lengths.length)
        .boxed()
        .sorted(Comparator.comparing(home -> remainders[home], Comparator.reverseOrder()))
        .limit(left)
        .forEach(home -> lengths[home]++);
    return lengths;
  }

  /** Compares the times that two devices need for a number of indices each. */
  int compareTimes(BigInteger length, int home, BigInteger otherLength, int otherHome) {
    return length.multiply(parts.get(otherHome)).compareTo(otherLength.multiply(parts.get(home)));
  }

  private BigInteger product(long total, int home) {
    return BigInteger.valueOf(total).multiply(parts.get(home));
  }

  private static BigInteger parts(double weight) {
    if (!Double.isFinite(weight)) {
      throw new IllegalArgumentException("a weight is not finite: " + weight);
    }
    BigDecimal raised = new BigDecimal(Math.max(weight, Splitter.SMALLEST_WEIGHT));
    return raised.multiply(PARTS_PER_ONE).toBigIntegerExact();
  }
}
