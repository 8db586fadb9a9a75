package dev.fairlead.pool;

import dev.fairlead.stats.Ticker;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Time that moves when a test says so. */
public final class ManualTicker implements Ticker {
  private final AtomicLong nanos = new AtomicLong(Duration.ofHours(1).toNanos());

  @Override
  public long nanos() {
    return nanos.get();
  }

  public void advance(Duration step) {
    nanos.addAndGet(step.toNanos());
  }
}
