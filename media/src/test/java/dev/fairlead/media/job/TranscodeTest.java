package dev.fairlead.media.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.fairlead.media.TestingClips;
import dev.fairlead.media.TestingFfmpeg;
import dev.fairlead.media.plan.EncodingChoice;
import dev.fairlead.media.plan.LadderSpec;
import dev.fairlead.media.plan.MaxRates;
import dev.fairlead.media.plan.OutputFormat;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.media.plan.VideoCodec;
import dev.fairlead.media.progress.JobStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A ladder from a real file to a real package, judged by the bundled ffmpeg. */
class TranscodeTest {
  @TempDir private Path directory;

  @Test
  void everyRungHasEveryFrameAtItsTimeAndBeginsChunksWithKeys() throws Exception {
    Path source = TestingClips.usual();
    List<TranscodeListener.Event> events = Collections.synchronizedList(new ArrayList<>());

    TranscodeResult result =
        TestingJobs.run(
            TestingJobs.request(source, directory.resolve("out")).withFormat(OutputFormat.BOTH),
            "cpu:2",
            ChaosPlan.none(),
            Duration.ofSeconds(60),
            events::add);

    List<Double> expected = TestingJobs.times(source);
    assertThat(result.status()).isEqualTo("done");
    assertThat(result.sourceFramesDecoded()).isEqualTo(180);
    assertThat(result.rungs())
        .hasSize(2)
        .allSatisfy(rung -> {
          assertThat(rung.frames()).isEqualTo(180);
          assertThat(rung.segments()).isEqualTo(2);
          List<Double> times = TestingJobs.times(rung.manifest());
          assertThat(times).hasSameSizeAs(expected);
          for (int i = 0; i < times.size(); i++) {
            assertThat(times.get(i)).isCloseTo(expected.get(i) - expected.get(0), within(0.0005));
          }
          assertThat(TestingJobs.keys(rung.manifest())).containsExactly(0.0, 2.0, 4.0);
          TestingFfmpeg.decodesCleanly(rung.manifest());
          TestingFfmpeg.decodesCleanly(directory.resolve("out").resolve(rung.name() + ".mp4"));
        });
    assertThat(Files.readString(directory.resolve("out/master.m3u8")))
        .contains("RESOLUTION=320x180", "RESOLUTION=160x90", "CODECS=\"av01.", "mp4a.40.2");
    assertThat(events).filteredOn(TranscodeListener.Event.Committed.class::isInstance).hasSize(6);
    assertThat(events.getLast()).isInstanceOf(TranscodeListener.Event.Finished.class);
  }

  @Test
  void oneLaneAndTwoGiveTheSameBytesAndAFinishedOutputIsLeftAlone() throws Exception {
    Path source = Files.copy(TestingClips.usual(), directory.resolve("clip.mp4"));
    TranscodeRequest one = TestingJobs.request(source, directory.resolve("one"));
    TestingJobs.run(one, "cpu:1");
    TestingJobs.run(TestingJobs.request(source, directory.resolve("two")), "cpu:2");
    var hashes = TestingJobs.hashes(directory.resolve("one"));
    assertThat(TestingJobs.hashes(directory.resolve("two"))).isEqualTo(hashes);

    TranscodeResult again = TestingJobs.run(one, "cpu:1");
    assertThat(again.status()).isEqualTo("unchanged");
    assertThat(again.rungs()).extracting(TranscodeResult.RungResult::frames).containsOnly(180L);
    assertThat(TestingJobs.hashes(directory.resolve("one"))).isEqualTo(hashes);

    FileTime written = Files.getLastModifiedTime(source);
    Files.setLastModifiedTime(source, FileTime.from(Instant.EPOCH));
    assertThatThrownBy(() -> TestingJobs.run(one, "cpu:1"))
        .as("a source that was written again")
        .isInstanceOf(TranscodeException.BadRequest.class)
        .hasMessageContaining("as it was before that changed");
    Files.setLastModifiedTime(source, written);
    assertThatThrownBy(() -> TestingJobs.run(one.withCrf(50), "cpu:1"))
        .isInstanceOf(TranscodeException.BadRequest.class)
        .hasMessageContaining("crf")
        .hasMessageEndingWith(". Choose another output, or restart");
    TranscodeResult anew = TestingJobs.run(one.withCrf(50).withRestart(true), "cpu:1");
    assertThat(anew.status()).isEqualTo("done");
    assertThat(TestingJobs.hashes(directory.resolve("one"))).isNotEqualTo(hashes);
  }

