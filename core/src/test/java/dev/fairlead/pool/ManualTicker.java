package dev.fairlead.pool;

import dev.fairlead.stats.Ticker;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** Time that moves when a test says so. */
public final class ManualTicker implements Ticker {
  private final AtomicLong nanos = new AtomicLong(Duration.ofHours(1).toNanos());

  private final AtomicReference<Runnable> hook = new AtomicReference<>(() -> {});

  @Override
  public long nanos() {
    hook.getAndSet(() -> {}).run();
    return nanos.get();
  }

  /** Runs something when the pool next asks for the time, on the thread that asks; once. */
  void whenAsked(Runnable once) {
    hook.set(once);
  }

  public void advance(Duration step) {
    nanos.addAndGet(step.toNanos());
  }
}
