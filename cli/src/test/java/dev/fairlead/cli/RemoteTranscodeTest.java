package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.json.JsonEvents;
import dev.fairlead.media.prepare.SourceTools;
import dev.fairlead.service.client.ServiceAddress;
import dev.fairlead.service.client.ServiceClient;
import dev.fairlead.service.file.Sha256;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Commands that have a service do the work. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class RemoteTranscodeTest {
  @TempDir private static Path shared;
  @TempDir private Path directory;
  private static TestingServe serve;

  @BeforeAll
  static void start() throws Exception {
    SourceTools.makeClip(shared.resolve("talk.mp4"), 4, 160, 90);
    SourceTools.makeClip(shared.resolve("film.mp4"), 60, 160, 90);
    Path root = Files.createDirectories(shared.resolve("root"));
    Files.copy(shared.resolve("talk.mp4"), root.resolve("seen.mp4"));
    serve = TestingServe.start(shared.resolve("data"), "127.0.0.1:0", "--root", root.toString());
  }

  @AfterAll
  static void stop() {
    serve.close();
  }

  private static List<Object> arguments(Path input, Path output, Object... more) {
    List<Object> all =
        new ArrayList<>(
            List.of("transcode", input, "-o", output, "--ladder", "160x90", "--preset", "12"));
    all.addAll(List.of(more));
    return all;
  }

  private static TestingCommand run(Path input, Path output, Object... more) {
    return TestingCommand.run(arguments(input, output, more).toArray());
  }

  private static SortedMap<String, String> hashes(Path output) throws IOException {
    SortedMap<String, String> hashes = new TreeMap<>();
    try (Stream<Path> files = Files.walk(output)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String name = output.relativize(file).toString();
        if (!name.startsWith(".fairlead")) {
          hashes.put(name, Sha256.of(file));
        }
      }
    }
    return hashes;
  }

  @Test
  void aPackageFromAServiceIsThatOfATranscodeHere() throws Exception {
    Path sent = directory.resolve("sent");
    TestingCommand remote =
        run(shared.resolve("talk.mp4"), sent, "--at", serve.address(), "--json");
    assertThat(remote.code()).as(remote.err()).isZero();
    Path here = directory.resolve("here");
    TestingCommand local = run(shared.resolve("talk.mp4"), here, "--devices", "cpu:2", "--json");
    assertThat(hashes(sent)).isEqualTo(hashes(here)).isNotEmpty();

    List<JsonNode> events = remote.out().lines().map(JsonEvents.JSON::readTree).toList();
    List<JsonNode> expected = local.out().lines().map(JsonEvents.JSON::readTree).toList();
    assertThat(events.stream().map(each -> each.get("event").asString()))
        .contains("planned", "started", "committed", "segment", "rung")
        .endsWith("finished");
    JsonNode last = events.getLast();
    assertThat(last.propertyNames()).containsAll(expected.getLast().propertyNames());
    assertThat(last.get("output").asString()).isEqualTo(sent.toString());
    assertThat(last.get("rungs").get(0).get("manifest").asString())
        .isEqualTo(sent.resolve("90p/index.m3u8").toString());
    assertThat(planned(events).get("input")).isEqualTo(planned(expected).get("input"));

    Path seen = directory.resolve("seen");
    TestingCommand below = run(shared.resolve("root/seen.mp4"), seen, "--at", serve.url());
    assertThat(below.code()).as(below.err()).isZero();
    assertThat(below.err()).doesNotContain("is sent").contains("becomes 90p");
    assertThat(below.out()).contains("Look at " + seen.resolve("master.m3u8"));
    assertThat(hashes(seen)).isEqualTo(hashes(here));
  }

  private static JsonNode planned(List<JsonNode> events) {
    return events.stream()
        .filter(event -> event.get("event").asString().equals("planned"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void whatFailsAtAServiceFailsWithTheSameCode() throws Exception {
    Path noise = Files.writeString(directory.resolve("noise.mp4"), "this is no video");
    Path output = directory.resolve("out");
    TestingCommand here = run(noise, output, "--devices", "cpu:2");
    TestingCommand there = run(noise, directory.resolve("other"), "--at", serve.url(), "--json");
    assertThat(there.code()).isEqualTo(here.code()).isEqualTo(3);
    JsonNode last = JsonEvents.JSON.readTree(there.out().lines().toList().getLast());
    assertThat(last.get("status").asString()).isEqualTo("failed");
    assertThat(last.get("exitCode").asInt()).isEqualTo(3);
    TestingCommand absent = run(directory.resolve("absent.mp4"), output, "--at", serve.url());
    assertThat(absent.code()).isEqualTo(3);
    assertThat(absent.err()).contains("is not there");
  }

  @Test
  void severalInputsEachHaveAnEnd() throws Exception {
    Path noise = Files.writeString(directory.resolve("noise.mp4"), "this is no video");
    TestingCommand both =
        TestingCommand.run(
            "transcode",
            shared.resolve("talk.mp4"),
            noise,
            "-o",
            directory.resolve("out"),
            "--ladder",
            "160x90",
            "--at",
            serve.url());
    assertThat(both.code()).isEqualTo(3);
    assertThat(both.out()).contains("talk.mp4", "noise.mp4", "failed", "1 of 2 done");
    assertThat(directory.resolve("out/talk/master.m3u8")).exists();
  }

  @Test
  void optionsThatTheServiceDecidesAreRefused() {
    Path talk = shared.resolve("talk.mp4");
    TestingCommand devices =
        run(talk, directory.resolve("out"), "--at", serve.url(), "--devices", "cpu");
    assertThat(devices.code()).isEqualTo(2);
    assertThat(devices.err()).contains("--devices is for a transcode of this machine");
    TestingCommand address = run(talk, directory.resolve("out"), "--at", "nowhere");
    assertThat(address.code()).isEqualTo(2);
    assertThat(address.err()).contains("--at").contains("HOST:PORT");
  }

  @Test
  void aServiceThatIsNotThereIsSaid() {
    TestingCommand gone =
        run(shared.resolve("talk.mp4"), directory.resolve("out"), "--at", "127.0.0.1:1");
    assertThat(gone.code()).isEqualTo(6);
    assertThat(gone.err()).contains("No service answers at http://127.0.0.1:1");
    TestingCommand jobs = TestingCommand.run("jobs", "--at", "127.0.0.1:1");
    assertThat(jobs.code()).isEqualTo(6);
    assertThat(jobs.err()).contains("No service answers");
  }

  @Test
  void stoppedItPausesTheJobAndTheSameCommandHasItGoOn() throws Exception {
    List<String> command =
        arguments(
                shared.resolve("film.mp4"), directory.resolve("out"), "--at", serve.url(), "--json")
            .stream()
            .map(Object::toString)
            .toList();
    Process process = TestingServe.process(command).start();
    String id;
    try (BufferedReader lines = process.inputReader()) {
      String line = lines.readLine();
      while (!line.contains("\"started\"")) {
        line = lines.readLine();
      }
      id = JsonEvents.JSON.readTree(line).get("job").asString();
      // As Ctrl-C does it, which a process ignores whose own parent was started to ignore it.
      new ProcessBuilder("kill", "-TERM", String.valueOf(process.pid())).start().waitFor();
      String last = line;
      while (line != null) {
        last = line;
        line = lines.readLine();
      }
      assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
      assertThat(process.exitValue()).isEqualTo(143);
      JsonNode end = JsonEvents.JSON.readTree(last);
      assertThat(end.get("status").asString()).isEqualTo("cancelled");
      assertThat(end.get("error").asString()).contains("is paused at the service");
    } finally {
      process.destroyForcibly();
    }

    TestingCommand show = TestingCommand.run("job", "show", id, "--at", serve.url());
    assertThat(show.code()).as(show.err()).isZero();
    assertThat(show.out()).contains(id, "film.mp4", "default, priority normal");
    TestingCommand json = TestingCommand.run("jobs", "--at", serve.url(), "--json");
    assertThat(JsonEvents.JSON.readTree(json.out()).get("jobs").toString()).contains(id);
    TestingCommand early = TestingCommand.run("job", "delete", id, "--at", serve.url());
    assertThat(early.code()).isEqualTo(2);
    assertThat(early.err()).contains("cannot be removed; cancel it first");

    TestingCommand again = TestingCommand.run(command.toArray());
    assertThat(again.code()).as(again.err()).isZero();
    assertThat(again.out().lines().map(JsonEvents.JSON::readTree))
        .filteredOn(event -> event.has("job")) // before there is one, its file is sent
        .extracting(event -> event.get("job").asString())
        .containsOnly(id);
    assertThat(directory.resolve("out/master.m3u8")).exists();
    TestingCommand late = TestingCommand.run("job", "cancel", id, "--at", serve.url());
    assertThat(late.code()).isEqualTo(2);
    assertThat(late.err()).contains("is done already");
    TestingCommand list = TestingCommand.run("jobs", "--at", serve.url());
    assertThat(list.out()).contains("JOB", "STATE", id);
    TestingCommand delete = TestingCommand.run("job", "delete", id, "--at", serve.url());
    assertThat(delete.code()).as(delete.err()).isZero();
    TestingCommand unknown = TestingCommand.run("job", "show", "x", "--at", serve.url());
    assertThat(unknown.code()).isEqualTo(2);
    assertThat(unknown.err()).contains("There is no job x");
    assertThat(TestingCommand.run("jobs", "--state", "lost", "--at", serve.url()).err())
        .contains("it can be queued");
  }

  @Test
  @Timeout(value = 2, unit = TimeUnit.MINUTES)
  void aJobThatIsAboutToPauseGoesOnWithTheSameCommand() throws Exception {
    Path slow = directory.resolve("slow.mp4");
    SourceTools.makeClip(slow, 12, 640, 360);
    Object[] command = {
      "transcode",
      slow,
      "-o",
      directory.resolve("out"),
      "--ladder",
      "640x360",
      "--preset",
      "6",
      "--at",
      serve.url()
    };
    AtomicReference<TestingCommand> stopped = new AtomicReference<>();
    Thread first = Thread.ofVirtual().start(() -> stopped.set(TestingCommand.run(command)));
    try (ServiceClient client =
        ServiceClient.open(
            ServiceAddress.parse(serve.url()), Optional.empty(), Duration.ofSeconds(30))) {
      client.followAll(event -> !isBegun(event));
    }
    first.interrupt();
    assertThat(first.join(Duration.ofMinutes(1))).isTrue();
    assertThat(stopped.get().code()).isEqualTo(130);
    // Its chunks of now are not done yet, so it runs still.
    TestingCommand again = TestingCommand.run(command);
    assertThat(again.code()).as(again.err()).isZero();
  }

  /** Whether the slow job encodes; the state of others may be told before. */
  private static boolean isBegun(JsonNode event) {
    return event.path("event").asString("").equals("started")
        && event.path("rung").asString("").equals("360p");
  }
}
