package dev.fairlead.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LatenciesTest {
  /** The error is at most one of these parts. */
  private static final int ERROR_PARTS = 16;

  private final Latencies latencies = new Latencies();

  @Test
  void areZeroWithoutSamples() {
    assertThat(latencies.summary())
        .isEqualTo(
            new Latencies.Summary(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO));
  }

  @Test
  void areExactForOneSample() {
    latencies.add(1_234_567);

    assertThat(latencies.longest()).isEqualTo(Duration.ofNanos(1_234_567));
    assertThat(latencies.percentile(0.5).toNanos())
        .isBetween(1_234_567L - 1_234_567 / ERROR_PARTS, 1_234_567L);
  }

  @Test
  void tellThePercentilesOfOneToAHundredMilliseconds() {
    for (int milliseconds = 1; milliseconds <= 100; milliseconds++) {
      latencies.add(Duration.ofMillis(milliseconds).toNanos());
    }

    Latencies.Summary summary = latencies.summary();
    assertNear(summary.p50(), Duration.ofMillis(50));
    assertNear(summary.p95(), Duration.ofMillis(95));
    assertNear(summary.p99(), Duration.ofMillis(99));
    assertThat(summary.longest()).isEqualTo(Duration.ofMillis(100));
    assertNear(latencies.percentile(0), Duration.ofMillis(1));
    assertNear(latencies.percentile(1), Duration.ofMillis(100));
  }

  @Test
  void stayWithinTheErrorAtEveryMagnitude() {
    for (int shift = 0; shift < 63; shift++) {
      for (long value : new long[] {1L << shift, (1L << shift) + 1, (1L << shift) * 2 - 1}) {
        Latencies one = new Latencies();
        one.add(value);
        // A second, longer one keeps the answer from being cut to the longest.
        one.add(Long.MAX_VALUE);

        long answer = one.percentile(0.5).toNanos();
        assertThat(answer).isCloseTo(value, within(value / ERROR_PARTS));
      }
    }
  }

  @Test
  void stayWithinTheErrorForRandomSamples() {
    SplittableRandom random = new SplittableRandom(7_919);
    long[] samples =
        random.longs(10_000).map(bits -> (bits >>> 1) >>> (int) Math.floorMod(bits, 60L)).toArray();
    for (long sample : samples) {
      latencies.add(sample);
    }
    Arrays.sort(samples);

    for (double share : new double[] {0.01, 0.1, 0.5, 0.9, 0.95, 0.99, 0.999, 1}) {
      long exact = samples[(int) Math.ceil(share * samples.length) - 1];
      long answer = latencies.percentile(share).toNanos();
      assertThat(answer).as("percentile %s", share).isCloseTo(exact, within(exact / ERROR_PARTS));
    }
  }

  @Test
  void neverExceedTheLongestSample() {
    latencies.add(17);

    assertThat(latencies.percentile(1)).isEqualTo(Duration.ofNanos(17));
    assertThat(latencies.percentile(0.5).toNanos()).isLessThanOrEqualTo(17);
  }

  @Test
  void takeANegativeDurationForZero() {
    latencies.add(-5);

    assertThat(latencies.percentile(1)).isEqualTo(Duration.ZERO);
    assertThat(latencies.longest()).isEqualTo(Duration.ZERO);
  }

  @Test
  void readTheSameMergedAsIfAddedToOne() {
    SplittableRandom random = new SplittableRandom(7_919);
    Latencies one = new Latencies();
    Latencies other = new Latencies();
    Latencies both = new Latencies();
    for (int sample = 0; sample < 1_000; sample++) {
      long nanos = random.nextLong(1_000_000_000);
      (random.nextBoolean() ? one : other).add(nanos);
      both.add(nanos);
    }

    latencies.add(one);
    latencies.add(other);

    assertThat(latencies.summary()).isEqualTo(both.summary());
    assertThat(latencies.percentile(0.1)).isEqualTo(both.percentile(0.1));
  }

  @Test
  void areNotChangedByBeingMergedIntoOthers() {
    Latencies one = new Latencies();
    one.add(100);

    latencies.add(one);
    latencies.add(1_000_000);

    assertThat(one.longest()).isEqualTo(Duration.ofNanos(100));
  }

  private static void assertNear(Duration answer, Duration exact) {
    assertThat(answer.toNanos()).isCloseTo(exact.toNanos(), within(exact.toNanos() / ERROR_PARTS));
  }
}
