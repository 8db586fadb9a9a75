package dev.fairlead.stats;

import java.time.Duration;

/**
 * A histogram of durations with a relative error of at most one part in sixteen. Not thread-safe.
 *
 * <p>A bucket is a power of two cut into eight: the three bits after the leading one choose the
 * part. A percentile answers the middle of its bucket.
 */
public final class Latencies {
  private static final int PARTS = 8;
  private static final int PART_BITS = 3;

  private final int[] counts = new int[64 * PARTS];
  private long total;
  private long longestNanos;

  public void add(long nanos) {
    long value = Math.max(0, nanos);
    int bucket = bucket(value);
    if (counts[bucket] < Integer.MAX_VALUE) {
      counts[bucket]++;
      total++;
    }
    longestNanos = Math.max(longestNanos, value);
  }

  public void add(Latencies other) {
    for (int bucket = 0; bucket < counts.length; bucket++) {
      int more = Math.min(other.counts[bucket], Integer.MAX_VALUE - counts[bucket]);
      counts[bucket] += more;
      total += more;
    }
    longestNanos = Math.max(longestNanos, other.longestNanos);
  }

  /** The duration that {@code share} of all samples (0 to 1) do not exceed; zero with none. */
  public Duration percentile(double share) {
    long rank = Math.clamp((long) Math.ceil(share * total), 1, Math.max(1, total));
    long seen = 0;
    for (int bucket = 0; bucket < counts.length; bucket++) {
      seen += counts[bucket];
      if (seen >= rank) {
        return Duration.ofNanos(Math.min(middle(bucket), longestNanos));
      }
    }
    return Duration.ZERO;
  }

  public Duration longest() {
    return Duration.ofNanos(longestNanos);
  }

  /** The percentiles that people ask for. */
  public Summary summary() {
    return new Summary(percentile(0.5), percentile(0.95), percentile(0.99), longest());
  }

  /** Percentiles at one moment. */
  public record Summary(Duration p50, Duration p95, Duration p99, Duration longest) {}

  private static int bucket(long nanos) {
    if (nanos < PARTS) {
      return (int) nanos;
    }
    int exponent = 63 - Long.numberOfLeadingZeros(nanos);
    int part = (int) (nanos >>> (exponent - PART_BITS)) & (PARTS - 1);
    return (exponent - PART_BITS + 1) * PARTS + part;
  }

  private static long middle(int bucket) {
    if (bucket < PARTS) {
      return bucket;
    }
    int shift = bucket / PARTS - 1;
    long low = (long) (PARTS + bucket % PARTS) << shift;
    return low + ((1L << shift) >> 1);
  }
}
