package dev.fairlead.pool;

import dev.fairlead.stats.Ticker;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** Time that moves when a test says so. */
public final class ManualTicker implements Ticker {
  private final AtomicLong nanos = new AtomicLong(Duration.ofHours(1).toNanos());

  /** What to do when that thread asks. */
  private record Hook(Thread asker, Runnable once) {}

  private final AtomicReference<Hook> hook =
      new AtomicReference<>(new Hook(Thread.currentThread(), () -> {}));

  @Override
  public long nanos() {
    Hook set = hook.get();
    if (Thread.currentThread().equals(set.asker())
        && hook.compareAndSet(set, new Hook(set.asker(), () -> {}))) {
      set.once().run();
    }
    return nanos.get();
  }

  /** Runs something when the current thread next asks for the time; once. */
  void whenAsked(Runnable once) {
    hook.set(new Hook(Thread.currentThread(), once));
  }

  public void advance(Duration step) {
    nanos.addAndGet(step.toNanos());
  }
}
