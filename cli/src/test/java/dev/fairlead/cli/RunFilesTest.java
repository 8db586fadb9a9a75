package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.media.job.TranscodeException;
import dev.fairlead.media.job.TranscodeListener.Encoded;
import dev.fairlead.media.job.TranscodeListener.Event;
import dev.fairlead.media.job.TranscodeListener.RungProgress;
import dev.fairlead.media.job.TranscodeListener.Status;
import dev.fairlead.media.json.JsonEvents;
import dev.fairlead.media.plan.LadderSpec;
import dev.fairlead.media.plan.MemoryParts;
import dev.fairlead.media.plan.TranscodePlan;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.media.records.JobId;
import dev.fairlead.media.report.JobRecording;
import dev.fairlead.media.report.Recording;
import dev.fairlead.media.report.ReportPage;
import dev.fairlead.media.report.RunOrigin;
import dev.fairlead.media.report.TraceFile;
import dev.fairlead.media.source.Colour;
import dev.fairlead.media.source.Mastering;
import dev.fairlead.media.source.MediaInfo;
import dev.fairlead.media.source.Rational;
import dev.fairlead.media.source.Turn;
import dev.fairlead.media.source.VideoTrack;
import dev.fairlead.media.store.UnitId;
import dev.fairlead.nativecode.WindowSize;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What is told about a run afterwards and meanwhile, of events made by hand. */
class RunFilesTest {
  static final RunOrigin ORIGIN =
      new RunOrigin("fairlead transcode '<b>.mp4' -o out", "fairlead 1", "1 January 2030");

  private static final String HOSTILE = "<script>alert('1')<script> {{chunks}} & \".mp4";
  private static final Device ONE = Device.of(DeviceKind.CPU, 0);
  private static final Device TWO = Device.of(DeviceKind.CPU, 1);
  private static final UnitId UNIT = new UnitId("180p", 0);

  private final TranscodePlan plan = plan();
  private final List<Event> events =
      List.of(
          new Event.Planned(plan, List.of(ONE, TWO), 0, new MemoryParts(1L << 30, 0, 0, 0, 0)),
          new Event.Started(1, UNIT, ONE, 1),
          new Event.Requeued(2, UNIT, ONE, "\"<b>\" \033[2J failed"),
          new Event.Started(2, UNIT, TWO, 2),
          new Event.Started(2.5, UNIT, ONE, 2.5),
          new Event.Committed(4, UNIT, TWO, new Encoded(50, 4_000, 2, 1.5)),
          new Event.Started(3.9, UNIT, ONE, 3.9),
          new Event.Noticed(4, "<img src=x onerror=alert(1)>"),
          new Event.Progress(
              5,
              List.of(new RungProgress("180p", Status.RUNNING, 0.5, 50, 1, 0, 4_000, 10, 5)),
              List.of(),
              50));

  static TranscodePlan plan() {
    VideoTrack video =
        new VideoTrack(
            0,
            "h264",
            320,
            180,
            new Rational(1, 1),
            Turn.NONE,
            new Rational(1, 25),
            new Rational(25, 1),
            0,
            100,
            8,
            Colour.unspecified(),
            false,
            Mastering.none(),
            12);
    return TranscodePlan.of(
        new MediaInfo("mp4", 4, 1_000, video, List.of(), List.of()),
        TranscodeRequest.of(Path.of(HOSTILE), Path.of("out"))
            .withLadder(LadderSpec.parse("320x180")));
  }

  private Recording recording() {
    return recording(events);
  }

  /** Of one job. */
  static Recording recording(List<Event> events) {
    Recording recording = new Recording();
    JobRecording job = recording.add(new JobRecording("one", HOSTILE, 0));
    events.forEach(job::on);
    return recording;
  }

  @Test
  void eachAttemptHasOneEnd() {
    assertThat(recording().attempts())
        .extracting(drawn -> drawn.attempt().device() + " " + drawn.attempt().ending())
        .containsExactly("cpu:0 FAILED", "cpu:1 COMMITTED", "cpu:0 OVERTAKEN");
    assertThat(recording().attempts()).allMatch(drawn -> drawn.lane() == 0);
  }

  @Test
  void whatIsToldLateDoesNotLookLikeASecondSession() {
    UnitId next = new UnitId("180p", 1);
    Recording recording =
        recording(
            List.of(
                new Event.Started(1.1, UNIT, ONE, 1.1),
                new Event.Started(2.05, next, ONE, 2.05),
                new Event.Committed(2.2, UNIT, ONE, new Encoded(50, 4_000, 1, 1)),
                new Event.Committed(3.2, next, ONE, new Encoded(50, 4_000, 2.01, 1))));

    assertThat(recording.attempts()).hasSize(2).allMatch(drawn -> drawn.lane() == 0);
  }

