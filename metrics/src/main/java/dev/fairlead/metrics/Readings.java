package dev.fairlead.metrics;

import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.PoolSnapshot;
import io.micrometer.core.instrument.Clock;
import java.util.concurrent.TimeUnit;

/**
 * Snapshots of a pool for meters, which are read one by one: what is read within {@link
 * #FRESH_NANOS} is read from one snapshot, since each takes a look at every device.
 */
final class Readings {
  static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final DevicePool pool;
  private final Clock clock;
  private PoolSnapshot last; // guarded by this
  private long taken; // guarded by this

  Readings(DevicePool pool, Clock clock) {
    this.pool = pool;
    this.clock = clock;
    this.taken = clock.monotonicTime();
    this.last = pool.snapshot();
  }

  synchronized PoolSnapshot now() {
    long now = clock.monotonicTime();
    if (now - taken >= FRESH_NANOS) {
      last = pool.snapshot();
      taken = now;
    }
    return last;
  }
}
