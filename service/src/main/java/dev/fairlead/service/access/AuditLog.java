package dev.fairlead.service.access;

import dev.fairlead.service.http.Answer;
import dev.fairlead.service.http.Call;
import dev.fairlead.service.http.JsonBody;
import dev.fairlead.service.http.Problem;
import dev.fairlead.service.http.Route;
import dev.fairlead.service.http.Status;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Who has changed what: a line of JSON for each request that may change something and has come to
 * its route. When the file has reached its size it becomes {@code audit.log.1}, in place of the one
 * before. Thread-safe.
 */
public final class AuditLog {
  private static final String FILE = "audit.log";
  private static final long MOST_BYTES = 8L << 20;

  private final Path file;
  private final long mostBytes;
  private final Consumer<IOException> failures;

  /**
   * A line.
   *
   * @param who the name of the token; {@code local} without one
   * @param from the address that it came from
   * @param made where that is what was made
   */
  private record Line(
      Instant at, String who, String from, String what, int status, Optional<String> made) {}

  AuditLog(Path directory, long mostBytes, Consumer<IOException> failures) {
    this.file = directory.resolve(FILE);
    this.mostBytes = mostBytes;
    this.failures = failures;
  }

  /**
   * The one of a data directory.
   *
   * @param failures told of lines that cannot be written; what was asked is done all the same
   */
  public static AuditLog below(Path directory, Consumer<IOException> failures) {
    return new AuditLog(directory, MOST_BYTES, failures);
  }

  /** The same routes; those that may change something write a line. */
  public List<Route> around(List<Route> routes) {
    return routes.stream().map(route -> route.changes() ? around(route) : route).toList();
  }

  private Route around(Route route) {
    return route.with(call -> {
      int status = Status.FAULT.code();
      Optional<String> made = Optional.empty();
      try {
        Answer answer = route.work().answer(call);
        status = status(answer);
        made = made(answer);
        return answer;
      } catch (Problem refused) {
        status = refused.details().status();
        throw refused;
      } finally {
        write(
            new Line(
                Instant.now(),
                call.caller().name(),
                call.sender().credentials().remote().getHostAddress(),
                what(route, call),
                status,
                made));
      }
    });
  }

  private static int status(Answer answer) {
    return switch (answer) {
      case Answer.Json json -> json.status();
      case Answer.Empty empty -> empty.status();
      case Answer.Page _, Answer.Text _, Answer.Bytes _, Answer.Content _, Answer.Stream _ ->
          Answer.OK;
    };
  }

  private static Optional<String> made(Answer answer) {
    return answer instanceof Answer.Json json
        ? Optional.ofNullable(json.headers().get("Location"))
        : Optional.empty();
  }

  private static String what(Route route, Call call) {
    String path =
        Arrays.stream(route.path().split("/", -1))
            .map(part -> part.startsWith("{") ? call.parameter(part.replaceAll("[{.}]", "")) : part)
            .collect(Collectors.joining("/"));
    return route.method() + " " + path;
  }

  private synchronized void write(Line line) {
    byte[] bytes =
        (JsonBody.MAPPER.writeValueAsString(line) + "\n").getBytes(StandardCharsets.UTF_8);
    try {
      if (Files.exists(file) && Files.size(file) + bytes.length > mostBytes) {
        Files.move(file, file.resolveSibling(FILE + ".1"), StandardCopyOption.REPLACE_EXISTING);
      }
      if (!Files.exists(file)) {
        Files.createFile(
            file,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      }
      Files.write(file, bytes, StandardOpenOption.APPEND);
    } catch (IOException failure) {
      failures.accept(failure);
    }
  }
}
