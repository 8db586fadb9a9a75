package dev.fairlead.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.policy.Demand;
import dev.fairlead.pool.DevicePool;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a scrape shows: these names are what dashboards and alerts are written on. */
class PrometheusTest {
  @Test
  void aScrapeHasTheFiguresOfEachDeviceByTheirNames() throws InterruptedException {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    MeterOptions options =
        MeterOptions.usual().countingAs("chunks").withTags("pool", "main").withTimers();
    try (DevicePool pool = DevicePool.of(List.of(Device.of(DeviceKind.SIMULATED, 0)));
        PoolMeters meters = PoolMeters.of(pool, options)) {
      pool.run(Demand.of("encode", 1), slot -> slot.device());
      meters.bindTo(registry);
      assertThat(registry.scrape().lines())
          .contains(
              line("leased", "0.0"),
              line("waiting", "0.0"),
              line("slots", "1.0"),
              line("healthy", "1.0"),
              line("paused", "0.0"),
              line("chunks_total", "1.0"),
              line("failures_total", "0.0"),
              "fairlead_pool_waiting{pool=\"main\"} 0.0",
              "fairlead_pool_devices{pool=\"main\"} 1.0",
              "fairlead_pool_refusals_total{pool=\"main\",reason=\"rejected\"} 0.0")
          .anyMatch(each -> each.startsWith("fairlead_device_busy_seconds_total{"))
          .anyMatch(
              each -> each.matches("fairlead_device_latency_seconds\\{.*quantile=\"0.99\"} .*"))
          .anyMatch(each -> each.matches("fairlead_device_wait_seconds\\{.*quantile=\"0.5\"} .*"));
    }
    assertThat(registry.scrape()).doesNotContain("fairlead");
  }

  private static String line(String name, String value) {
    return "fairlead_device_%s{device=\"simulated:0\",id=\"simulated:0\",pool=\"main\"} %s"
        .formatted(name, value);
  }
}
