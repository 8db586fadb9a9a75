package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Discovery;
import dev.fairlead.media.job.JobOptions;
import dev.fairlead.media.job.TranscodeException;
import dev.fairlead.media.job.TranscodeListener;
import dev.fairlead.media.json.JsonEvents;
import dev.fairlead.media.local.JobOrder;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.media.prepare.SourceTools;
import dev.fairlead.pool.DevicePool;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Several inputs of one command. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class JobsCommandTest {
  @TempDir private static Path shared;
  @TempDir private Path directory;
  private static final List<Path> CLIPS = new ArrayList<>();

  @BeforeAll
  static void makeClips() throws InterruptedException {
    for (String name : List.of("one.mp4", "two.mp4", "three.mp4")) {
      Path clip = shared.resolve(name);
      SourceTools.makeClip(clip, 7, 320, 180);
      CLIPS.add(clip);
    }
  }

  private static List<String> arguments(Path output, String... more) {
    List<String> all = new ArrayList<>(List.of("transcode"));
    CLIPS.forEach(clip -> all.add(clip.toString()));
    all.addAll(List.of("-o", output.toString(), "--ladder", "160x90", "--devices", "cpu:2"));
    all.addAll(List.of("--preset", "12", "--min-free", "1m"));
    all.addAll(List.of(more));
    return all;
  }

  private static SortedMap<String, String> hashes(Path output) throws Exception {
    SortedMap<String, String> hashes = new TreeMap<>();
    try (Stream<Path> files = Files.walk(output)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (!file.toString().contains(".fairlead")) {
          byte[] hash = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
          hashes.put(output.relativize(file).toString(), HexFormat.of().formatHex(hash));
        }
      }
    }
    return hashes;
  }

  private static Process start(List<String> arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path", "").replace("\"", ""),
                Main.class.getName()));
    command.addAll(arguments);
    return new ProcessBuilder(command)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .directory(new File("."))
        .start();
  }

  /** Ends a run by a signal once every job has committed a chunk, or is over. */
  private static int interrupted(Path output, String signal) throws Exception {
    Process process = start(arguments(output, "--json"));
    List<ProcessHandle> workers;
    try (BufferedReader lines = process.inputReader()) {
      Set<String> begun = new HashSet<>();
      while (begun.size() < CLIPS.size()) {
        String line = lines.readLine();
        assertThat(line).as("jobs that have begun: %s", begun).isNotNull();
        JsonNode event = JsonEvents.JSON.readTree(line);
        if (Set.of("committed", "finished").contains(event.get("event").asString())) {
          begun.add(event.get("job").asString());
        }
      }
      workers = process.descendants().toList();
      new ProcessBuilder("kill", "-" + signal, String.valueOf(process.pid())).start().waitFor();
      lines.lines().forEach(line -> {});
    }
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    for (ProcessHandle worker : workers) {
      worker.onExit().get(20, TimeUnit.SECONDS);
    }
    return process.exitValue();
  }

  @Test
  void stoppedOrKilledWithSeveralInputsInFlightTheSameCommandGoesOn() throws Exception {
    Path output = directory.resolve("out");
    assertThat(interrupted(output, "INT")).isIn(130, 0);
    interrupted(output, "KILL");
    TestingCommand rest = TestingCommand.run(arguments(output).toArray());
    assertThat(rest.code()).as(rest.err()).isZero();
    assertThat(rest.out()).contains("one.mp4", "two.mp4", "three.mp4", "3 of 3 done");

    Path calm = directory.resolve("calm");
    assertThat(TestingCommand.run(arguments(calm).toArray()).code()).isZero();
    assertThat(hashes(output)).hasSizeGreaterThan(9).isEqualTo(hashes(calm));
  }

  @Test
  void oneThatFailsDoesNotStopTheOthersAndEventsCarryTheirJob() throws IOException {
    Path broken = Files.writeString(directory.resolve("broken.mp4"), "no video");
    Path absent = directory.resolve("absent.mp4");
    Path output = directory.resolve("out");
    Path trace = directory.resolve("trace.json");
    Path report = directory.resolve("report.html");
    TestingCommand run =
        TestingCommand.run(
            "transcode",
            broken,
            CLIPS.getFirst(),
            absent,
            "-o",
            output,
            "--ladder",
            "160x90",
            "--devices",
            "cpu:1",
            "--min-free",
            "1m",
            "--jobs",
            "1",
            "--json",
            "--trace",
            trace,
            "--report",
            report);
    assertThat(run.code()).as(run.err()).isEqualTo(3);
    List<JsonNode> events = run.out().lines().map(JsonEvents.JSON::readTree).toList();
    JsonNode last = events.getLast();
    assertThat(last.get("event").asString()).isEqualTo("jobs");
    assertThat(last.get("exitCode").asInt()).isEqualTo(3);
    assertThat(last.get("jobs").get(0).get("state").asString()).isEqualTo("failed");
    assertThat(last.get("jobs").get(1).get("state").asString()).isEqualTo("done");
    assertThat(events.subList(0, events.size() - 1))
        .allSatisfy(event -> assertThat(event.get("job").asString()).hasSize(21));
    assertThat(events)
        .filteredOn(event -> event.get("event").asString().equals("finished"))
        .extracting(event -> event.get("job"))
        .as("each end is told when it comes, not in the order of the inputs")
        .first()
        .isEqualTo(last.get("jobs").get(2).get("job"));
    assertThat(output.resolve("one/master.m3u8")).exists();

    assertThat(Files.readString(report))
        .contains("3 jobs", "1 done, 2 failed", "broken.mp4", "one.mp4", "absent.mp4");
    JsonNode about = JsonEvents.JSON.readTree(Files.readString(trace)).get("otherData");
    assertThat(about.get("jobs").valueStream())
        .extracting(job -> job.get("state").asString())
        .containsExactly("failed", "done", "failed");
  }

  @ParameterizedTest
  @CsvSource({"--jobs, 0, less than one", "--priority, soon, low"})
  void whatMakesNoSenseIsSaidBeforeAnyWork(String option, String value, String words) {
    TestingCommand run =
        TestingCommand.run(arguments(directory.resolve("out"), option, value).toArray());
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains(words);
    assertThat(directory.resolve("out")).doesNotExist();
  }

  @Test
  void theLastEventOfOneThatFailsHasWhatItHadDone() {
    StringWriter out = new StringWriter();
    try (DevicePool pool = DevicePool.open(Discovery.find("cpu:1"));
        JobsDisplay display = JobsDisplay.json(new PrintWriter(out))) {
      JobOptions options = JobOptions.usual(pool);
      JobOrder fails = JobOrder.of(TranscodeRequest.of(CLIPS.get(0), directory), options);
      JobOrder other = JobOrder.of(TranscodeRequest.of(CLIPS.get(1), directory), options);
      display.of(fails).on(new TranscodeListener.Event.Progress(1, List.of(), List.of(), 60));
      display.of(other).on(new TranscodeListener.Event.Progress(2, List.of(), List.of(), 90));
      TranscodeException failure = new TranscodeException.GaveUp("no more");
      display.failed(JobsDisplay.End.failed(fails, 4, failure), 3, failure);
    }
    JsonNode last = JsonEvents.JSON.readTree(out.toString().lines().toList().getLast());
    assertThat(last.get("event").asString()).isEqualTo("finished");
    assertThat(last.get("sourceFramesDecoded").asLong()).isEqualTo(60);
    assertThat(last.get("rungs").isArray()).isTrue();
    assertThat(last.get("devices").isArray()).isTrue();
  }

  @Test
  void theWorstEndIsTheExitCode() {
    assertThat(JobsRun.worst(List.of(0, 2, 3))).isEqualTo(3);
    assertThat(JobsRun.worst(List.of(5, 6, 4))).isEqualTo(6);
    assertThat(JobsRun.worst(List.of(6, 1, 5))).isEqualTo(1);
    assertThat(JobsRun.worst(List.of(1, 130, 6))).isEqualTo(130);
    assertThat(JobsRun.worst(List.of(0, 0))).isZero();
  }
}
