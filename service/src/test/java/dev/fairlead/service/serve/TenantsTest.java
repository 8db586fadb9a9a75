package dev.fairlead.service.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What tenants are due, and how much of theirs is taken in. */
class TenantsTest {
  private static final String JOB = "{\"input\":\"%s\",\"tenant\":\"%s\"}";

  @TempDir Path directory;

  private static HttpResponse<String> put(TestingService service, String name, String body)
      throws IOException, InterruptedException {
    return service.send(
        service
            .request("/v1/tenants/" + name)
            .header("Content-Type", "application/json")
            .PUT(HttpRequest.BodyPublishers.ofString(body))
            .build());
  }

  /** A file that a job can name; whether it can be read is not looked at before it runs. */
  private String source(String name, int bytes) throws IOException {
    Files.write(directory.resolve("root").resolve(name), new byte[bytes]);
    return name;
  }

  /** Jobs that come wait, as no device takes them. */
  private static void drain(TestingService service) throws IOException, InterruptedException {
    service.post("/v1/devices/cpu:0/drain", "");
    service.post("/v1/devices/cpu:1/drain", "");
  }

  @Test
  void termsAreShownAndOutliveAStart() throws Exception {
    try (TestingService service = TestingService.open(directory)) {
      assertThat(service.get("/v1/tenants").get("tenants").isEmpty()).isTrue();
      JsonNode made =
          new JsonMapper()
              .readTree(
                  put(service, "films", "{\"weight\":3,\"maxQueued\":7,\"maxBytes\":9}").body());
      assertThat(made.get("weight").asDouble()).isEqualTo(3);
      put(service, "news", "{\"weight\":0.5}");
    }
    try (TestingService service = TestingService.open(directory)) {
      JsonNode tenants = service.get("/v1/tenants").get("tenants");
      assertThat(tenants.size()).isEqualTo(2);
      assertThat(tenants.get(0).toString())
          .isEqualTo(
              "{\"name\":\"films\",\"weight\":3.0,\"maxQueued\":7,\"maxBytes\":9,"
                  + "\"deviceSeconds\":0.0,\"running\":0,\"queued\":0}");
      assertThat(tenants.get(1).get("weight").asDouble()).isEqualTo(0.5);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "weight, 0",
    "weight, -1",
    "weight, 1e999",
    "weight, 1e-9",
    "weight, '\"much\"'",
    "maxQueued, -1",
    "maxQueued, 99999999999",
    "maxQueued, 1.5",
    "maxBytes, -1",
    "maxBytes, 1e30",
    "weihgt, 1"
  })
  void numbersThatMakeNoSenseAreRefusedWhereTheyStand(String field, String value) throws Exception {
    try (TestingService service = TestingService.open(directory)) {
      HttpResponse<String> answer = put(service, "films", "{\"%s\":%s}".formatted(field, value));
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(422);
      assertThat(answer.body()).contains("\"pointer\":\"/%s\"".formatted(field));
      assertThat(service.get("/v1/tenants").get("tenants").isEmpty()).isTrue();
    }
  }

  @Test
  void aTenantIsNamedPlainly() throws Exception {
    try (TestingService service = TestingService.open(directory)) {
      assertThat(put(service, "a%20b", "{}").statusCode()).isEqualTo(400);
      assertThat(put(service, "-", "{}").statusCode()).isEqualTo(400);
    }
  }

  @Test
  void noMoreJobsOfATenantWaitThanMay() throws Exception {
    try (TestingService service = TestingService.open(directory)) {
      drain(service);
      String input = source("a.mp4", 100);
      put(service, "films", "{\"maxQueued\":0}");
      HttpResponse<String> refused = service.post("/v1/jobs", JOB.formatted(input, "films"));
      assertThat(refused.statusCode()).isEqualTo(429);
      assertThat(refused.headers().firstValue("Retry-After")).hasValue("30");
      assertThat(refused.body()).contains("films");
      assertThat(service.post("/v1/jobs", JOB.formatted(input, "news")).statusCode())
          .isEqualTo(201);
    }
  }

  @Test
  void sourcesOfATenantHaveNoMoreBytesThanTheyMay() throws Exception {
    try (TestingService service = TestingService.open(directory)) {
      drain(service);
      put(service, "films", "{\"maxBytes\":150}");
      HttpResponse<String> never =
          service.post("/v1/jobs", JOB.formatted(source("large.mp4", 151), "films"));
      assertThat(never.statusCode()).isEqualTo(422);
      String job = service.submit(JOB.formatted(service.clip(2), "news"));
      assertThat(service.get("/v1/jobs/" + job).get("tenant").asString()).isEqualTo("news");
    }
  }

  @Test
  void whenTheDiskIsShortNothingIsTaken() throws Exception {
    try (TestingService service = TestingService.open(directory, Long.MAX_VALUE / 4)) {
      HttpResponse<String> job =
          service.post("/v1/jobs", JOB.formatted(source("a.mp4", 100), "films"));
      assertThat(job.statusCode()).isEqualTo(507);
      HttpRequest upload =
          service
              .request("/v1/uploads/a")
              .PUT(HttpRequest.BodyPublishers.ofString("bytes"))
              .build();
      assertThat(service.send(upload).statusCode()).isEqualTo(507);
      HttpResponse<String> ready = service.send(service.request("/v1/ready").build());
      assertThat(ready.statusCode()).isEqualTo(503);
      assertThat(ready.body()).contains("short of disk");
      assertThat(directory.resolve("data/uploads")).isEmptyDirectory();
    }
  }
}
