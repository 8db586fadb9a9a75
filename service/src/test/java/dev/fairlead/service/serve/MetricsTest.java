package dev.fairlead.service.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What Prometheus reads, against what the API shows. */
class MetricsTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @TempDir Path directory;

  @Test
  void metersAgreeWithDevicesAndJobs() throws Exception {
    try (TestingService service = TestingService.open(directory)) {
      String id =
          service.submit(
              "{\"input\":\"%s\",\"tenant\":\"films\",\"options\":{\"ladder\":\"160x90\",\"segment\":\"2\",\"preset\":11}}"
                  .formatted(service.clip(4)));
      service.follow("/v1/jobs/" + id + "/events", "done");
      JsonNode job = service.get("/v1/jobs/" + id);
      double chunks = 0;
      for (JsonNode device : job.get("devices")) {
        chunks += device.get("chunks").asDouble();
      }
      assertThat(chunks).isPositive();

      JsonNode before = service.get("/v1/devices").get("devices");
      String text = scrapeWhen(service, "fairlead_chunk_seconds_count", chunks);
      JsonNode after = service.get("/v1/devices").get("devices");
      for (int device = 0; device < before.size(); device++) {
        String label = before.get(device).get("label").asString();
        String its = "\\{device=\"%s\",[^}]*}".formatted(label);
        between(text, "fairlead_device_chunks_total" + its, before, after, device, "chunks");
        between(text, "fairlead_device_failures_total" + its, before, after, device, "failures");
        between(
            text, "fairlead_device_busy_seconds_total" + its, before, after, device, "busySeconds");
        assertThat(value(text, "fairlead_device_healthy" + its)).isEqualTo(1);
        assertThat(value(text, "fairlead_device_leased" + its)).isBetween(0.0, 1.0);
        assertThat(value(text, "fairlead_device_waiting" + its)).isNotNegative();
      }
      double seconds = job.get("deviceSeconds").asDouble();
      assertThat(value(text, "fairlead_tenant_device_seconds_total\\{tenant=\"films\"}"))
          .isCloseTo(seconds, org.assertj.core.data.Offset.offset(1e-6));
      assertThat(value(text, "fairlead_chunk_seconds_sum"))
          .isCloseTo(seconds, org.assertj.core.data.Offset.offset(1e-3));
      assertThat(value(text, "fairlead_chunk_seconds_bucket\\{le=\"\\+Inf\"}")).isEqualTo(chunks);
      assertThat(value(text, "fairlead_jobs\\{state=\"done\"}")).isEqualTo(1);
      assertThat(value(text, "fairlead_jobs\\{state=\"running\"}")).isEqualTo(0);
      assertThat(text).contains("jvm_memory_used_bytes", "process_uptime_seconds");
      assertThat(service.mishaps).isEmpty();
    }
  }

  /** The meters, once all events of the job have been counted. */
  private static String scrapeWhen(TestingService service, String name, double wanted)
      throws Exception {
    long until = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      String text = service.send(service.request("/metrics").build()).body();
      if (value(text, name) == wanted || System.nanoTime() - until > 0) {
        return text;
      }
    }
  }

  private static void between(
      String text, String series, JsonNode before, JsonNode after, int device, String field) {
    assertThat(value(text, series))
        .as(series)
        .isBetween(
            before.get(device).get(field).asDouble() - 1e-6,
            after.get(device).get(field).asDouble() + 1e-6);
  }

  private static double value(String text, String series) {
    Matcher line = Pattern.compile("(?m)^" + series + " (\\S+)$").matcher(text);
    assertThat(line.find()).as(series + " in " + text).isTrue();
    return Double.parseDouble(line.group(1));
  }
}
