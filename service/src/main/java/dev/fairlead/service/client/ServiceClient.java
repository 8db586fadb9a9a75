package dev.fairlead.service.client;

import dev.fairlead.service.file.FileEnds;
import dev.fairlead.service.http.Words;
import dev.fairlead.service.job.Artifacts.ArtifactList;
import dev.fairlead.service.job.InputRoutes.InputCheck;
import dev.fairlead.service.job.InputRoutes.InputSeen;
import dev.fairlead.service.job.JobView;
import dev.fairlead.service.job.JobView.JobPage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/**
 * A service as a program asks it. What it refuses, and that it does not answer, is a {@link
 * ServiceException}. A service that goes away and comes back is waited for. Thread-safe.
 */
public final class ServiceClient implements AutoCloseable {
  private static final Duration TO_ANSWER = Duration.ofSeconds(60);

  /** The hashes of a package take a while the first time. */
  private static final Duration TO_LIST = Duration.ofMinutes(10);

  private final Exchange exchange;

  /** What can be done to a job. */
  public enum Action {
    PAUSE,
    RESUME,
    CANCEL,
    RETRY
  }

  private ServiceClient(Exchange exchange) {
    this.exchange = exchange;
  }

  /**
   * A client.
   *
   * @param token by which the service knows the caller
   * @param patience for how long a service that has answered before may be away
   */
  public static ServiceClient open(
      ServiceAddress address, Optional<String> token, Duration patience) {
    return new ServiceClient(new Exchange(address, token, patience));
  }

  /** A page of jobs, newest first; the query's names are those of {@code GET /v1/jobs}. */
  public JobPage jobs(Map<String, String> query) throws InterruptedException {
    String text =
        new TreeMap<>(query)
            .entrySet().stream()
                .map(each -> each.getKey() + "=" + encoded(each.getValue()))
                .collect(Collectors.joining("&"));
    return exchange.read(get("/v1/jobs" + (text.isEmpty() ? "" : "?" + text)), JobPage.class);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  public JobView job(String id) throws InterruptedException {
    return exchange.read(get(path(id)), JobView.class);
  }

  private static String path(String id) {
    return "/v1/jobs/" + encoded(id);
  }

  private HttpRequest get(String path) {
    return exchange.request(path, TO_ANSWER).build();
  }

  public JobView act(String id, Action action) throws InterruptedException {
    HttpRequest.Builder request = exchange.request(path(id) + "/" + Words.of(action), TO_ANSWER);
    return exchange.read(request.POST(HttpRequest.BodyPublishers.noBody()).build(), JobView.class);
  }

  public void delete(String id) throws InterruptedException {
    exchange.requireGood(exchange.send(exchange.request(path(id), TO_ANSWER).DELETE().build()));
  }

  /**
   * Submits a job.
   *
   * @param job the body of {@code POST /v1/jobs}
   * @param key by which the same job, submitted again, is taken once
   */
  public JobView submit(ObjectNode job, String key) throws InterruptedException {
    return exchange.read(
        post("/v1/jobs", job).header("Idempotency-Key", key).build(), JobView.class);
  }

  private HttpRequest.Builder post(String path, Object body) {
    return exchange
        .request(path, TO_ANSWER)
        .header("Content-Type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofByteArray(Exchange.JSON.writeValueAsBytes(body)));
  }

  /** Whether the service sees the same file at the same path. */
  public boolean sees(Path file) throws InterruptedException {
    try {
      InputCheck check =
          new InputCheck(Optional.of(file.toRealPath().toString()), Optional.of(FileEnds.of(file)));
      return exchange.read(post("/v1/inputs/check", check).build(), InputSeen.class).seen();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** Sends what the service does not have of a file; gives the id of the upload. */
  public String send(Path file, Moved moved) throws InterruptedException {
    return new FileSending(exchange, file, moved).send();
  }

  /**
   * Hands over the events of a job until their taker has enough. After an event {@code reset} some
   * may be missing before it.
   *
   * @param more says whether it wants more
   */
  public void follow(String id, Predicate<ObjectNode> more) throws InterruptedException {
    new EventStream(exchange, path(id) + "/events").follow(more);
  }

  /** The same with the events of all jobs. */
  public void followAll(Predicate<ObjectNode> more) throws InterruptedException {
    new EventStream(exchange, "/v1/events").follow(more);
  }

  public ArtifactList artifacts(String id) throws InterruptedException {
    return exchange.read(
        exchange.request(path(id) + "/artifacts", TO_LIST).build(), ArtifactList.class);
  }

  /**
   * Brings the files of a job into a directory; what is there of them is not brought again.
   *
   * @param replaces whether other files of the same names may be replaced
   * @throws OtherFile if one is in the way
   */
  public void fetch(String id, Path directory, boolean replaces, Moved moved)
      throws InterruptedException {
    new PackageDownload(exchange, id, directory, replaces).fetch(artifacts(id).artifacts(), moved);
  }

  @Override
  public void close() {
    exchange.close();
  }
}
