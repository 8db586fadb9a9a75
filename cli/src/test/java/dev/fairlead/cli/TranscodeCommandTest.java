package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.json.JsonEvents;
import dev.fairlead.media.prepare.SourceTools;
import dev.fairlead.media.source.AudioTrack;
import dev.fairlead.media.source.MediaInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Real transcodes of a small clip, through the command. */
class TranscodeCommandTest {
  private static final String LADDER = "320x180,160x90";
  private static final Set<String> EVENTS =
      Set.of(
          "planned",
          "assigned",
          "started",
          "committed",
          "requeued",
          "segment",
          "rung",
          "progress",
          "notice",
          "finished");

  @TempDir private static Path shared;
  @TempDir private Path directory;
  private static Path clip;

  @BeforeAll
  static void makeAClip() throws InterruptedException {
    clip = shared.resolve("clip.mp4");
    SourceTools.makeClip(clip, 3, 320, 180);
  }

  @Test
  void makesAPackageAndSaysWhatEachDeviceDid() {
    Path output = directory.resolve("out");

    TestingCommand run =
        TestingCommand.run(
            "transcode", clip, "-o", output, "--ladder", LADDER, "--devices", "cpu:2");

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("180p", "90p", "cpu:0", "cpu:1", "Look at " + output.resolve("master.m3u8"));
    assertThat(run.err()).contains("becomes 180p, 90p on cpu:0, cpu:1", "180p is complete");
    assertThat(output.resolve("master.m3u8")).exists();
    assertThat(output.resolve("180p/index.m3u8")).exists();
  }

  @Test
  void everyEventIsAJsonObjectOnALineAndTheLastIsFinished() throws IOException {
    Path trace = directory.resolve("trace.json");
    Path report = directory.resolve("report.html");

    TestingCommand run =
        TestingCommand.run(
            "transcode",
            clip,
            "-o",
            directory.resolve("out"),
            "--ladder",
            LADDER,
            "--devices",
            "cpu:2",
            "--json",
            "--trace",
            trace,
            "--report",
            report,
            "--chaos",
            "throw@1");

    assertThat(run.code()).as(run.err()).isZero();
    List<JsonNode> events = run.out().lines().map(JsonEvents.JSON::readTree).toList();
    assertThat(events)
        .allSatisfy(event -> {
          assertThat(EVENTS).contains(event.get("event").asString());
          assertThat(event.get("seconds").isNumber()).isTrue();
          assertThat(event.get("job")).isEqualTo(events.getFirst().get("job"));
        });
    assertThat(events.getFirst().get("job").asString()).hasSize(21);
    assertThat(events).extracting(event -> event.get("event").asString()).contains("requeued");
    assertThat(events.getFirst().get("memoryBytes").asLong())
        .isGreaterThan(events.getFirst().get("leastMemoryBytes").asLong());
    JsonNode last = events.getLast();
    assertThat(last.get("event").asString()).isEqualTo("finished");
    assertThat(last.get("status").asString()).isEqualTo("done");
    assertThat(last.get("sourceFramesDecoded").asLong()).isEqualTo(75);
    assertThat(last.has("leadInFrames")).isTrue();
    assertThat(last.get("makespanOverBound").asDouble()).isPositive();
    assertThat(last.get("busyShare").asDouble()).isPositive();
    assertThat(last.get("peakMemoryBytes").asLong()).isPositive();
    assertThat(last.get("rungs")).hasSize(2);
    JsonNode rung = last.get("rungs").get(0);
    assertThat(rung.get("name").asString()).isEqualTo("180p");
    assertThat(rung.get("width").asInt()).isEqualTo(320);
    assertThat(rung.get("height").asInt()).isEqualTo(180);
    assertThat(rung.get("frames").asLong()).isEqualTo(75);
    assertThat(rung.get("segments").asLong()).isPositive();
    assertThat(rung.get("bytes").asLong()).isPositive();
    JsonNode device = last.get("devices").get(0);
    assertThat(device.propertyNames())
        .contains("id", "chunks", "busySeconds", "failures", "health");
    assertThat(JsonEvents.JSON.readTree(Files.readString(trace)).get("traceEvents"))
        .hasSizeGreaterThan(6);
    assertThat(Files.readString(report)).contains("<svg", "clip.mp4", "Failures");
  }

  @Test
  void aWorkerThatWasStartedAgainIsToldWithItsReason() throws IOException {
    Path report = directory.resolve("report.html");

    TestingCommand run =
        TestingCommand.run(
            "transcode",
            clip,
            "-o",
            directory.resolve("out"),
            "--ladder",
            "160x90",
            "--devices",
            "cpu:1",
            "--chaos",
            "crash@1",
            "--report",
            report);

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("The worker was started again once: The worker process ended with");
    assertThat(Files.readString(report))
        .contains("1 worker restart<", "The worker process ended with")
        .containsOnlyOnce("bar died")
        .doesNotContain("bar overtaken", "bar stopped");
  }

  @Test
  void aDryRunPrintsThePlanAndWritesNothing() {
    Path output = directory.resolve("out");

    TestingCommand run =
        TestingCommand.run(
            "transcode", clip, "-o", output, "--ladder", LADDER, "--devices", "cpu:2", "--dry-run");

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("180p", "320x180", "about 2 a rung", "cpu:0, cpu:1", "aac copied", "at least");
    assertThat(output).doesNotExist();
  }