  @Test
  void twoEncodersShareARungAndStrictMixKeepsOne() throws Exception {
    Path source = TestingClips.usual();
    TranscodeRequest mixed = TestingJobs.request(source, directory.resolve("mixed"));
    TranscodeResult result = TestingJobs.run(mixed, "cpu:1@svt,cpu:1@aom");

    assertThat(result.devices())
        .extracting(TranscodeResult.DeviceResult::chunks)
        .allMatch(chunks -> chunks > 0);
    assertThat(result.rungs())
        .allSatisfy(rung -> {
          assertThat(TestingJobs.times(rung.manifest())).hasSize(180);
          TestingFfmpeg.decodesCleanly(rung.manifest());
        });

    TranscodeRequest strict =
        TestingJobs.request(source, directory.resolve("strict"))
            .withEncoding(
                new EncodingChoice(
                    VideoCodec.AV1,
                    OptionalInt.of(13),
                    OptionalInt.empty(),
                    MaxRates.none(),
                    EncodingChoice.Mix.STRICT));
    TranscodeResult alone = TestingJobs.run(strict, "cpu:1@svt,cpu:1@aom");
    assertThat(alone.devices())
        .filteredOn(device -> device.chunks() > 0)
        .as("devices that served")
        .hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          cpu:1@svt,cpu:1@aom | cpu:1@svt
          cpu:1@svt           | cpu:1@aom
          cpu:1@svt           | cpu:1@svt,cpu:1@aom
          """)
  void whatARungHasPromisedIsKeptWhoeverGoesOn(String first, String then) throws Exception {
    Path source = TestingClips.usual();
    TestingJobs.run(TestingJobs.request(source, directory.resolve("calm")), first);
    TranscodeRequest request = TestingJobs.request(source, directory.resolve("again"));
    assertThatThrownBy(() ->
            TestingJobs.run(
                request,
                first,
                ChaosPlan.parse("throw@90p/2x*"),
                Duration.ofSeconds(60),
                TranscodeListener.none()))
        .isInstanceOf(TranscodeException.GaveUp.class);
    TestingJobs.run(request, then);
    for (String init : List.of("180p/init.mp4", "90p/init.mp4")) {
      assertThat(promise(directory.resolve("again").resolve(init)))
          .isEqualTo(promise(directory.resolve("calm").resolve(init)));
    }
    TestingFfmpeg.decodesCleanly(directory.resolve("again/90p/index.m3u8"));
  }

  /** An init segment but for how large the samples turned out: other encoders, other sizes. */
  private static String promise(Path init) throws IOException {
    return Files.readString(init, StandardCharsets.ISO_8859_1)
        .replaceFirst("(?s)btrt.{12}", "btrt");
  }

  @Test
  void everySegmentIsToldOnceItIsThere() throws Exception {
    Path output = directory.resolve("out");
    List<Path> told = Collections.synchronizedList(new ArrayList<>());
    TestingJobs.run(
        TestingJobs.request(TestingClips.usual(), output),
        "cpu:1",
        ChaosPlan.none(),
        Duration.ofSeconds(60),
        event -> {
          if (event instanceof TranscodeListener.Event.SegmentWritten segment) {
            told.add(segment.path());
          }
        });
    try (Stream<Path> files = Files.walk(output)) {
      assertThat(told)
          .containsExactlyInAnyOrderElementsOf(
              files.filter(file -> file.toString().endsWith(".m4s")).toList());
    }
  }

  @Test
  void h264IsMadeWhereItIsAskedFor() throws Exception {
    TranscodeRequest request =
        TestingJobs.request(TestingClips.usual(), directory.resolve("out"))
            .withCodec(VideoCodec.H264)
            .withFormat(OutputFormat.BOTH);
    TranscodeResult result = TestingJobs.run(request, "cpu:2");
    assertThat(result.rungs())
        .allSatisfy(rung -> {
          assertThat(TestingJobs.times(rung.manifest())).hasSize(180);
          TestingFfmpeg.decodesCleanly(rung.manifest());
        });
  }

  @Test
  void theQualityOfH264IsTheOneThatIsAskedFor() throws Exception {
    TranscodeRequest request =
        TestingJobs.request(TestingClips.usual(), directory.resolve("fine"))
            .withLadder(LadderSpec.parse("320x180@crf20,320x180@crf40"))
            .withCodec(VideoCodec.H264);
    List<TranscodeResult.RungResult> rungs = TestingJobs.run(request, "cpu:2").rungs();
    assertThat(rungs).hasSize(2);
    assertThat(rungs.getFirst().bytes()).isGreaterThan(3 * rungs.getLast().bytes());
  }

  @Test
  void aCodecThatNoDeviceEncodesIsSaidSo() {
    TranscodeRequest request =
        TestingJobs.request(TestingClips.usual(), directory.resolve("out"))
            .withCodec(VideoCodec.HEVC);
    assertThatThrownBy(() -> TestingJobs.run(request, "cpu:1"))
        .isInstanceOf(TranscodeException.NoCapableDevice.class)
        .hasMessageContaining("HEVC")
        .hasMessageContaining("cpu:0");
  }

  @Test
  void aSecondWriterIsKeptOut() throws Exception {
    Path output = directory.resolve("out");
    TranscodeRequest request = TestingJobs.request(TestingClips.usual(), output);
    try (JobStore held = JobStore.open(request)) {
      assertThatThrownBy(() -> TestingJobs.run(request, "cpu:1"))
          .isInstanceOf(TranscodeException.Storage.class)
          .hasMessageContaining("being written");
      assertThat(held.committed()).isEmpty();
    }
    assertThat(TestingJobs.run(request, "cpu:1").status()).isEqualTo("done");
  }

  @Test
  void tooLittleMemoryIsNamed() {
    TranscodeRequest request =
        TestingJobs.request(TestingClips.usual(), directory.resolve("out")).withMemoryBytes(1_000);
    assertThatThrownBy(() -> TestingJobs.run(request, "cpu:1"))
        .isInstanceOf(TranscodeException.TooLarge.class)
        .hasFieldOrPropertyWithValue("boundByRequest", true)
        .hasMessageContaining("1000 bytes may be used; allow more memory");
  }
}
