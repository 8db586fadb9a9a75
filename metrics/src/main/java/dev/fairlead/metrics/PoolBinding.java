package dev.fairlead.metrics;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceId;
import dev.fairlead.event.PoolListener;
import dev.fairlead.event.Subscription;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.PoolSnapshot;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The meters of a pool in one registry. Thread-safe.
 *
 * <p>A device's coming is told before it is in the pool, its leaving after it is not; a device that
 * leaves and comes again may be told the other way round. So the number that a device has in the
 * pool, which grows, says which of them its meters belong to.
 */
final class PoolBinding implements PoolListener, AutoCloseable {
  private static final String PREFIX = "fairlead.pool.";

  private final MeterOptions options;
  private final MeterRegistry registry;
  private final Readings readings;
  private final Map<DeviceId, DeviceMeters> devices = new HashMap<>(); // guarded by this
  private final List<Meter> meters = new ArrayList<>(); // guarded by this
  private @Nullable Subscription subscription; // guarded by this
  private boolean closed; // guarded by this

  private PoolBinding(DevicePool pool, MeterOptions options, MeterRegistry registry) {
    this.options = options;
    this.registry = registry;
    this.readings = new Readings(pool, registry.config().clock());
  }

  static PoolBinding open(DevicePool pool, MeterOptions options, MeterRegistry registry) {
    PoolBinding binding = new PoolBinding(pool, options, registry);
    binding.begin(pool);
    return binding;
  }

  /** What is told meanwhile waits for the lock, so that it is heard after those that are there. */
  private synchronized void begin(DevicePool pool) {
    subscription = pool.subscribe(this);
    meters.add(
        Gauge.builder(PREFIX + "devices", this, its -> its.look(pool))
            .description("Devices of the pool.")
            .tags(options.tags())
            .register(registry));
    int _ = look(pool);
    meters.add(
        Gauge.builder(PREFIX + "waiting", readings, all -> all.now().waiting())
            .description("Demands that wait for a device and are in no queue.")
            .tags(options.tags())
            .register(registry));
    refusals("rejected", PoolSnapshot.Refusals::rejected);
    refusals("timeout", PoolSnapshot.Refusals::timedOut);
    refusals("withdrawn", PoolSnapshot.Refusals::withdrawn);
  }

  /**
   * Adds what is not known yet: a device may have been told of before this listened, and be there
   * after it has looked. What was removed is not in the snapshot by the time that is told.
   */
  private synchronized int look(DevicePool pool) {
    List<PoolSnapshot.Entry> entries = pool.snapshot().devices();
    if (!closed) {
      entries.forEach(entry -> add(entry.device(), entry.index()));
    }
    return entries.size();
  }

  private void refusals(String reason, ToDoubleFunction<PoolSnapshot.Refusals> figure) {
    meters.add(
        FunctionCounter.builder(
                PREFIX + "refusals", readings, all -> figure.applyAsDouble(all.now().refusals()))
            .description("Demands that were not served.")
            .tags(options.tags())
            .tag("reason", reason)
            .register(registry));
  }

  @Override
  public boolean wantsLeases() {
    return options.timers();
  }

  @Override
  public synchronized void on(Event event) {
    if (closed) {
      return;
    }
    switch (event) {
      case Event.Added added -> add(added.device(), added.index());
      case Event.Removed removed -> remove(removed.device(), removed.index());
      case Event.Ended ended -> time(ended);
      case Event.Placed _, Event.Moved _, Event.Withdrawn _, Event.Missed _ -> {}
      case Event.HealthChanged _, Event.Paused _, Event.Resumed _, Event.Leaving _ -> {}
      case Event.Freed _, Event.Closing _, Event.Rebuilt _, Event.Overdue _, Event.Trouble _ -> {}
    }
  }

  private void add(Device device, int index) {
    DeviceMeters there = devices.get(device.id());
    if (there != null && there.index() >= index) {
      return;
    }
    if (there != null) {
      there.remove();
    }
    devices.put(device.id(), new DeviceMeters(device, index, options, registry, readings));
  }

  private void remove(Device device, int index) {
    DeviceMeters there = devices.get(device.id());
    if (there != null && there.index() == index) {
      there.remove();
      devices.remove(device.id());
    }
  }

  private void time(Event.Ended ended) {
    DeviceMeters there = devices.get(ended.device().id());
    if (there != null && !ended.unused()) {
      there.timed(ended);
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (subscription != null) {
      subscription.close();
    }
    devices.values().forEach(DeviceMeters::remove);
    devices.clear();
    meters.forEach(registry::remove);
    meters.clear();
  }
}
