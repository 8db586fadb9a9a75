package dev.fairlead.service.serve;

import dev.fairlead.device.Discovery;
import dev.fairlead.media.job.ChaosPlan;
import dev.fairlead.media.job.JobOptions;
import dev.fairlead.media.prepare.SourceTools;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.service.webhook.WebhookOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A service on two lanes, with a real client that checks every answer by its description. */
final class TestingService implements AutoCloseable {
  private static final JsonMapper JSON = new JsonMapper();
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  final Queue<Throwable> mishaps = new ConcurrentLinkedQueue<>();
  private final Path root;
  private final DevicePool pool;
  private final Service service;
  private final int listens;
  private final HttpClient client = HttpClient.newHttpClient();
  private final TestingContract contract;

  /**
   * How it is run.
   *
   * @param port 0 for a free one
   * @param minFreeBytes what is to be left free on the disk
   * @param chaos faults that are made on purpose
   * @param webhooks who is told of jobs that end
   */
  private record Setup(
      int port,
      long minFreeBytes,
      ChaosPlan chaos,
      List<Addition> additions,
      WebhookOptions webhooks) {
    static final Setup USUAL = new Setup(0, 0, ChaosPlan.none(), List.of(), WebhookOptions.NONE);
  }

  private TestingService(Path directory, Setup setup) throws IOException {
    this.root = Files.createDirectories(directory.resolve("root")).toRealPath();
    this.pool = DevicePool.open(Discovery.find("cpu:2"));
    this.service =
        Service.open(
            new ServiceOptions(
                new ServiceOptions.Address(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), setup.port),
                    Set.of(),
                    Optional.empty()),
                new ServiceOptions.Storage(
                    directory.resolve("data"),
                    List.of(root),
                    setup.minFreeBytes,
                    ServiceOptions.Storage.USUAL_KEEP),
                setup.webhooks),
            JobOptions.usual(pool).withChaos(setup.chaos),
            new Program("test", (_, failure) -> mishaps.add(failure), setup.additions));
    this.listens = service.uri().getPort();
    this.contract = new TestingContract(description());
  }

  private String description() throws IOException {
    try {
      return client
          .send(request("/v1/openapi.json").build(), HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (InterruptedException stopped) {
      throw new IOException(stopped);
    }
  }

  static TestingService open(Path directory) throws IOException {
    return new TestingService(directory, Setup.USUAL);
  }

  /** One that wants so much left free. */
  static TestingService open(Path directory, long minFreeBytes) throws IOException {
    return new TestingService(
        directory, new Setup(0, minFreeBytes, ChaosPlan.none(), List.of(), WebhookOptions.NONE));
  }

  /** One whose workers fail on purpose. */
  static TestingService open(Path directory, ChaosPlan chaos) throws IOException {
    return new TestingService(directory, new Setup(0, 0, chaos, List.of(), WebhookOptions.NONE));
  }

  /** One that tells others of jobs that end. */
  static TestingService open(Path directory, WebhookOptions webhooks) throws IOException {
    return new TestingService(directory, new Setup(0, 0, ChaosPlan.none(), List.of(), webhooks));
  }

  /** The next after one that is closed, where that one listened. */
  TestingService again(Path directory) throws IOException {
    return new TestingService(
        directory, new Setup(listens, 0, ChaosPlan.none(), List.of(), WebhookOptions.NONE));
  }

  static TestingService openWith(Path directory, Addition addition) throws IOException {
    return new TestingService(
        directory, new Setup(0, 0, ChaosPlan.none(), List.of(addition), WebhookOptions.NONE));
  }

  /** A clip below the root. */
  String clip(int seconds) throws InterruptedException {
    String name = "clip%d.mp4".formatted(seconds);
    if (!Files.exists(root.resolve(name))) {
      SourceTools.makeClip(root.resolve(name), seconds, 160, 90);
    }
    return name;
  }

  URI uri(String path) {
    return URI.create(service.uri() + path);
  }

  HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(uri(path)).timeout(PATIENCE);
  }

  TestingContract contract() {
    return contract;
  }

  HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
    HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
    contract.check(answered(answer, answer.body()));
    return answer;
  }

  HttpResponse<byte[]> bytes(String path) throws IOException, InterruptedException {
    HttpResponse<byte[]> answer =
        client.send(request(path).build(), HttpResponse.BodyHandlers.ofByteArray());
    contract.check(answered(answer, new String(answer.body(), StandardCharsets.UTF_8)));
    return answer;
  }

  private static TestingContract.Answered answered(HttpResponse<?> answer, String body) {
    return new TestingContract.Answered(
        answer.request().method(),
        answer.request().uri().getPath(),
        answer.statusCode(),
        answer.headers().firstValue("Content-Type").orElse(""),
        body);
  }

  JsonNode get(String path) throws IOException, InterruptedException {
    return JSON.readTree(send(request(path).build()).body());
  }

  HttpResponse<String> post(String path, String body) throws IOException, InterruptedException {
    HttpResponse<String> answer =
        send(
            request(path)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build());
    contract.checkTaken(answered(answer, answer.body()), body);
    return answer;
  }

  /** Submits a job that is to be taken; its id. */
  String submit(String body) throws IOException, InterruptedException {
    HttpResponse<String> answer = post("/v1/jobs", body);
    if (answer.statusCode() != 201) {
      throw new AssertionError(answer.body());
    }
    return JSON.readTree(answer.body()).get("id").asString();
  }

  /** Reads the events of a stream, one after the other, until a state is reached. */
  List<JsonNode> follow(String path, String state) throws IOException, InterruptedException {
    HttpResponse<java.util.stream.Stream<String>> answer =
        client.send(request(path).build(), HttpResponse.BodyHandlers.ofLines());
    List<JsonNode> events = new java.util.ArrayList<>();
    try (java.util.stream.Stream<String> lines = answer.body()) {
      for (String line : (Iterable<String>) lines::iterator) {
        if (line.startsWith("data: ")) {
          JsonNode event = JSON.readTree(line.substring("data: ".length()));
          events.add(event);
          if (event.path("state").asString("").equals(state)) {
            return events;
          }
        }
      }
    }
    throw new AssertionError("The stream ended without the state " + state + ": " + events);
  }

  @Override
  public void close() {
    service.close();
    pool.close();
  }
}
