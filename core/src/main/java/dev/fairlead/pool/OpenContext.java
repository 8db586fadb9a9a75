package dev.fairlead.pool;

import dev.fairlead.device.DeviceContext;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * A context that is open on a device. The keeper asks it for its load from a thread of its own, one
 * question at a time; whoever closes it takes the turn to ask for good, so that no question is
 * inside when it closes and none comes after.
 */
final class OpenContext {
  private static final long LOOK_AGAIN_NANOS = 200_000;

  private final DeviceContext context;
  private final AtomicBoolean asked = new AtomicBoolean();

  OpenContext(DeviceContext context) {
    this.context = context;
  }

  DeviceContext context() {
    return context;
  }

  /** Takes the turn to ask; false if somebody has it. */
  boolean ask() {
    return asked.compareAndSet(false, true);
  }

  void answered() {
    asked.set(false);
  }

  /** Takes the turn for good, waiting for a question that is inside; false if it stays there. */
  boolean askNoMore(Duration patience) {
    long end = System.nanoTime() + Timing.nanos(patience);
    while (!ask()) {
      if (System.nanoTime() - end > 0) {
        return false;
      }
      LockSupport.parkNanos(this, LOOK_AGAIN_NANOS);
    }
    return true;
  }
}
