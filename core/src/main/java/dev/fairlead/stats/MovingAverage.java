package dev.fairlead.stats;

/**
 * The reported rate: a moving average per sample. It shows people what a device did lately;
 * placement uses {@link DecayedRate}, since a mean of rates over unequal durations is wrong. Not
 * thread-safe.
 */
public final class MovingAverage {
  private static final double WEIGHT = 0.1;

  private double value = Double.NaN;

  /** Adds a sample; the first one is the average. One that is not a positive number is ignored. */
  public void add(double sample) {
    if (!(sample > 0) || Double.isInfinite(sample)) {
      return;
    }
    value = Double.isNaN(value) ? sample : value + WEIGHT * (sample - value);
  }

  /** The average, zero before the first sample. */
  public double value() {
    return Double.isNaN(value) ? 0 : value;
  }
}
