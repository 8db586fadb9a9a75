package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.media.job.TranscodeListener.Encoded;
import dev.fairlead.media.job.TranscodeListener.Event;
import dev.fairlead.media.json.JsonEvents;
import dev.fairlead.media.plan.MemoryParts;
import dev.fairlead.media.report.JobRecording;
import dev.fairlead.media.report.Recording;
import dev.fairlead.media.report.ReportPage;
import dev.fairlead.media.report.TraceFile;
import dev.fairlead.media.store.UnitId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What is told about several jobs afterwards. */
class RecordingTest {
  private static final Device ONE = Device.of(DeviceKind.CPU, 0);
  private static final Device TWO = Device.of(DeviceKind.CPU, 1);

  @TempDir private Path directory;

  /** A job that encodes chunks of one second each, one after the other, from a second on. */
  private static JobRecording job(String name, double begun, Device device, int chunks) {
    JobRecording job = new JobRecording("id of " + name, name, begun);
    job.on(
        new Event.Planned(
            RunFilesTest.plan(), List.of(ONE, TWO), 0, new MemoryParts(1L << 30, 0, 0, 0, 0)));
    for (int chunk = 0; chunk < chunks; chunk++) {
      UnitId unit = new UnitId("180p", chunk);
      job.on(new Event.Started(chunk + 1, unit, device, 1));
      job.on(new Event.Committed(chunk + 2, unit, device, new Encoded(50, 4_000, chunk + 1, 1)));
    }
    return job;
  }

  private static Recording two() {
    Recording recording = new Recording();
    recording.add(job("a.mp4", 0, ONE, 2));
    recording.add(job("b.mp4", 10, ONE, 1));
    return recording;
  }

  @Test
  void jobsHaveOneClockAndShareLanes() {
    assertThat(two().attempts())
        .extracting(
            drawn -> drawn.job().name(),
            drawn -> drawn.attempt().span().from(),
            Recording.Drawn::track)
        .containsExactly(
            tuple("a.mp4", 1.0, "cpu:0"),
            tuple("a.mp4", 2.0, "cpu:0"),
            tuple("b.mp4", 11.0, "cpu:0"));
    assertThat(two().seconds()).isEqualTo(12);
    assertThat(two().devices()).containsExactly(ONE, TWO);
  }

  @Test
  void theReportOfSeveralJobsTellsThemByColourAndHasATableOfThem() {
    Recording recording = two();
    recording.jobs().getLast().failed("failed", 13, "Its <disk> is full");

    String page = ReportPage.of(recording, RunFilesTest.ORIGIN);

    assertThat(page)
        .contains("<h1>2 jobs</h1>", "1 failed, 1 not finished · 1 rung of AV1 on 2 devices")
        .contains("<span class='key r0'><i></i>a.mp4</span></td><td>not finished</td>")
        .contains("<span class='key r1'><i></i>b.mp4</span></td><td>failed</td>")
        .contains("bar committed r0'><title>a.mp4 180p/000001 on cpu:0")
        .contains("bar committed r1'><title>b.mp4 180p/000000 on cpu:0")
        .contains("by job</h2>")
        .contains("b.mp4: Its &lt;disk&gt; is full");
    assertThat(ReportPage.of(single(), RunFilesTest.ORIGIN))
        .contains("<h1>a.mp4</h1>", "by rung</h2>")
        .doesNotContain("<h2>Jobs</h2>", "<th>Input</th>");
  }

  private static Recording single() {
    Recording recording = new Recording();
    recording.add(job("a.mp4", 0, ONE, 2));
    return recording;
  }

  @Test
  void theTraceOfSeveralJobsNamesThemAndCanBeReplayed() throws IOException {
    String text = TraceFile.of(two());

    List<JsonNode> slices =
        JsonEvents.JSON
            .readTree(text)
            .get("traceEvents")
            .valueStream()
            .filter(event -> event.get("ph").asString().equals("X"))
            .toList();
    assertThat(slices)
        .extracting(
            slice -> slice.get("name").asString(), slice -> slice.at("/args/job").asString())
        .contains(tuple("b.mp4 180p/000000", "id of b.mp4"));

    Replay replay = TraceReader.read(Files.writeString(directory.resolve("trace"), text));
    assertThat(replay.rungs()).containsExactly("a.mp4 180p", "b.mp4 180p");
    assertThat(replay.units())
        .extracting(Replay.Unit::rung, Replay.Unit::chunk)
        .containsExactly(tuple(0, 0L), tuple(0, 1L), tuple(1, 0L));
  }

  @Test
  void aJobThatWasNotMadeInTheRunIsNotReplayed() throws IOException {
    Recording recording = two();
    recording.add(job("c.mp4", 0, TWO, 0));
    Path trace = Files.writeString(directory.resolve("trace"), TraceFile.of(recording));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> TraceReader.read(trace))
        .withMessageContaining("holds 0 committed chunks of c.mp4")
        .withMessageContaining("the run was not finished, or was resumed");
  }
}
