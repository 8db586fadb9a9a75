package dev.fairlead.stats;

import java.time.Duration;

/**
 * Work done per second of busy time, both forgotten at the same pace. Not thread-safe.
 *
 * <p>The quotient of two sums is what a device really does: items of 1 ms and 99 ms in turn are 20
 * a second, where the mean of 1000/s and 10/s would say 505. Since both sums decay by the same
 * factor, it does not matter how often the decay is applied, so it is applied only when it is worth
 * an exponential.
 */
public final class DecayedRate {
  private static final double TIME_CONSTANT_NANOS = Duration.ofSeconds(30).toNanos();
  private static final long DECAY_STEP_NANOS = Duration.ofMillis(250).toNanos();

  private double work;
  private double busyNanos;
  private long decayedAt;
  private boolean started;

  /** Adds work that kept the device busy for {@code nanos}, seen at {@code now}. */
  public void add(double size, long nanos, long now) {
    if (!started) {
      started = true;
      decayedAt = now;
    } else if (now - decayedAt > DECAY_STEP_NANOS) {
      double factor = Math.exp((decayedAt - now) / TIME_CONSTANT_NANOS);
      work *= factor;
      busyNanos *= factor;
      decayedAt = now;
    }
    work += size;
    busyNanos += Math.max(0, nanos);
  }

  /** Work per second of busy time; NaN while nothing has been measured. */
  public double perSecond() {
    return work > 0 && busyNanos > 0 ? work * 1e9 / busyNanos : Double.NaN;
  }
}
