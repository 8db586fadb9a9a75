package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackupCommandTest {
  @TempDir Path directory;

  @Test
  void whatHasNoRecordsIsRefused() {
    TestingCommand run = backup();
    assertThat(run.code()).isEqualTo(2);
    assertThat(directory.resolve("b.zip")).doesNotExist();
  }

  @Test
  void copiesWhatIsThere() throws IOException {
    Files.createDirectories(directory.resolve("records"));
    Files.writeString(directory.resolve("tokens.json"), "{}");
    assertThat(backup().code()).isZero();
    assertThat(directory.resolve("b.zip")).isNotEmptyFile();
  }

  private TestingCommand backup() {
    return TestingCommand.run(
        "backup", "--data", directory.toString(), "--to", directory.resolve("b.zip").toString());
  }

  @Test
  void recoveryIsOfAtLeastOneKill() {
    assertThat(TestingCommand.run("bench", "recovery", "--kills", "0").code()).isEqualTo(2);
  }
}
