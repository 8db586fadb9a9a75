package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** The command on this machine, whatever it has. */
class DoctorCommandTest {
  @TempDir private Path directory;

  @Test
  void looksAtEverythingAndWritesWhatItFound() throws Exception {
    Path profile = directory.resolve("state/profile.json");
    Path report = directory.resolve("report.txt");

    TestingCommand run =
        TestingCommand.run("doctor", "--json", "--profile", profile, "--report", report);

    JsonNode told = new ObjectMapper().readTree(run.out());
    assertThat(told.propertyNames()).containsExactly("checks", "profile");
    assertThat(told.get("checks"))
        .allSatisfy(check -> {
          assertThat(check.propertyNames())
              .containsExactly("id", "device", "result", "detail", "remedy");
          assertThat(check.get("result").asString()).isIn("pass", "fail", "skip");
          assertThat(check.get("remedy").asString().isEmpty())
              .isEqualTo(!check.get("result").asString().equals("fail"));
        });
    boolean failed =
        told.get("checks")
            .valueStream()
            .anyMatch(check -> check.get("result").asString().equals("fail"));
    assertThat(run.code()).as(run.out()).isEqualTo(failed ? 1 : 0);
    assertThat(result(told, "cpu", "encode.svt-av1.8bit.360p")).isEqualTo("pass");
    assertThat(result(told, "opencl:0", "kernel")).isEqualTo("pass");
    assertThat(result(told, "all", "join.av1.8bit")).isEqualTo("pass");
    JsonNode kept = new ObjectMapper().readTree(Files.readString(profile)).get("profile");
    assertThat(kept).isEqualTo(told.get("profile"));
    assertThat(Files.readString(report))
        .startsWith("fairlead ")
        .contains("encode.svt-av1.8bit.360p", "well,")
        .doesNotContain(System.getProperty("user.dir"), directory.toString());
  }

  private static String result(JsonNode told, String device, String id) {
    for (JsonNode check : told.get("checks")) {
      if (check.get("device").asString().equals(device) && check.get("id").asString().equals(id)) {
        return check.get("result").asString();
      }
    }
    throw new AssertionError(device + " " + id + " is not in " + told);
  }

  @Test
  void aReportSaysNeitherWhoseNorWhere() {
    Scrubbing scrubbing =
        new Scrubbing(Map.of("/home/ada", "HOME", "ada", "USER", "analytical", "HOST"));

    assertThat(
            List.of(
                scrubbing.of("see /home/ada/clips/a.mp4"),
                scrubbing.of("ada on analytical: the adapter is analytically sound"),
                scrubbing.of("/home/adamant, /srv/ada")))
        .containsExactly(
            "see HOME/clips/a.mp4",
            "USER on HOST: the adapter is analytically sound",
            "/home/adamant, /srv/USER");
  }
}
