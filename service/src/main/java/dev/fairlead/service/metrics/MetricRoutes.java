package dev.fairlead.service.metrics;

import dev.fairlead.media.job.HostEvent;
import dev.fairlead.media.local.TranscodeHost;
import dev.fairlead.metrics.MeterOptions;
import dev.fairlead.metrics.PoolMeters;
import dev.fairlead.service.http.Answer;
import dev.fairlead.service.http.Role;
import dev.fairlead.service.http.Route;
import dev.fairlead.service.index.JobTable;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;

/** The route by which Prometheus reads the meters of a service. */
public final class MetricRoutes implements AutoCloseable {
  private static final String TYPE = "text/plain";

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics collections = new JvmGcMetrics();
  private final PoolMeters devices;
  private final HostEvent.Subscription subscription;

  public MetricRoutes(TranscodeHost host, JobTable over) {
    this.devices = PoolMeters.of(host.options().pool(), MeterOptions.usual().countingAs("chunks"));
    devices.bindTo(registry);
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    collections.bindTo(registry);
    this.subscription = host.subscribe(1, new JobMeters(host, over, registry));
  }

  public List<Route> all() {
    return List.of(
        Route.get(
                "/metrics",
                Role.READ,
                "Meters of devices, tenants, jobs and the process, for Prometheus",
                Void.class,
                _ -> new Answer.Text(TYPE + "; version=0.0.4; charset=utf-8", registry.scrape()))
            .ofType(TYPE));
  }

  @Override
  public void close() {
    subscription.close();
    devices.close();
    collections.close();
    registry.close();
  }
}
