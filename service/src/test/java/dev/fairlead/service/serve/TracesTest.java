package dev.fairlead.service.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What was done for a job, through a real client. */
class TracesTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

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

  private HttpResponse<String> ask(String path) throws Exception {
    return service.send(service.request(path).build());
  }

  @Test
  void aJobHasATraceAReportAndALogAlsoAfterARestart() throws Exception {
    String id =
        service.submit(
            "{\"input\":\"%s\",\"options\":{\"ladder\":\"160x90\",\"segment\":\"2\",\"preset\":11}}"
                .formatted(service.clip(4)));
    service.follow("/v1/jobs/" + id + "/events", "done");
    assertThat(ask("/v1/jobs/" + id + "/log").statusCode()).isEqualTo(200);

    JsonNode trace = finished(id);
    assertThat(trace.at("/otherData/jobs/0/job").asString()).isEqualTo(id);
    long committed = 0;
    for (JsonNode event : trace.get("traceEvents")) {
      committed += event.at("/args/outcome").asString("").equals("committed") ? 1 : 0;
    }
    long chunks = 0;
    for (JsonNode device : service.get("/v1/jobs/" + id).get("devices")) {
      chunks += device.get("chunks").asLong();
    }
    assertThat(committed).isEqualTo(chunks).isPositive();
    JsonNode why = service.get("/v1/jobs/" + id + "/explain?rung=90p&chunk=1");
    assertThat(why.get("device").asString()).startsWith("cpu:");
    assertThat(why.get("candidates").size()).isEqualTo(2);
    assertThat(why.get("candidates").toString()).contains("is free and takes it");
    assertThat(why.at("/turn/tenant").asString()).isEqualTo("default");
    assertThat(why.at("/turn/why").asString()).startsWith("it has had");
    service.close();

    service = TestingService.open(directory);
    assertThat(service.get("/v1/jobs/" + id + "/trace")).isEqualTo(trace);
    assertThat(service.get("/v1/jobs/" + id + "/explain?rung=90p&chunk=1")).isEqualTo(why);
    assertThat(ask("/v1/jobs/" + id + "/explain?rung=90p&chunk=99").statusCode()).isEqualTo(404);
    assertThat(ask("/v1/jobs/" + id + "/explain?chunk=1").statusCode()).isEqualTo(400);
    assertThat(ask("/v1/jobs/" + id + "/explain?rung=90p&chunk=x").statusCode()).isEqualTo(400);
    HttpResponse<String> report = ask("/v1/jobs/" + id + "/report");
    assertThat(report.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/html");
    assertThat(report.headers().firstValue("Content-Security-Policy").orElseThrow())
        .contains("sandbox")
        .doesNotContain("script");
    assertThat(report.body()).contains("clip4.mp4", "<svg");
  }

  /** The trace, once the end of the job was recorded. */
  private JsonNode finished(String id) throws Exception {
    long until = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      JsonNode trace = service.get("/v1/jobs/" + id + "/trace");
      if (trace.at("/otherData/finished").asBoolean(false) || System.nanoTime() - until > 0) {
        return trace;
      }
    }
  }

  @Test
  void nothingIsRecordedOfAJobThatIsNotThereOrWasForgotten() throws Exception {
    assertThat(ask("/v1/jobs/none/trace").statusCode()).isEqualTo(404);
    String id =
        service.submit(
            "{\"input\":\"%s\",\"options\":{\"ladder\":\"160x90\",\"segment\":\"2\",\"preset\":11}}"
                .formatted(service.clip(4)));
    service.follow("/v1/jobs/" + id + "/events", "done");
    finished(id);
    HttpRequest delete = service.request("/v1/jobs/" + id).DELETE().build();
    assertThat(service.send(delete).statusCode()).isEqualTo(204);
    assertThat(ask("/v1/jobs/" + id + "/trace").statusCode()).isEqualTo(404);
    assertThat(ask("/v1/jobs/" + id + "/report").statusCode()).isEqualTo(404);
    assertThat(ask("/v1/jobs/" + id + "/explain?rung=90p&chunk=0").statusCode()).isEqualTo(404);
  }
}
