package dev.fairlead.metrics;

import dev.fairlead.device.Device;
import dev.fairlead.event.PoolListener.Event;
import dev.fairlead.policy.Work;
import dev.fairlead.pool.PoolSnapshot;
import dev.fairlead.stats.Latencies;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The meters of one device in one registry. Not thread-safe but for what meters read. */
final class DeviceMeters {
  private static final String PREFIX = "fairlead.device.";
  private static final double NANOS = 1e9;

  private final int index;
  private final MeterRegistry registry;
  private final Readings readings;
  private final Tags tags;
  private final Set<Meter> meters = new HashSet<>();
  private volatile PoolSnapshot.@Nullable Entry last;

  DeviceMeters(
      Device device, int index, MeterOptions options, MeterRegistry registry, Readings readings) {
    this.index = index;
    this.registry = registry;
    this.readings = readings;
    this.tags = options.tags().and("device", device.label(), "id", device.id().toString());
    gauge("slots", "How many pieces of work it takes at a time.", entry -> entry.device().slots());
    gauge("leased", "Leases that are held on it.", entry -> entry.leases().size());
    gauge("waiting", "Pieces of work in its queue.", DeviceMeters::waiting);
    gauge(
        "healthy",
        "1 if its health lets it take work, 0 if it is in quarantine or lost.",
        entry -> entry.health().serves() ? 1 : 0);
    gauge("paused", "1 if it was paused by hand.", entry -> entry.paused() ? 1 : 0);
    counter(
        options.completed(), "Work that has succeeded on it.", entry -> entry.stats().completed());
    counter("failures", "Work that has failed on it.", entry -> entry.stats().failed());
    add(
        FunctionCounter.builder(PREFIX + "busy", this, its -> its.read(DeviceMeters::busySeconds))
            .description("How long it has worked, counted when work ends.")
            .baseUnit("seconds")
            .tags(tags)
            .register(registry));
    quantiles("latency", "How long work took.", entry -> entry.stats().latency());
    quantiles("wait", "How long queued work waited.", entry -> entry.stats().waits());
  }

  /** The device's number in the pool, which no other one ever has. */
  int index() {
    return index;
  }

  void timed(Event.Ended ended) {
    Work work = ended.demand().work();
    Timer timer =
        Timer.builder(PREFIX + "work")
            .description("How long leases were held.")
            .tags(tags)
            .tag("kind", work.isSpecified() ? work.kind() : "unspecified")
            .tag("outcome", outcome(ended))
            .register(registry);
    meters.add(timer);
    timer.record(ended.held());
  }

  void remove() {
    meters.forEach(registry::remove);
    meters.clear();
  }

  private static String outcome(Event.Ended ended) {
    return ended.fault() == null ? "success" : ended.fault().name().toLowerCase(Locale.ROOT);
  }

  private static int waiting(PoolSnapshot.Entry entry) {
    return Math.max(0, entry.stats().outstanding() - entry.leases().size());
  }

  private static double busySeconds(PoolSnapshot.Entry entry) {
    return entry.stats().busy().toNanos() / NANOS;
  }

  private void gauge(String name, String what, ToDoubleFunction<PoolSnapshot.Entry> figure) {
    add(
        Gauge.builder(PREFIX + name, this, its -> its.read(figure))
            .description(what)
            .tags(tags)
            .register(registry));
  }

  private void counter(String name, String what, ToDoubleFunction<PoolSnapshot.Entry> figure) {
    add(
        FunctionCounter.builder(PREFIX + name, this, its -> its.read(figure))
            .description(what)
            .tags(tags)
            .register(registry));
  }

  private void quantiles(
      String name, String what, Function<PoolSnapshot.Entry, Latencies.Summary> summary) {
    quantile(name, what, "0.5", entry -> summary.apply(entry).p50());
    quantile(name, what, "0.95", entry -> summary.apply(entry).p95());
    quantile(name, what, "0.99", entry -> summary.apply(entry).p99());
    quantile(name, what, "1", entry -> summary.apply(entry).longest());
  }

  private void quantile(
      String name, String what, String quantile, Function<PoolSnapshot.Entry, Duration> figure) {
    add(
        TimeGauge.builder(
                PREFIX + name,
                this,
                TimeUnit.NANOSECONDS,
                its -> its.read(entry -> figure.apply(entry).toNanos()))
            .description(what)
            .tags(tags)
            .tag("quantile", quantile)
            .register(registry));
  }

  private void add(Meter meter) {
    meters.add(meter);
  }

  /** A figure of the device, the last one if it has just left the pool. */
  private double read(ToDoubleFunction<PoolSnapshot.Entry> figure) {
    for (PoolSnapshot.Entry entry : readings.now().devices()) {
      if (entry.index() == index) {
        last = entry;
      }
    }
    PoolSnapshot.Entry known = last;
    return known == null ? 0 : figure.applyAsDouble(known);
  }
}
