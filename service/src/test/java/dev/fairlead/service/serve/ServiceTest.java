package dev.fairlead.service.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.fairlead.device.Discovery;
import dev.fairlead.media.json.JsonEvents;
import dev.fairlead.media.local.LocalTranscodes;
import dev.fairlead.media.plan.LadderSpec;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.media.prepare.SourceTools;
import dev.fairlead.pool.DevicePool;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The whole service, through a real client. */
class ServiceTest {
  private static final String JOB =
      "{\"input\":\"%s\",\"options\":{\"ladder\":\"160x90,80x46\",\"segment\":\"2\",\"preset\":11}}";

  @TempDir Path directory;
  private TestingService service;

  @BeforeEach
  void open() throws IOException {
    service = TestingService.open(directory);
  }

  @AfterEach
  void close() {
    service.close();
    assertThat(service.mishaps).isEmpty();
  }

  @Test
  void aPackageMadeThroughHttpHasTheBytesOfATranscode() throws Exception {
    String id = service.submit(JOB.formatted(service.clip(4)));
    service.follow("/v1/jobs/" + id + "/events", "done");

    JsonNode job = service.get("/v1/jobs/" + id);
    assertThat(job.get("state").asString()).isEqualTo("done");
    assertThat(job.get("rungs").size()).isEqualTo(2);
    assertThat(job.get("deviceSeconds").asDouble()).isPositive();
    Path made = directory.resolve("local");
    try (DevicePool pool = DevicePool.open(Discovery.find("cpu:2"))) {
      LocalTranscodes.on(pool)
          .submit(
              TranscodeRequest.of(directory.resolve("root/clip4.mp4"), made)
                  .withLadder(LadderSpec.parse("160x90,80x46"))
                  .withPreset(11)
                  .withSegment(java.time.Duration.ofSeconds(2)))
          .await();
    }
    JsonNode artifacts = service.get("/v1/jobs/" + id + "/artifacts").get("artifacts");
    assertThat(artifacts.size()).isGreaterThan(6);
    for (JsonNode artifact : artifacts) {
      String path = artifact.get("path").asString();
      byte[] bytes = service.bytes("/v1/jobs/" + id + "/artifacts/" + path).body();
      assertThat(bytes).as(path).isEqualTo(Files.readAllBytes(made.resolve(path)));
      assertThat(artifact.get("bytes").asLong()).isEqualTo(bytes.length);
    }
  }

  @Test
  void aJobIsPausedAndGoesOn() throws Exception {
    String id = service.submit(JOB.formatted(service.clip(20)));
    assertThat(service.post("/v1/jobs/" + id + "/pause", "").statusCode()).isEqualTo(200);
    service.follow("/v1/jobs/" + id + "/events", "paused");
    assertThat(service.get("/v1/jobs?state=paused").get("jobs").size()).isEqualTo(1);
    assertThat(service.post("/v1/jobs/" + id + "/resume", "").statusCode()).isEqualTo(200);
    service.follow("/v1/jobs/" + id + "/events", "done");
    HttpResponse<String> late = service.post("/v1/jobs/" + id + "/pause", "");
    assertThat(late.statusCode()).isEqualTo(409);
    assertThat(late.body()).contains("done");
  }

  @Test
  void aJobIsCancelledAndForgotten() throws Exception {
    String id = service.submit(JOB.formatted(service.clip(20)));
    HttpRequest delete = service.request("/v1/jobs/" + id).DELETE().build();
    assertThat(service.send(delete).statusCode()).isEqualTo(409);
    assertThat(service.post("/v1/jobs/" + id + "/cancel", "").statusCode()).isEqualTo(200);
    service.follow("/v1/jobs/" + id + "/events", "cancelled");
    assertThat(service.send(delete).statusCode()).isEqualTo(204);
    assertThat(service.send(delete).statusCode()).isEqualTo(404);
    assertThat(service.get("/v1/jobs").get("jobs").size()).isZero();
  }

  @Test
  void anUploadThatIsNoVideoFailsItsJobWithThree() throws Exception {
    HttpRequest upload =
        service
            .request("/v1/uploads/noise")
            .PUT(HttpRequest.BodyPublishers.ofString("this is no video"))
            .build();
    assertThat(service.send(upload).statusCode()).isEqualTo(201);
    assertThat(service.send(upload).statusCode()).isEqualTo(200);
    String id = service.submit("{\"upload\":\"noise\"}");
    service.follow("/v1/jobs/" + id + "/events", "failed");
    JsonNode job = service.get("/v1/jobs/" + id);
    assertThat(job.get("error").get("exitCode").asInt()).isEqualTo(3);
    assertThat(job.get("name").asString()).isEqualTo("noise");
  }

