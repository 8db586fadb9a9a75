package dev.fairlead.benchmarks;

import dev.fairlead.device.Device;
import dev.fairlead.device.Discovery;
import dev.fairlead.media.job.JobState;
import dev.fairlead.media.job.TranscodeListener.Encoded;
import dev.fairlead.media.job.TranscodeListener.Event;
import dev.fairlead.media.json.JsonEvents;
import dev.fairlead.media.records.JobId;
import dev.fairlead.media.store.UnitId;
import dev.fairlead.policy.Priority;
import dev.fairlead.policy.Tenant;
import dev.fairlead.service.client.ServiceClient;
import dev.fairlead.service.http.Words;
import dev.fairlead.service.job.JobView;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.DoubleSupplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A service in a process of its own, which is asked and followed over HTTP. */
final class ServedFleet implements SharedFleet {
  private static final int OK = 200;
  private static final String LARGEST_PAGE = "1000";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** All lanes are alike, so it does not matter which one an event names. */
  private static final Device LANE = Discovery.find("cpu").devices().getFirst();

  private final ServeProcess serve;
  private final ServiceClient client;
  private final ObjectNode body;
  private final FairnessLog log;
  private final DoubleSupplier seconds;
  private final Map<String, Tenant> tenants = new ConcurrentHashMap<>();
  private final Map<String, Double> begun = new ConcurrentHashMap<>();
  private final Thread follower;

  private ServedFleet(
      ServeProcess serve, ObjectNode body, FairnessLog log, DoubleSupplier seconds) {
    this.serve = serve;
    this.client = serve.client();
    this.body = body;
    this.log = log;
    this.seconds = seconds;
    this.follower = Thread.ofVirtual().name("follower").start(this::follow);
  }

  /**
   * Starts a service.
   *
   * @param fairlead the command that runs fairlead
   * @param clip is below the directory
   * @param log takes what happens, by the clock of these seconds
   */
  static ServedFleet start(
      List<String> fairlead,
      Path directory,
      Path clip,
      String ladder,
      List<Tenant> tenants,
      FairnessLog log,
      DoubleSupplier seconds)
      throws IOException, InterruptedException {
    ObjectNode body = JsonEvents.JSON.createObjectNode().put("input", clip.toString());
    body.putObject("options").put("ladder", ladder);
    ServeProcess serve = ServeProcess.start(fairlead, directory);
    ServedFleet fleet = new ServedFleet(serve, body, log, seconds);
    boolean whole = false;
    try {
      for (Tenant tenant : tenants) {
        fleet.weigh(tenant);
      }
      whole = true;
      return fleet;
    } finally {
      if (!whole) {
        fleet.close();
      }
    }
  }

  private void weigh(Tenant tenant) throws IOException, InterruptedException {
    HttpRequest put =
        HttpRequest.newBuilder(URI.create(serve.address() + "/v1/tenants/" + tenant.name()))
            .timeout(PATIENCE)
            .header("Content-Type", "application/json")
            .PUT(HttpRequest.BodyPublishers.ofString("{\"weight\":%s}".formatted(tenant.weight())))
            .build();
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpResponse<String> answer = http.send(put, HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() != OK) {
        throw new IOException("The service refused a tenant: " + answer.body());
      }
    }
  }

  private void follow() {
    try {
      client.followAll(event -> {
        take(event);
        return true;
      });
    } catch (InterruptedException over) {
      Thread.currentThread().interrupt();
    }
  }

  private void take(ObjectNode event) {
    Tenant tenant = tenants.get(event.path("job").asString(""));
    boolean timed = event.has("seconds") && !event.path("event").asString("").equals("planned");
    if (tenant == null || !timed) { // a plan is of second 0, whenever it is made
      return;
    }
    String id = event.get("job").asString();
    double at = event.get("seconds").asDouble();
    double clock = begun.computeIfAbsent(id, _ -> seconds.getAsDouble() - at);
    event(event, at).ifPresent(log.of(JobId.parse(id), tenant, clock)::on);
  }

  /** An event as the log takes it; empty if it does not matter there. */
  private static Optional<Event> event(ObjectNode event, double at) {
    return switch (event.path("event").asString("")) {
      case "started" ->
          Optional.of(
              new Event.Started(at, unit(event), LANE, event.get("offeredSeconds").asDouble()));
      case "committed" ->
          Optional.of(
              new Event.Committed(
                  at,
                  unit(event),
                  LANE,
                  new Encoded(
                      event.get("frames").asInt(),
                      event.get("bytes").asLong(),
                      event.get("fromSeconds").asDouble(),
                      event.get("busySeconds").asDouble())));
      case "requeued" ->
          Optional.of(new Event.Requeued(at, unit(event), LANE, event.path("reason").asString("")));
      case "notice" ->
          Optional.of(new Event.Noticed(at, event.path("what").asString(""), interrupted(event)));
      default -> Optional.empty();
    };
  }

  private static UnitId unit(JsonNode event) {
    return new UnitId(event.get("rung").asString(), event.get("chunk").asLong());
  }

  private static List<UnitId> interrupted(JsonNode event) {
    List<UnitId> units = new ArrayList<>();
    for (JsonNode each : event.path("interrupted")) {
      String[] parts = each.asString().split("/", -1);
      units.add(new UnitId(parts[0], Long.parseLong(parts[1])));
    }
    return units;
  }

  @Override
  public JobId submit(Tenant tenant, Priority priority) throws InterruptedException {
    ObjectNode job =
        body.deepCopy().put("tenant", tenant.name()).put("priority", Words.of(priority));
    String id = client.submit(job, UUID.randomUUID().toString()).id();
    tenants.put(id, tenant);
    return JobId.parse(id);
  }

  @Override
  public long present(Tenant tenant) throws InterruptedException {
    long present = 0;
    Map<String, String> query = Map.of("tenant", tenant.name(), "limit", LARGEST_PAGE);
    for (JobView job : client.jobs(query).jobs()) {
      if (job.state() == JobState.FAILED) {
        throw new IllegalStateException("A job has failed: " + job.reason());
      }
      present += job.state().isOver() ? 0 : 1;
    }
    return present;
  }

  @Override
  public int lanes() {
    return Discovery.find("cpu").devices().stream().mapToInt(Device::slots).sum();
  }

  @Override
  public void close() {
    follower.interrupt();
    try (serve) {
      client.close();
    }
  }
}
