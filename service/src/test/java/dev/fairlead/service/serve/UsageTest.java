package dev.fairlead.service.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What tenants have used. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class UsageTest {
  @TempDir Path directory;

  private static String run(TestingService service, String tenant) throws Exception {
    String id =
        service.submit(
            "{\"input\":\"%s\",\"tenant\":\"%s\",\"options\":{\"ladder\":\"160x90\",\"preset\":12}}"
                .formatted(service.clip(1), tenant));
    service.follow("/v1/jobs/" + id + "/events", "done");
    return id;
  }

  @Test
  void everyJobThatEndedIsARowOfItsTenant() throws Exception {
    List<String> ids = new ArrayList<>();
    Instant between;
    try (TestingService service = TestingService.open(directory)) {
      ids.add(run(service, "news"));
      ids.add(run(service, "films"));
      between = Instant.now();
      ids.add(run(service, "films"));
    }
    try (TestingService service = TestingService.open(directory)) { // it outlives a start
      JsonNode all = service.get("/v1/usage");
      assertThat(rows(all)).containsExactly(ids.get(1), ids.get(2), ids.get(0));
      assertThat(all.get("tenants").get(0).get("tenant").asString()).isEqualTo("films");
      assertThat(all.get("tenants").get(0).get("jobs").asInt()).isEqualTo(2);
      double sum =
          all.get("jobs").get(0).get("deviceSeconds").asDouble()
              + all.get("jobs").get(1).get("deviceSeconds").asDouble();
      assertThat(all.get("tenants").get(0).get("deviceSeconds").asDouble())
          .isEqualTo(sum)
          .isPositive();

      List<String> paged = new ArrayList<>();
      String path = "/v1/usage?limit=1";
      for (JsonNode page = service.get(path); ; page = service.get(path)) {
        assertThat(page.get("tenants").size()).isEqualTo(2);
        paged.addAll(rows(page));
        if (!page.has("next")) {
          break;
        }
        path = "/v1/usage?limit=1&after=" + page.get("next").asString();
      }
      assertThat(paged).isEqualTo(rows(all));

      assertThat(rows(service.get("/v1/usage?from=" + between))).containsExactly(ids.get(2));
      assertThat(rows(service.get("/v1/usage?to=" + between)))
          .containsExactly(ids.get(1), ids.get(0));
      assertThat(rows(service.get("/v1/usage?from=2000-01-01&to=2000-02-01"))).isEmpty();
    }
  }

  private static List<String> rows(JsonNode usage) {
    List<String> ids = new ArrayList<>();
    usage.get("jobs").forEach(row -> ids.add(row.get("job").asString()));
    return ids;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"from=today", "to=2026-13-01", "from=%2B999999999-01-01", "limit=0", "after=x"})
  void whatCannotBeUnderstoodIsSaid(String query) throws Exception {
    try (TestingService service = TestingService.open(directory)) {
      assertThat(service.send(service.request("/v1/usage?" + query).build()).statusCode())
          .isEqualTo(400);
      assertThat(service.mishaps).isEmpty();
    }
  }
}
