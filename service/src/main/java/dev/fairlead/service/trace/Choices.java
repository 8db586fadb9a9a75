package dev.fairlead.service.trace;

import dev.fairlead.media.records.JobId;
import dev.fairlead.service.http.JsonBody;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;

/**
 * Why chunks of jobs went to their devices: a file for each job with a line for each time, written
 * as it happens.
 */
final class Choices {
  private static final String ENDING = ".why.jsonl";

  private final Path directory;

  Choices(Path directory) {
    this.directory = directory;
  }

  private Path file(JobId id) {
    return directory.resolve(id.value() + ENDING);
  }

  /** Begins with a line break: a line that a crash has cut spoils no other. */
  void add(JobId id, Choice choice) throws IOException {
    Files.writeString(
        file(id),
        "\n" + JsonBody.MAPPER.writeValueAsString(choice),
        StandardCharsets.UTF_8,
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  /** All of a chunk, the oldest first. */
  List<Choice> find(JobId id, String rung, long chunk) {
    Path file = file(id);
    if (!Files.exists(file)) {
      return List.of();
    }
    String sign = "\"chunk\":%d,".formatted(chunk);
    try (Stream<String> lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
      return lines
          .filter(line -> line.contains(sign))
          .flatMap(line -> parse(line).stream())
          .filter(choice -> choice.rung().equals(rung) && choice.chunk() == chunk)
          .toList();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static Optional<Choice> parse(String line) {
    try {
      byte[] bytes = line.getBytes(StandardCharsets.ISO_8859_1); // as they were
      return Optional.of(JsonBody.MAPPER.readValue(bytes, Choice.class));
    } catch (JacksonException cut) {
      return Optional.empty();
    }
  }

  void forget(JobId id) throws IOException {
    Files.deleteIfExists(file(id));
  }
}
