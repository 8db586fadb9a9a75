package dev.fairlead.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server in a process of its own, which is killed in the end. */
final class KilledServer {
  private static final Pattern URL = Pattern.compile("\"url\":\"([^\"]+)\"");
  private static final Pattern ID = Pattern.compile("\"id\":\"([0-9a-z]+)\"");
  private static final Pattern STATE = Pattern.compile("\"state\":\"([a-z]+)\"");
  private static final Duration TO_ANSWER = Duration.ofSeconds(60);
  private static final long TO_END_SECONDS = 60;

  private final Process process;
  private final URI uri;
  private final HttpClient client = HttpClient.newHttpClient();

  private KilledServer(Process process, URI uri) {
    this.process = process;
    this.uri = uri;
  }

  /** Starts one, and waits until it listens. */
  static KilledServer start(List<String> command, Path log) throws IOException {
    Process process =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
    String first = lines.readLine();
    Matcher url = URL.matcher(first == null ? "" : first);
    if (!url.find()) {
      process.destroyForcibly();
      throw new IOException("The server did not start: " + first);
    }
    return new KilledServer(process, URI.create(url.group(1)));
  }

  /** Submits a job; its id, or nothing if the server went away before it answered. */
  Optional<String> submit(String body) throws InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(uri.resolve("/v1/jobs"))
            .timeout(TO_ANSWER)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    try {
      HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
      Matcher id = ID.matcher(answer.body());
      if (answer.statusCode() == 201 && id.find()) {
        return Optional.of(id.group(1));
      }
      throw new IllegalStateException("A job was refused: " + answer.body());
    } catch (IOException gone) {
      return Optional.empty();
    }
  }

  /** How a job stands; nothing if there is none of that id. */
  Optional<String> state(String id) throws InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(uri.resolve("/v1/jobs/" + id)).timeout(TO_ANSWER).build();
    try {
      HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
      Matcher state = STATE.matcher(answer.body());
      return answer.statusCode() == 200 && state.find()
          ? Optional.of(state.group(1))
          : Optional.empty();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Kills it as nothing can be told beforehand, and waits until its workers are gone, too. */
  void kill() throws InterruptedException {
    List<ProcessHandle> workers = process.descendants().toList();
    process.destroyForcibly().waitFor();
    client.shutdownNow();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(TO_END_SECONDS);
    while (workers.stream().anyMatch(ProcessHandle::isAlive)) {
      if (System.nanoTime() - end > 0) {
        throw new IllegalStateException("Workers outlive their server: " + workers);
      }
      Thread.sleep(10);
    }
  }
}
