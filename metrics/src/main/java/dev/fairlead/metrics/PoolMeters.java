package dev.fairlead.metrics;

import dev.fairlead.pool.DevicePool;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.ArrayList;
import java.util.List;

/**
 * The meters of a pool and its devices, in any number of registries. Devices that join the pool
 * have meters from then on, and those of a device that was removed go. Closing it removes all of
 * them; the pool stays open. Thread-safe.
 *
 * <p>Figures are those of {@link DevicePool#snapshot}, so that they add up at any moment and
 * nothing is lost where events are; what is read together is of one snapshot.
 */
public final class PoolMeters implements MeterBinder, AutoCloseable {
  private final DevicePool pool;
  private final MeterOptions options;
  private final List<PoolBinding> bindings = new ArrayList<>(); // guarded by this
  private boolean closed; // guarded by this

  private PoolMeters(DevicePool pool, MeterOptions options) {
    this.pool = pool;
    this.options = options;
  }

  public static PoolMeters of(DevicePool pool) {
    return of(pool, MeterOptions.usual());
  }

  public static PoolMeters of(DevicePool pool, MeterOptions options) {
    return new PoolMeters(pool, options);
  }

  /** Adds the meters to a registry, until this is closed. */
  @Override
  public synchronized void bindTo(MeterRegistry registry) {
    if (closed) {
      throw new IllegalStateException("The meters of " + pool + " are closed");
    }
    bindings.add(PoolBinding.open(pool, options, registry));
  }

  /** Removes the meters from all registries, and hears no more of the pool. */
  @Override
  public synchronized void close() {
    closed = true;
    bindings.forEach(PoolBinding::close);
    bindings.clear();
  }
}
