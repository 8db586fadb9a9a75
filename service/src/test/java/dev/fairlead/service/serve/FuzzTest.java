package dev.fairlead.service.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Requests that are wrong in every way, over every route: each is refused with a reason. */
class FuzzTest {
  private static final int REQUESTS = Boolean.getBoolean("fairlead.full") ? 10_000 : 600;
  private static final long SEED = Long.getLong("fairlead.seed", 20_261_118);

  /** What the service has for itself. */
  private static final List<String> OWN = List.of("lock", "records", "audit.log", "native");

  private static final List<String> VALUES =
      List.of(
          "..",
          "%2e%2e",
          "%2F",
          "%00",
          "a b",
          "\u00e9",
          "%zz",
          "x".repeat(3_000),
          "-1",
          "null",
          "{}",
          "'",
          "\"",
          "<script>",
          "1e999",
          "9".repeat(40),
          "a/../b",
          "//",
          ";x=y",
          "?",
          "#",
          "%");

  private static final List<String> BODIES =
      List.of(
          "",
          "{",
          "[]",
          "null",
          "0",
          "\"\"",
          "{\"input\":1}",
          "{\"input\":\"/etc/passwd\"}",
          "{\"input\":\"../../x\"}",
          "{\"upload\":\"none\"}",
          "{\"priority\":\"high\"}",
          "{\"input\":\"a\",\"upload\":\"b\"}",
          "{\"options\":{\"crf\":1e9}}",
          "{\"\\u0000\":1}",
          "{\"input\":\"\\ud800\"}",
          "[".repeat(2_000),
          "{\"a\":" + "9".repeat(2_000) + "}",
          "\u0000\u00ff");

  private static final List<String> OTHER_METHODS =
      List.of("GET", "POST", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "BREW");
  private static final List<String> METHODS =
      Stream.concat(OTHER_METHODS.stream(), Stream.of("PUT")).toList();
  private static final List<String> QUERY =
      List.of("limit", "after", "state", "tenant", "from", "to", "rung", "chunk", "x");

  @TempDir Path directory;

  @Test
  void nothingThatIsSentIsAnErrorOfTheServersOwn() throws Exception {
    SplittableRandom random = new SplittableRandom(SEED);
    try (TestingService service = TestingService.open(directory)) {
      List<String> paths = new ArrayList<>();
      service.get("/v1/openapi.json").get("paths").propertyNames().forEach(paths::add);
      paths.removeIf(path -> path.endsWith("/events")); // they answer for as long as one listens
      paths.addAll(List.of("/", "/v1", "*", "http://evil.example/", ""));
      for (int each = 0; each < REQUESTS; each++) {
        String request = request(random, paths);
        RawRequest.Answer answer =
            RawRequest.answer(service.uri("/"), request.getBytes(StandardCharsets.UTF_8));
        assertThat(answer.status())
            .as("seed %d, request %d: %s", SEED, each, request)
            .matches(code -> code == 0 || code / 100 == 2 || code / 100 == 4 || code == 503);
        if (answer.status() / 100 == 4 && !request.startsWith("HEAD")) {
          assertThat(answer.contentType()).as(request).isEqualTo("application/problem+json");
          assertThat(answer.body()).as(request).contains("\"detail\":\"").doesNotContain("\\tat ");
        }
      }
      assertThat(service.mishaps).isEmpty();
      assertThat(service.get("/v1/health").get("status").asString()).isEqualTo("up");
      JsonNode jobs = service.get("/v1/jobs").get("jobs");
      assertThat(jobs.size()).isZero();
      assertThat(service.get("/v1/tenants").get("tenants").size()).isZero();
    }
    assertThat(leftovers()).isEmpty();
  }

  /** Files that a refused request has left. */
  private List<Path> leftovers() throws IOException {
    Path data = directory.resolve("data");
    try (Stream<Path> files = Files.walk(data)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> OWN.stream().noneMatch(data.relativize(file)::startsWith))
          .filter(file -> !file.getFileName().toString().startsWith("index.sqlite"))
          .toList();
    }
  }

  private static String request(SplittableRandom random, List<String> paths) {
    String path = one(random, paths);
    while (path.contains("{")) {
      path =
          path.replaceFirst(
              "\\{[^}]*}", java.util.regex.Matcher.quoteReplacement(one(random, VALUES)));
    }
    if (random.nextInt(3) == 0) {
      path += "?" + one(random, QUERY) + "=" + one(random, VALUES);
    }
    // Whatever is sent as an upload is one; what is made of wrong ones has its own test.
    String method = one(random, path.contains("/uploads/") ? OTHER_METHODS : METHODS);
    String body = one(random, BODIES);
    int length = body.getBytes(StandardCharsets.UTF_8).length;
    StringBuilder text = new StringBuilder();
    text.append(method).append(' ').append(path).append(" HTTP/1.1\r\n");
    text.append("Host: ")
        .append(random.nextInt(10) == 0 ? one(random, VALUES) : "localhost")
        .append("\r\n");
    text.append("Connection: close\r\n");
    if (random.nextInt(4) > 0) {
      text.append("Content-Type: application/json\r\n");
    }
    switch (random.nextInt(10)) {
      case 0 -> text.append("Content-Length: ").append(length + 10).append("\r\n");
      case 1 -> text.append("Content-Length: -5\r\n");
      case 2 -> text.append("Transfer-Encoding: chunked\r\n");
      case 3 -> text.append("Authorization: ").append(one(random, VALUES)).append("\r\n");
      case 4 -> text.append("Range: bytes=").append(one(random, VALUES)).append("\r\n");
      case 5 -> text.append("Cookie: fairlead=").append(one(random, VALUES)).append("\r\n");
      case 6 -> text.append("Last-Event-ID: ").append(one(random, VALUES)).append("\r\n");
      case 7 ->
          text.append("Idempotency-Key: ")
              .append(one(random, VALUES))
              .append("\r\nContent-Length: ")
              .append(length)
              .append("\r\n");
      default -> text.append("Content-Length: ").append(length).append("\r\n");
    }
    return text.append("\r\n").append(body).toString();
  }

  private static String one(SplittableRandom random, List<String> all) {
    return all.get(random.nextInt(all.size()));
  }
}
