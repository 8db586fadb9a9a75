package dev.fairlead.service.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class BackupTest {
  private static final String JOB =
      "{\"input\":\"%s\",\"options\":{\"ladder\":\"160x90\",\"preset\":11}}";

  @TempDir Path directory;

  private static void unpack(Path zip, Path into) throws IOException {
    try (ZipFile file = new ZipFile(zip.toFile())) {
      for (ZipEntry entry : file.stream().toList()) {
        Path target = into.resolve(entry.getName());
        Files.createDirectories(target.getParent());
        try (InputStream in = file.getInputStream(entry)) {
          Files.copy(in, target);
        }
      }
    }
  }

  @Test
  void aServiceGoesOnFromABackupThatWasMadeWhileItRan() throws Exception {
    Path backup = directory.resolve("backup.zip");
    JsonNode done;
    String paused;
    try (TestingService service = TestingService.open(directory)) {
      String id = service.submit(JOB.formatted(service.clip(2)));
      service.follow("/v1/jobs/" + id + "/events", "done");
      done = service.get("/v1/jobs/" + id);
      paused = service.submit(JOB.formatted(service.clip(20)));
      service.post("/v1/jobs/" + paused + "/pause", "");
      service.follow("/v1/jobs/" + paused + "/events", "paused");
      assertThat(Backup.make(directory.resolve("data"), backup, false)).isGreaterThan(5);
      assertThat(Backup.make(directory.resolve("data"), backup, true)).isGreaterThan(9);
      service.post("/v1/jobs/" + paused + "/cancel", "");
      service.follow("/v1/jobs/" + paused + "/events", "cancelled");
    }
    Files.move(directory.resolve("data"), directory.resolve("lost"));
    unpack(backup, directory.resolve("data"));
    try (TestingService service = TestingService.open(directory)) {
      assertThat(service.get("/v1/jobs/" + done.get("id").asString())).isEqualTo(done);
      assertThat(service.get("/v1/jobs").get("jobs").size()).isEqualTo(2);
      JsonNode other = service.get("/v1/jobs/" + paused);
      assertThat(other.get("state").asString()).isIn("queued", "paused");
      JsonNode artifacts =
          service.get("/v1/jobs/" + done.get("id").asString() + "/artifacts").get("artifacts");
      assertThat(artifacts.size()).isGreaterThan(3);
      service.post("/v1/jobs/" + paused + "/cancel", "");
      service.follow("/v1/jobs/" + paused + "/events", "cancelled");
    }
  }

  @Test
  void aDirectoryOfNoServiceIsRefused() {
    Path to = directory.resolve("backup.zip");
    assertThatThrownBy(() -> Backup.make(directory, to, false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("it has no records");
    assertThat(to).doesNotExist();
  }
}