  @Test
  void aStreamOfEventsGoesOnWithoutAGap() throws Exception {
    String id = service.submit(JOB.formatted(service.clip(4)));
    service.follow("/v1/events", "done");
    List<JsonNode> all = service.follow("/v1/events?lastEventId=x-1", "done");
    assertThat(all.getFirst().get("event").asString()).isEqualTo("reset");
    assertThat(all.getLast().get("job").asString()).isEqualTo(id);
  }

  @Test
  void pagesOfJobsNeitherRepeatNorSkip() throws Exception {
    String body = JOB.formatted(service.clip(4));
    List<String> made = new java.util.ArrayList<>();
    for (int job = 0; job < 5; job++) {
      made.add(service.submit(body));
    }
    List<String> seen = new java.util.ArrayList<>();
    String after = "";
    do {
      JsonNode page = service.get("/v1/jobs?limit=2&after=" + after);
      page.get("jobs").forEach(job -> seen.add(job.get("id").asString()));
      after = page.path("next").asString("");
      service.submit(body); // newer ones come meanwhile
    } while (!after.isEmpty());
    assertThat(seen).containsSubsequence(made.reversed()).doesNotHaveDuplicates();
  }

  @Test
  void aDeviceIsDrainedAndTakenBack() throws Exception {
    assertThat(service.post("/v1/devices/cpu:0/drain", "").statusCode()).isEqualTo(200);
    JsonNode first = service.get("/v1/devices").get("devices").get(0);
    assertThat(first.get("drained").asBoolean()).isTrue();
    assertThat(service.post("/v1/devices/cpu:1/drain", "").statusCode()).isEqualTo(200);
    HttpResponse<String> ready = service.send(service.request("/v1/ready").build());
    assertThat(ready.statusCode()).isEqualTo(503);
    assertThat(ready.body()).contains("draining");
    assertThat(service.post("/v1/devices/cpu:0/resume", "").statusCode()).isEqualTo(200);
    assertThat(service.get("/v1/ready").get("ready").asBoolean()).isTrue();
    assertThat(service.post("/v1/devices/cpu:9/drain", "").statusCode()).isEqualTo(404);
  }

  private HttpResponse<String> submit(String body, String key) throws Exception {
    return service.send(
        service
            .request("/v1/jobs")
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", key)
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build());
  }

  @Test
  void aSubmissionThatIsSentAgainIsTheSameJob() throws Exception {
    service.post("/v1/drain", ""); // nothing ends meanwhile
    String body = JOB.formatted(service.clip(4));
    HttpResponse<String> first = submit(body, "one");
    assertThat(first.statusCode()).isEqualTo(201);
    String location = first.headers().firstValue("Location").orElseThrow();
    HttpResponse<String> again = submit(body.replace("{\"input\":", "{ \"input\" : "), "one");
    assertThat(again.statusCode()).isEqualTo(200);
    assertThat(again.headers().firstValue("Location")).hasValue(location);
    assertThat(submit(body.replace("11", "10"), "one").statusCode()).isEqualTo(422);
    assertThat(submit(body, "two").statusCode()).isEqualTo(201);
    assertThat(submit(body, "no key").statusCode()).isEqualTo(400);
    HttpResponse<String> refused = submit("{\"input\":\"none.mp4\"}", "three");
    assertThat(refused.statusCode()).isEqualTo(422);
    assertThat(submit(body, "three").statusCode()).as("what was refused").isEqualTo(201);
    service.close();
    service = TestingService.open(directory);
    HttpResponse<String> later = submit(body, "one");
    assertThat(later.headers().firstValue("Location")).hasValue(location);
    assertThat(service.get("/v1/jobs").get("jobs").size()).isEqualTo(3);
  }

  @Test
  void allDevicesAreDrainedAtOnce() throws Exception {
    HttpResponse<String> drained = service.post("/v1/drain", "");
    assertThat(drained.statusCode()).isEqualTo(200);
    assertThat(drained.body()).doesNotContain("\"drained\":false");
    assertThat(service.send(service.request("/v1/ready").build()).body())
        .isEqualTo("{\"ready\":false,\"reasons\":[\"draining\"]}");
    assertThat(service.post("/v1/devices/cpu:1/resume", "").statusCode()).isEqualTo(200);
    assertThat(service.get("/v1/ready").get("ready").asBoolean()).isTrue();
  }

