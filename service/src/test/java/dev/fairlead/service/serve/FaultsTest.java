package dev.fairlead.service.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.job.ChaosPlan;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What becomes of jobs when something fails that is not theirs, or that is. */
class FaultsTest {
  private static final String JOB =
      "{\"input\":\"%s\",\"options\":{\"ladder\":\"%s\",\"segment\":\"2\",\"preset\":11}}";

  @TempDir Path directory;

  @Test
  void whatCrashesItsWorkerEachTimeFailsAndOthersFinishAlsoWithoutADevice() throws Exception {
    ChaosPlan chaos = ChaosPlan.parse("crash@46p/0x*,lost@90p/1");
    try (TestingService service = TestingService.open(directory, chaos)) {
      String clip = service.clip(6);
      String bad = service.submit(JOB.formatted(clip, "80x46"));
      String good = service.submit(JOB.formatted(clip, "160x90"));
      service.follow("/v1/jobs/" + bad + "/events", "failed");
      service.follow("/v1/jobs/" + good + "/events", "done");
      JsonNode failed = service.get("/v1/jobs/" + bad);
      assertThat(failed.get("error").get("exitCode").asInt()).isEqualTo(5);
      assertThat(failed.get("error").get("reason").asString()).isNotBlank();
      assertThat(service.mishaps).isEmpty();
    }
  }
}
