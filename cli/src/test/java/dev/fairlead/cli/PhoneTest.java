package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceId;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.device.Vendor;
import dev.fairlead.media.job.TranscodeListener.Encoded;
import dev.fairlead.media.job.TranscodeListener.Event;
import dev.fairlead.media.job.TranscodeResult;
import dev.fairlead.media.plan.MemoryParts;
import dev.fairlead.media.report.JobRecording;
import dev.fairlead.media.report.Recording;
import dev.fairlead.media.report.ReportPage;
import dev.fairlead.media.store.UnitId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pages in a window as narrow as a phone's: each table ends in sight. */
class PhoneTest {
  private static final int PHONE = 380;
  private static final String LONG_NAME =
      "CPU lane 0 of Some(R) Processor(TM) 9999 128-Core @ 2.40GHz (slowed to 0.25) with svt";

  @TempDir private Path directory;

  private static JobRecording job(String id, String name) {
    Device device =
        Device.of(DeviceKind.CPU, 0).withIdentity(DeviceId.of("cpu:0"), LONG_NAME, Vendor.OTHER);
    UnitId unit = new UnitId("180p", 0);
    JobRecording job = new JobRecording(id, name, 0);
    job.on(
        new Event.Planned(
            RunFilesTest.plan(), List.of(device), 1_234, new MemoryParts(1L << 30, 0, 0, 0, 0)));
    job.on(new Event.Started(1, unit, device, 1));
    job.on(new Event.Noticed(3, "A worker died; started again", List.of(unit)));
    job.on(new Event.Committed(1_234, unit, device, new Encoded(12_345, 123_456, 1, 4)));
    job.on(new Event.Finished(1_240, result()));
    return job;
  }

  @Test
  void theTablesOfAReportAreInSight() throws Exception {
    Recording recording = new Recording();
    recording.add(job("one", "clip.mp4"));

    Map<String, Integer> tables =
        TestingWindow.tables(ReportPage.of(recording, RunFilesTest.ORIGIN), PHONE, directory);

    assertThat(tables).containsOnlyKeys("Rungs", "Devices", "Chunks", "This run");
    assertThat(tables).allSatisfy((table, end) -> assertThat(end).as(table).isLessThan(PHONE));
  }

  @Test
  void theTablesOfAReportOfSeveralJobsAreInSight() throws Exception {
    Recording recording = new Recording();
    recording.add(job("one", "a_long_name_without_any_blanks_in_it.mp4"));
    JobRecording failed = recording.add(job("two", "clip.mp4"));
    failed.failed("failed", 12_345, "There is no picture in it");

    Map<String, Integer> tables =
        TestingWindow.tables(ReportPage.of(recording, RunFilesTest.ORIGIN), PHONE, directory);

    assertThat(tables).containsOnlyKeys("Jobs", "Rungs", "Devices", "Chunks", "This run");
    assertThat(tables).allSatisfy((table, end) -> assertThat(end).as(table).isLessThan(PHONE));
  }

  private static TranscodeResult result() {
    return new TranscodeResult(
        "done",
        Path.of("out"),
        List.of(
            new TranscodeResult.RungResult(
                "180p", 1_920, 1_080, 123_456, 1_234, 1_234_567_890, Path.of("180p/index.m3u8"))),
        List.of(
            new TranscodeResult.DeviceResult(
                DeviceId.of("cpu:0"), "cpu:0", LONG_NAME, 12_345, 12_345.67, 12, "quarantined")),
        123_456,
        0,
        1.234,
        0.9,
        1L << 31,
        1,
        "A worker died");
  }

  @Test
  void theTablesOfASimulationAreInSight() throws Exception {
    Path page = directory.resolve("page.html");
    TestingCommand run =
        TestingCommand.run(
            "simulate",
            "--fleet",
            "2xfast:4,1xslow:1,1xmiddling:2",
            "--chunks",
            "300",
            "--report",
            page);
    assertThat(run.code()).as(run.err()).isZero();

    Map<String, Integer> tables = TestingWindow.tables(Files.readString(page), PHONE, directory);

    assertThat(tables).containsOnlyKeys("Policies", "This run");
    assertThat(tables).allSatisfy((table, end) -> assertThat(end).as(table).isLessThan(PHONE));
  }
}
