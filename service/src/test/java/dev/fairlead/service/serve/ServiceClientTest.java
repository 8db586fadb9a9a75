package dev.fairlead.service.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.fairlead.media.job.JobState;
import dev.fairlead.service.client.OtherFile;
import dev.fairlead.service.client.ServiceAddress;
import dev.fairlead.service.client.ServiceClient;
import dev.fairlead.service.client.ServiceException;
import dev.fairlead.service.file.FileEnds;
import dev.fairlead.service.file.Sha256;
import dev.fairlead.service.http.JsonBody;
import dev.fairlead.service.job.Artifacts.Artifact;
import dev.fairlead.service.job.JobView;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** What a program asks of a service, against a real one. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class ServiceClientTest {
  private static final int MIB = 1 << 20;
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @TempDir Path directory;
  private TestingService service;
  private ServiceClient client;

  @BeforeEach
  void open() throws IOException {
    service = TestingService.open(directory);
    client = ServiceClient.open(address(), Optional.empty(), PATIENCE);
  }

  private ServiceAddress address() {
    return ServiceAddress.parse(service.uri("").toString());
  }

  @AfterEach
  void close() {
    client.close();
    service.close();
    assertThat(service.mishaps).isEmpty();
  }

  private Path noise(String name, int size) throws IOException {
    byte[] bytes = new byte[size];
    new SplittableRandom(size).nextBytes(bytes);
    return Files.write(directory.resolve(name), bytes);
  }

  private JobView submit(int seconds) throws InterruptedException {
    ObjectNode job = JsonBody.MAPPER.createObjectNode().put("input", service.clip(seconds));
    job.putObject("options").put("ladder", "160x90").put("segment", "2").put("preset", 11);
    return client.submit(job, "key");
  }

  /** Follows a job to a state; the events. */
  private List<ObjectNode> follow(String id, JobState state) throws InterruptedException {
    List<ObjectNode> events = new ArrayList<>();
    client.follow(
        id,
        event -> {
          events.add(event);
          return !event.path("state").asString("").equalsIgnoreCase(state.name());
        });
    return events;
  }

  @Test
  void aFileIsSeenOnlyBelowARootAndOnlyByWhoHasIt() throws Exception {
    Path clip = directory.resolve("root").resolve(service.clip(4));
    assertThat(client.sees(clip)).isTrue();
    Path outside = noise("outside", 5_000);
    assertThat(client.sees(outside)).isFalse();
    Path link = Files.createSymbolicLink(directory.resolve("root/link"), outside);
    assertThat(client.sees(link)).isFalse();

    FileEnds ends = FileEnds.of(clip);
    String other =
        JsonBody.MAPPER.writeValueAsString(
            Map.of("path", clip.toString(), "ends", new FileEnds(1, ends.first(), ends.last())));
    String absent = other.replace("clip4", "clip5");
    List<String> answers = new ArrayList<>();
    for (String body : List.of(other, absent, other.replace(clip.toString(), "/etc/passwd"))) {
      answers.add(service.post("/v1/inputs/check", body).body());
    }
    assertThat(answers).containsOnly("{\"seen\":false}");
    HttpResponse<String> wrong = service.post("/v1/inputs/check", "{\"path\":\"x\"}");
    assertThat(wrong.statusCode()).isEqualTo(422);
  }

  @Test
  void anUploadGoesOnWhereItWasAndIsNotSentTwice() throws Exception {
    Path file = noise("film", 9 * MIB);
    String hash = Sha256.of(file);
    byte[] first = Arrays.copyOf(Files.readAllBytes(file), MIB);
    HttpRequest begin =
        service
            .request("/v1/uploads/" + hash)
            .header("Content-Range", "bytes 0-%d/%d".formatted(MIB - 1, 9 * MIB))
            .PUT(HttpRequest.BodyPublishers.ofByteArray(first))
            .build();
    assertThat(service.send(begin).statusCode()).isEqualTo(200);

    List<Long> moved = new ArrayList<>();
    assertThat(client.send(file, (now, _) -> moved.add(now))).isEqualTo(hash);
    assertThat(moved).containsExactly(1L * MIB, 5L * MIB, 9L * MIB);
    moved.clear();
    assertThat(client.send(file, (now, _) -> moved.add(now))).isEqualTo(hash);
    assertThat(moved).containsExactly(9L * MIB);
  }

  @Test
  void bytesThatSomebodyElsePutUnderTheNameOfAFileAreFound() throws Exception {
    Path file = noise("film", 2 * MIB);
    String hash = Sha256.of(file);
    HttpRequest poison =
        service
            .request("/v1/uploads/" + hash)
            .PUT(HttpRequest.BodyPublishers.ofByteArray(new byte[2 * MIB]))
            .build();
    assertThat(service.send(poison).statusCode()).isEqualTo(201);
    String id = client.send(file, (_, _) -> {});
    assertThat(id).isNotEqualTo(hash);
    assertThat(service.get("/v1/uploads/" + id).get("sha256").asString()).isEqualTo(hash);
  }

  @Test
  void aPackageIsBroughtBackAndGoesOnAfterAnInterruption() throws Exception {
    JobView job = submit(4);
    List<ObjectNode> events = follow(job.id(), JobState.DONE);
    assertThat(events).anyMatch(event -> event.get("event").asString().equals("finished"));
    List<Artifact> artifacts = client.artifacts(job.id()).artifacts();
    assertThat(artifacts).hasSizeGreaterThan(3);
    Path here = directory.resolve("here");
    Artifact large =
        artifacts.stream().max(Comparator.comparingLong(Artifact::bytes)).orElseThrow();
    Path file = here.resolve(large.path());
    Files.createDirectories(file.getParent());
    Path part = file.resolveSibling("." + file.getFileName() + ".part");
    byte[] bytes = service.bytes("/v1/jobs/" + job.id() + "/artifacts/" + large.path()).body();
    Files.write(part, Arrays.copyOf(bytes, bytes.length / 2));
    Artifact small =
        artifacts.stream().min(Comparator.comparingLong(Artifact::bytes)).orElseThrow();
    Path wrong = here.resolve(small.path());
    Files.createDirectories(wrong.getParent());
    Files.writeString(wrong.resolveSibling("." + wrong.getFileName() + ".part"), "x");

    client.fetch(job.id(), here, false, (_, _) -> {});

    for (Artifact artifact : artifacts) {
      Path brought = here.resolve(artifact.path());
      assertThat(Sha256.of(brought)).as(artifact.path()).isEqualTo(artifact.sha256());
      assertThat(Files.readAllBytes(brought))
          .isEqualTo(
              service.bytes("/v1/jobs/" + job.id() + "/artifacts/" + artifact.path()).body());
    }
    try (var files = Files.walk(here)) {
      assertThat(files.filter(Files::isRegularFile)).hasSize(artifacts.size());
    }
    Files.writeString(file, "mine");
    assertThatExceptionOfType(OtherFile.class)
        .isThrownBy(() -> client.fetch(job.id(), here, false, (_, _) -> {}));
    assertThat(file).hasContent("mine");
    client.fetch(job.id(), here, true, (_, _) -> {});
    assertThat(Sha256.of(file)).isEqualTo(large.sha256());
  }

  @Test
  void aServerThatIsStartedAgainInMidJobDoesNotEndTheClient() throws Exception {
    String id = submit(20).id();
    CountDownLatch begun = new CountDownLatch(1);
    List<String> seen = new ArrayList<>();
    Thread following =
        Thread.startVirtualThread(() -> {
          try {
            client.follow(
                id,
                event -> {
                  String name = event.get("event").asString();
                  if (name.equals("started")) {
                    begun.countDown();
                  }
                  seen.add(name);
                  return !event.path("state").asString("").equals("done");
                });
          } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
          }
        });
    assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
    service.close();
    service = service.again(directory);
    assertThat(following.join(Duration.ofMinutes(2))).isTrue();
    assertThat(seen).endsWith("state").contains("reset", "planned");
    assertThat(client.job(id).state()).isEqualTo(JobState.DONE);
  }

  @Test
  void aServiceThatIsNotThereIsGivenUpAtOnceWithASentence() {
    ServiceAddress address = address();
    service.close();
    try (ServiceClient other = ServiceClient.open(address, Optional.empty(), PATIENCE)) {
      assertThatExceptionOfType(ServiceException.Unreachable.class)
          .isThrownBy(() -> other.jobs(Map.of()))
          .withMessageContaining("No service answers at " + address)
          .withMessageContaining("fairlead serve");
    }
  }

  @Test
  void whatIsRefusedIsSaidInTheWordsOfTheService() {
    assertThatExceptionOfType(ServiceException.Refused.class)
        .isThrownBy(() -> client.job("none"))
        .withMessage("There is no job none")
        .matches(refused -> refused.status() == 404);
    assertThatExceptionOfType(ServiceException.Refused.class)
        .isThrownBy(() -> client.jobs(Map.of("state", "lost")))
        .withMessageContaining("it can be queued, running");
  }

  @Test
  void jobsAreListedAndActedOn() throws Exception {
    String id = submit(20).id();
    assertThat(client.act(id, ServiceClient.Action.PAUSE).id()).isEqualTo(id);
    follow(id, JobState.PAUSED);
    assertThat(client.jobs(Map.of("state", "paused", "limit", "1")).jobs())
        .extracting(JobView::id)
        .containsExactly(id);
    client.act(id, ServiceClient.Action.CANCEL);
    follow(id, JobState.CANCELLED);
    client.delete(id);
    assertThat(client.jobs(Map.of()).jobs()).isEmpty();
  }
}