  @Test
  void tooLittleMemoryIsRefusedWithTheFigureThatIsNeeded() {
    Path output = directory.resolve("out");

    TestingCommand run =
        TestingCommand.run(
            "transcode",
            clip,
            "-o",
            output,
            "--ladder",
            LADDER,
            "--devices",
            "cpu:2",
            "--memory",
            "10m");

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err())
        .containsPattern("needs \\d+(\\.\\d)? MiB of memory, 10 MiB may be used; raise --memory");
    assertThat(output.resolve("master.m3u8")).doesNotExist();
  }

  @Test
  void severalInputsGoToADirectoryEachAndOneThatIsBrokenDoesNotStopTheOthers() throws IOException {
    Path broken = Files.writeString(directory.resolve("broken.mp4"), "no video");
    Path output = directory.resolve("out");

    TestingCommand run =
        TestingCommand.run(
            "transcode", broken, clip, "-o", output, "--ladder", "160x90", "--devices", "cpu:1");

    assertThat(run.code()).isEqualTo(3);
    assertThat(run.err()).contains("broken.mp4");
    assertThat(output.resolve("clip/master.m3u8")).exists();
    assertThat(output.resolve("broken/master.m3u8")).doesNotExist();
  }

  @Test
  void aModelThatCannotBeReadIsSaidBeforeAnyWorkIfItWasAskedFor() throws IOException {
    Path model = Files.writeString(directory.resolve("costs"), "garbage");
    Path output = directory.resolve("out");

    TestingCommand run = TestingCommand.run("transcode", clip, "-o", output, "--model", model);

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains(model + " line 1");
    assertThat(output).doesNotExist();
  }

  @Test
  void aFailureIsTheLastEventToo() {
    TestingCommand run =
        TestingCommand.run(
            "transcode", directory.resolve("none.mp4"), "-o", directory.resolve("out"), "--json");

    assertThat(run.code()).isEqualTo(3);
    JsonNode last = JsonEvents.JSON.readTree(run.out().lines().toList().getLast());
    assertThat(last.get("event").asString()).isEqualTo("finished");
    assertThat(last.get("status").asString()).isEqualTo("failed");
    assertThat(last.get("exitCode").asInt()).isEqualTo(3);
    assertThat(directory.resolve("out")).doesNotExist();
  }

  /** A rung on one lane, with events. */
  private TestingCommand withChaos(String chaos) {
    return TestingCommand.run(
        "transcode",
        clip,
        "-o",
        directory.resolve("out"),
        "--ladder",
        "160x90",
        "--devices",
        "cpu:1",
        "--json",
        "--chaos",
        chaos);
  }

  @Test
  void givesUpWithFiveWhenAChunkFailsEverywhere() {
    TestingCommand run = withChaos("crash@0x*");

    assertThat(run.code()).isEqualTo(5);
    assertThat(run.err()).contains("90p/000000");
    assertThat(directory.resolve("out/master.m3u8")).doesNotExist();
  }

  @Test
  void aRunThatFailsSaysWhatItHasDone() {
    TestingCommand run = withChaos("throw@1x*");

    assertThat(run.code()).isEqualTo(5);
    JsonNode last = JsonEvents.JSON.readTree(run.out().lines().toList().getLast());
    assertThat(last.get("status").asString()).isEqualTo("failed");
    JsonNode rung = last.get("rungs").get(0);
    assertThat(rung.get("name").asString()).isEqualTo("90p");
    assertThat(rung.get("frames").asInt()).as("of chunk 0").isPositive();
    JsonNode device = last.get("devices").get(0);
    assertThat(device.get("chunks").asInt()).isEqualTo(1);
    assertThat(device.get("failures").asInt()).isPositive();
  }

  @Test
  void probeShowsTheTracks() {
    TestingCommand run = TestingCommand.run("probe", clip);

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out()).contains("h264", "320x180", "25 fps", "aac", "48000 Hz, stereo");
    JsonNode json = JsonEvents.JSON.readTree(TestingCommand.run("probe", clip, "--json").out());
    assertThat(json.get("video").get("width").asInt()).isEqualTo(320);
    assertThat(json.get("seconds").asDouble()).isBetween(2.9, 3.1);
  }

  @Test
  void whatAFileSaysIsNoCommandToATerminal() throws Exception {
    MediaInfo info = SourceTools.inspect(clip);
    AudioTrack track = info.audio().getFirst();
    String hostile = "\u001b]0;owned\u0007 \u009b31m red \u202e back";
    AudioTrack titled =
        new AudioTrack(
            track.stream(),
            track.codec(),
            track.channels(),
            track.layout(),
            track.sampleRate(),
            track.timeBase(),
            track.start(),
            "en\u001b[2J",
            hostile,
            track.preferred());
    MediaInfo titledInfo =
        new MediaInfo(
            info.format(),
            info.seconds(),
            info.bytes(),
            info.video(),
            List.of(titled),
            info.subtitles());

    assertThat(ProbeCommand.table(Path.of("a\u001b[2J.mp4"), titledInfo))
        .contains("owned", "red")
        .doesNotContainPattern("[\\p{Cc}\\u202e&&[^\n]]");
    assertThat(TestingCommand.run("probe", directory.resolve("a\u001b[2J.mp4")).err())
        .hasLineCount(1)
        .doesNotContain("\u001b");
  }

  @Test
  void probeEndsWithThreeForWhatIsNoVideo() throws IOException {
    Path text = Files.writeString(directory.resolve("notes.txt"), "no video");

    TestingCommand run = TestingCommand.run("probe", text);

    assertThat(run.code()).isEqualTo(3);
    assertThat(run.err()).hasLineCount(1).contains("notes.txt");
  }

  @Test
  void theDemoMakesAPackageAndAReport() {
    TestingCommand run =
        TestingCommand.run("demo", "-o", directory, "--seconds", "1", "--devices", "cpu:2");

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out()).contains("540p", "360p", "180p", "cpu:0", "Look at ", "report.html");
    assertThat(directory.resolve("hls/master.m3u8")).exists();
    assertThat(directory.resolve("report.html")).exists();
  }
}
