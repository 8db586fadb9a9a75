package dev.fairlead.range;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class SplitterPropertiesTest {
  private static final int MOST_STORED = 20_000;
  private static final int MOST_WEIGHTS = 12;

  private final UnitBuffer units = UnitBuffer.ofCapacity(MOST_STORED);

  @Test
  void uniformUnitsTileTheTotalOrAreRefusedByTheirExactCount() {
    TestingCases.check(cases -> {
      int devices = cases.devices(Integer.MAX_VALUE);
      long total = cases.totalFor(devices);
      String hint = cases.hint() + ": " + total + " over " + devices;
      BigInteger length =
          BigInteger.valueOf(total)
              .divide(BigInteger.valueOf(devices).shiftLeft(2))
              .max(BigInteger.ONE);
      BigInteger count =
          BigInteger.valueOf(total).add(length).subtract(BigInteger.ONE).divide(length);
      if (count.longValueExact() > MOST_STORED) {
        SplitException.TooManyUnits refused =
            catchThrowableOfType(
                SplitException.TooManyUnits.class,
                () -> Splitter.uniform().split(total, devices, units));
        assertThat(refused).as(hint).isNotNull();
        assertThat(refused.count()).as(hint).isEqualTo(count.longValueExact());
        assertThat(units.size()).as(hint).isZero();
        return;
      }
      Splitter.uniform().split(total, devices, units);
      requireTiles(total, devices, hint);
      require(units.size() == count.longValueExact(), hint, "count");
      for (int unit = 0; unit < units.size(); unit++) {
        require(units.home(unit) == unit % devices, hint, "homes in turn");
        boolean last = unit == units.size() - 1;
        long actual = units.end(unit) - units.start(unit);
        require(
            last ? actual <= length.longValueExact() : actual == length.longValueExact(),
            hint,
            "length");
      }
    });
  }

  @Test
  void weightedUnitsTileTheTotalLessThanOneFromTheExactProportion() {
    TestingCases.check(cases -> {
      int devices = cases.devices(MOST_WEIGHTS);
      long total = cases.totalFor(devices);
      List<Double> weights = cases.weights(devices);
      String hint = cases.hint() + ": " + total + " over " + weights;

      Splitter.weighted(weights).split(total, devices, units);

      requireTiles(total, devices, hint);
      require(units.size() <= devices, hint, "one unit a device");
      BigDecimal[] exact = exact(weights);
      BigDecimal sum = Arrays.stream(exact).reduce(BigDecimal.ZERO, BigDecimal::add);
      long[] lengths = lengthsByHome(devices);
      for (int home = 0; home < devices; home++) {
        BigDecimal off =
            BigDecimal.valueOf(lengths[home])
                .multiply(sum)
                .subtract(BigDecimal.valueOf(total).multiply(exact[home]));
        require(off.abs().compareTo(sum) < 0, hint, "proportion of " + home);
      }
    });
  }

  @Test
  void factoredUnitsTileTheTotalAndShrinkButNotBelowTheMinimumBeforeTheLast() {
    TestingCases.check(cases -> {
      Factored split = split(cases);

      requireTiles(split.total, split.weights.size(), split.hint);
      long[] shortest = new long[split.weights.size()];
      Arrays.fill(shortest, Long.MAX_VALUE);
      for (int unit = 0; unit < units.size(); unit++) {
        long length = units.end(unit) - units.start(unit);
        boolean last = unit == units.size() - 1;
        require(last || length >= split.minimum, split.hint, "minimum at " + unit);
        int home = units.home(unit);
        require(length - 1 <= shortest[home], split.hint, "grows at " + unit);
        shortest[home] = Math.min(shortest[home], length);
      }
    });
  }

  @Test
  void devicesAsFastAsTheirWeightsFinishWithinOneSmallestUnitOfEachOther() {
    TestingCases.check(cases -> {
      Factored split = split(cases);

      // The time of a device is its length over its weight; multiplied out, to stay exact:
      // time(a) <= time(b) + minimum / weight(b).
      BigDecimal[] exact = exact(split.weights);
      long[] lengths = lengthsByHome(exact.length);
      for (int a = 0; a < exact.length; a++) {
        BigDecimal finish = BigDecimal.valueOf(lengths[a]);
        for (int b = 0; b < exact.length; b++) {
          BigDecimal oneMore =
              BigDecimal.valueOf(lengths[b]).add(BigDecimal.valueOf(split.minimum));
          require(
              finish.multiply(exact[b]).compareTo(oneMore.multiply(exact[a])) <= 0,
              split.hint,
              a + " finishes too long after " + b);
        }
      }
    });
  }

  private record Factored(long total, List<Double> weights, long minimum, String hint) {}

  private Factored split(TestingCases cases) {
    int devices = cases.devices(MOST_WEIGHTS);
    long total = cases.totalFor(devices);
    List<Double> weights = cases.weights(devices);
    long minimum = 1 + cases.upTo(Math.max(1, Math.min(total, Long.MAX_VALUE - 1)));
    String hint = cases.hint() + ": " + total + " over " + weights + " by at least " + minimum;
    Splitter.factoring(weights, minimum).split(total, devices, units);
    return new Factored(total, weights, minimum, hint);
  }

  private void requireTiles(long total, int devices, String hint) {
    long covered = 0;
    for (int unit = 0; unit < units.size(); unit++) {
      require(units.start(unit) == covered, hint, "gap before " + unit);
      require(units.end(unit) > covered, hint, "empty " + unit);
      require(units.home(unit) >= 0 && units.home(unit) < devices, hint, "home of " + unit);
      covered = units.end(unit);
    }
    require(covered == total, hint, "covers " + covered);
  }

  private long[] lengthsByHome(int devices) {
    long[] lengths = new long[devices];
    for (int unit = 0; unit < units.size(); unit++) {
      lengths[units.home(unit)] += units.end(unit) - units.start(unit);
    }
    return lengths;
  }

  private static BigDecimal[] exact(List<Double> weights) {
    return weights.stream()
        .map(weight -> new BigDecimal(Math.max(0.01, weight)))
        .toArray(BigDecimal[]::new);
  }

  /** Millions of checks a run: an assertion object is only made for one that fails. */
  private static void require(boolean holds, String hint, String what) {
    if (!holds) {
      throw new AssertionError(what + "; " + hint);
    }
  }
}