  @Test
  void tellsWhatIsInASource() throws Exception {
    String question = "{\"input\":\"%s\"}";
    HttpResponse<String> told = service.post("/v1/probe", question.formatted(service.clip(4)));
    assertThat(told.statusCode()).isEqualTo(200);
    assertThat(told.body())
        .isEqualTo(
            JsonEvents.JSON.writeValueAsString(
                SourceTools.inspect(directory.toRealPath().resolve("root/clip4.mp4"))));
    Files.writeString(directory.resolve("root/noise.mp4"), "this is no video");
    HttpResponse<String> noise = service.post("/v1/probe", question.formatted("noise.mp4"));
    assertThat(noise.statusCode()).isEqualTo(422);
    assertThat(noise.body()).contains("\"pointer\":\"/input\"");
    assertThat(service.post("/v1/probe", question.formatted("/etc/passwd")).statusCode())
        .isEqualTo(422);
  }

  @Test
  void aLineIsWrittenForEachChange() throws Exception {
    service.post("/v1/devices/cpu:0/drain", "");
    service.post("/v1/devices/cpu:9/drain", "");
    service.get("/v1/devices");
    List<String> lines = Files.readAllLines(directory.resolve("data/audit.log"));
    assertThat(lines).hasSize(2);
    assertThat(lines.getFirst())
        .contains(
            "\"who\":\"local\"",
            "\"from\":\"127.0.0.1\"",
            "\"what\":\"POST /v1/devices/cpu:0/drain\"",
            "\"status\":200");
    assertThat(lines.getLast()).contains("\"status\":404");
  }

  @Test
  void whatIsNotMeantForThisServerIsRefused() throws Exception {
    HttpRequest.Builder post =
        service
            .request("/v1/jobs")
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString("{}"));
    assertThat(service.send(post.header("Origin", "http://evil.example").build()).statusCode())
        .isEqualTo(403);
    HttpRequest proxied =
        service.request("/v1/devices").header("X-Forwarded-For", "127.0.0.1").build();
    assertThat(service.send(proxied).statusCode()).isEqualTo(401);
    assertThat(
            RawRequest.status(
                service.uri("/v1/health"),
                "GET /v1/health HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"))
        .isEqualTo(421);
    HttpResponse<String> typeless =
        service.send(
            service.request("/v1/jobs").POST(HttpRequest.BodyPublishers.ofString("{}")).build());
    assertThat(typeless.statusCode()).isEqualTo(415);
  }

  @Test
  void theNextServiceGoesOnWithWhatTheOneBeforeHasLeft() throws Exception {
    String paused =
        service.submit(
            JOB.formatted(service.clip(4)).replace("{\"input", "{\"tenant\":\"films\",\"input"));
    service.post("/v1/jobs/" + paused + "/pause", "");
    service.follow("/v1/jobs/" + paused + "/events", "paused");
    String running = service.submit(JOB.formatted(service.clip(20)));
    service.close();
    service = TestingService.open(directory);
    service.follow("/v1/jobs/" + running + "/events", "done");
    JsonNode left = service.get("/v1/jobs/" + paused);
    assertThat(left.get("state").asString()).isEqualTo("paused");
    assertThat(left.get("tenant").asString()).isEqualTo("films");
    assertThat(service.get("/v1/jobs?tenant=films").get("jobs").size()).isEqualTo(1);
    service.post("/v1/jobs/" + paused + "/resume", "");
    service.follow("/v1/jobs/" + paused + "/events", "done");
  }

  @Test
  void aSecondServiceOnTheSameDataIsRefused() {
    assertThatIllegalStateException()
        .isThrownBy(() -> TestingService.open(directory))
        .withMessageContaining("in use by another service");
  }

  @Test
  void theDescriptionNamesEveryRouteAndIsItselfDescribed() throws Exception {
    JsonNode document = service.get("/v1/openapi.json");
    assertThat(document.get("openapi").asString()).isEqualTo("3.1.0");
    assertThat(document.get("paths").has("/v1/openapi.json")).isTrue();
    assertThat(document.get("paths").has("/v1/jobs/{id}/artifacts/{path}")).isTrue();
    assertThat(document.at("/components/schemas/JobView/properties/state/enum").toString())
        .contains("parked");
  }
}
