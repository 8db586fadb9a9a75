package dev.fairlead.service.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.media.job.HostException;
import dev.fairlead.media.records.DirectoryRecords;
import dev.fairlead.media.records.JobId;
import dev.fairlead.media.records.JobLog;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What of jobs outlives the server. */
class RestartTest {
  private static final String JOB =
      "{\"input\":\"%s\",\"name\":\"%s\",\"output\":\"%s\",\"options\":{\"ladder\":\"160x90\",\"preset\":11}}";

  @TempDir Path directory;

  @Test
  void jobsThatAreOverAreThereAfterARestartAndWithoutTheIndex() throws Exception {
    String done;
    String failed;
    JsonNode before;
    try (TestingService service = TestingService.open(directory)) {
      done = service.submit(JOB.formatted(service.clip(2), "A film", "film"));
      Files.writeString(directory.resolve("root/noise.mp4"), "no film at all");
      failed = service.submit(JOB.formatted("noise.mp4", "Noise", "noise"));
      service.follow("/v1/jobs/" + done + "/events", "done");
      service.follow("/v1/jobs/" + failed + "/events", "failed");
      before = service.get("/v1/jobs/" + done);
      assertThat(service.post("/v1/jobs/" + done + "/retry", "").statusCode()).isEqualTo(409);
    }
    try (TestingService service = TestingService.open(directory)) {
      requireSame(service, before, failed);
      service.follow("/v1/events", "done");
    }
    Files.delete(directory.resolve("data/index.sqlite"));
    try (TestingService service = TestingService.open(directory)) {
      requireSame(service, before, failed);
      assertThat(service.post("/v1/jobs/" + failed + "/retry", "").statusCode()).isEqualTo(200);
      service.follow("/v1/jobs/" + failed + "/events", "failed");
      JsonNode again = service.get("/v1/jobs/" + failed);
      assertThat(again.get("attempt").asInt()).isEqualTo(2);
      assertThat(again.get("error").get("exitCode").asInt()).isEqualTo(3);
      delete(service, done);
      assertThat(service.send(service.request("/v1/jobs/" + done).build()).statusCode())
          .isEqualTo(404);
    }
    assertThat(directory.resolve("root/film/master.m3u8")).exists();
    assertThat(directory.resolve("root/film/.fairlead")).doesNotExist();
    try (TestingService service = TestingService.open(directory)) {
      assertThat(service.get("/v1/jobs").get("jobs").size()).isEqualTo(1);
    }
  }

  private static void requireSame(TestingService service, JsonNode before, String failed)
      throws IOException, InterruptedException {
    String done = before.get("id").asString();
    assertThat(service.get("/v1/jobs/" + done)).isEqualTo(before);
    JsonNode jobs = service.get("/v1/jobs").get("jobs");
    assertThat(jobs.size()).isEqualTo(2);
    assertThat(jobs.get(1)).isEqualTo(before);
    JsonNode other = service.get("/v1/jobs?state=failed").get("jobs").get(0);
    assertThat(other.get("id").asString()).isEqualTo(failed);
    assertThat(other.get("name").asString()).isEqualTo("Noise");
    assertThat(other.get("error").get("exitCode").asInt()).isEqualTo(3);
    JsonNode artifacts = service.get("/v1/jobs/" + done + "/artifacts").get("artifacts");
    assertThat(artifacts.size()).isGreaterThan(3);
    service.follow("/v1/jobs/" + done + "/events", "done");
  }

  private static void delete(TestingService service, String id)
      throws IOException, InterruptedException {
    HttpRequest delete = service.request("/v1/jobs/" + id).DELETE().build();
    assertThat(service.send(delete).statusCode()).isEqualTo(204);
  }

  @Test
  void recordsOfANewerVersionAreNotTouched() throws IOException {
    DirectoryRecords records = DirectoryRecords.open(directory.resolve("data/records"));
    JobLog.begin(records, JobId.create(), "{\"version\":99,\"is\":\"Submitted\"}");
    for (int twice = 0; twice < 2; twice++) {
      assertThatThrownBy(() -> TestingService.open(directory))
          .isInstanceOf(HostException.NewerRecords.class)
          .hasMessageContaining("a newer Fairlead has written it");
    }
  }
}
