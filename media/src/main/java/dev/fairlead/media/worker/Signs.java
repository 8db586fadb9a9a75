package dev.fairlead.media.worker;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Whether work is to stop, for those that ask with every picture and packet: to ask is a sign of
 * progress, and now and then one is passed on. One thread asks.
 */
final class Signs implements BooleanSupplier {
  private static final long BETWEEN_NANOS = Duration.ofMillis(250).toNanos();

  private final Runnable sign;
  private final BooleanSupplier stop;
  private long last = System.nanoTime();

  Signs(Runnable sign, BooleanSupplier stop) {
    this.sign = sign;
    this.stop = stop;
  }

  @Override
  public boolean getAsBoolean() {
    long now = System.nanoTime();
    if (now - last > BETWEEN_NANOS) {
      last = now;
      sign.run();
    }
    return stop.getAsBoolean();
  }
}
