package dev.fairlead.service.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of docs/service.md, run as they stand there against a service. */
class ServiceDocumentTest {
  private static final Pattern EXAMPLE = Pattern.compile("```sh\n(.*?)```", Pattern.DOTALL);
  private static final String ADDRESS = "http://127.0.0.1:8080";

  @TempDir Path directory;

  @Test
  void everyExampleWorks() throws Exception {
    try (TestingService service = TestingService.open(directory)) {
      Path root = directory.resolve("root");
      Files.move(root.resolve(service.clip(2)), root.resolve("talk.mp4"));
      for (String example : examples()) {
        String text = example.replace(ADDRESS, service.uri("").toString());
        Process process =
            new ProcessBuilder("bash", "-e", "-o", "pipefail", "-c", text)
                .directory(root.toFile())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("said").toFile())
                .start();
        try {
          assertThat(process.waitFor(3, TimeUnit.MINUTES)).as(example).isTrue();
          assertThat(process.exitValue())
              .as("%s: %s", example, Files.readString(directory.resolve("said")))
              .isZero();
        } finally {
          process.destroyForcibly();
        }
      }
      assertThat(service.mishaps).isEmpty();
    }
  }

  private static List<String> examples() throws IOException {
    List<String> examples =
        EXAMPLE
            .matcher(Files.readString(Path.of("../docs/service.md")))
            .results()
            .map((MatchResult each) -> each.group(1))
            .filter(text -> text.contains("curl"))
            .toList();
    assertThat(examples).isNotEmpty();
    return examples;
  }
}