  @Test
  void theAttemptThatDiedWithItsWorkerIsDrawn() {
    Recording recording =
        recording(
            List.of(
                new Event.Planned(
                    plan, List.of(ONE, TWO), 0, new MemoryParts(1L << 30, 0, 0, 0, 0)),
                new Event.Started(1, UNIT, ONE, 1),
                new Event.Noticed(3, "A worker died; started again", List.of(UNIT)),
                new Event.Started(4, UNIT, TWO, 1),
                new Event.Committed(8, UNIT, TWO, new Encoded(50, 4_000, 4, 3.5))));

    assertThat(recording.attempts())
        .extracting(
            drawn -> drawn.attempt().device(),
            drawn -> drawn.attempt().ending(),
            drawn -> drawn.attempt().span())
        .containsExactly(
            tuple(ONE, JobRecording.Ending.DIED, new JobRecording.Span(1, 3)),
            tuple(TWO, JobRecording.Ending.COMMITTED, new JobRecording.Span(4, 7.5)));
    assertThat(ReportPage.of(recording, ORIGIN))
        .contains("bar died", "its worker died", "<td>its worker died</td>");
  }

  @Test
  void theReportShowsHostileNamesAsText() {
    String page = ReportPage.of(recording(), ORIGIN);

    assertThat(page)
        .contains("&lt;script&gt;alert(&#39;1&#39;)&lt;script&gt; {{chunks}} &amp; &quot;.mp4")
        .contains("&lt;img src=x onerror=alert(1)&gt;")
        .doesNotContain("<script", "<img", "<b>", "http://", "https://", "src=\"");
  }

  @Test
  void theTraceHasATrackForEachDeviceAndASliceForEachAttempt() {
    JsonNode trace = JsonEvents.JSON.readTree(TraceFile.of(recording()));

    List<JsonNode> slices =
        trace
            .get("traceEvents")
            .valueStream()
            .filter(e -> e.get("ph").asString().equals("X"))
            .toList();
    assertThat(slices)
        .extracting(slice -> slice.get("args").get("outcome").asString())
        .containsExactly("failed", "committed", "overtaken");
    assertThat(slices.get(1).get("ts").asLong()).isEqualTo(2_000_000);
    assertThat(slices.get(1).get("dur").asLong()).isEqualTo(1_500_000);
    assertThat(trace.get("traceEvents").valueStream())
        .filteredOn(event -> event.get("name").asString().equals("thread_name"))
        .hasSize(2);
  }

  @Test
  void theLiveScreenDrawsBarsAndLanesInPlaceAndObeysNoName() {
    StringWriter screen = new StringWriter();
    LiveDisplay display =
        new LiveDisplay(new PrintWriter(screen), false, () -> new WindowSize(80, 24));
    events.forEach(display::on);
    display.close();

    assertThat(screen.toString())
        .containsPattern("180p     \\[#+\\.+\\]  50 %   10.0 fps")
        .contains("cpu:0    waits", "0 chunks, 1 failed", "cpu:1    waits", "1 chunk\n")
        .contains("\r\033[4A\033[J")
        .doesNotContain("\033[H");
  }

  @Test
  void noticesOfTheLiveScreenAreBrokenBetweenWords() {
    StringWriter screen = new StringWriter();
    LiveDisplay display =
        new LiveDisplay(new PrintWriter(screen), false, () -> new WindowSize(40, 24));
    display.on(new Event.Noticed(1, "The worker process ended with 1; it is started again, alone"));

    assertThat(screen.toString().lines())
        .contains("The worker process ended with 1; it is", "started again, alone");
  }

  @Test
  void aRunThatWasCancelledHasNotFailed() {
    StringWriter out = new StringWriter();
    JobId job = JobId.create();
    try (Display display = Display.json(new PrintWriter(out), job)) {
      display.failed(3, new TranscodeException.Cancelled());
    }

    JsonNode finished = JsonEvents.JSON.readTree(out.toString());
    assertThat(finished.get("status").asString()).isEqualTo("cancelled");
    assertThat(finished.get("exitCode").asInt()).isEqualTo(130);
    assertThat(finished.get("job").asString()).isEqualTo(job.value());
    assertThat(finished.has("error")).isFalse();
  }

  @Test
  void plainLinesHaveNoControlCharacters() {
    StringWriter err = new StringWriter();
    PlainDisplay display = new PlainDisplay(new PrintWriter(err), new PrintWriter(err));
    events.forEach(display::on);

    assertThat(err.toString())
        .contains("180p/000000 failed on cpu:0 and is encoded again")
        .contains("5.00 s  180p 50 % at 10.0 fps")
        .doesNotContain("\033");
  }
}
