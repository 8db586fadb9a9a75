package dev.fairlead.media.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.fairlead.media.TestingClips;
import dev.fairlead.media.TestingFfmpeg;
import dev.fairlead.media.plan.LadderSpec;
import dev.fairlead.media.plan.VideoCodec;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Frame rates: those that are unusual, and those that are not true. */
class RatesTest {
  private static final int FRAMES = 40;

  @TempDir private Path directory;

  private static Path clip(String rate) {
    return TestingClips.clip(
        "rate-%s.mp4".formatted(rate.replace('/', '-')),
        "-f lavfi -i testsrc2=s=64x64:r=%s -frames:v %d -c:v libopenh264 -g 20"
            .formatted(rate, FRAMES));
  }

  private Path made(Path source, VideoCodec codec) throws Exception {
    TranscodeResult result =
        TestingJobs.run(
            TestingJobs.request(source, directory.resolve("out"))
                .withLadder(LadderSpec.auto())
                .withCodec(codec),
            "cpu:1");
    return result.rungs().getFirst().manifest();
  }

  @ParameterizedTest
  @CsvSource({"240, AV1", "300, AV1", "480, AV1", "480, H264", "1000, AV1", "1/500, AV1"})
  void everyFrameOfAFastSourceIsKept(String rate, VideoCodec codec) throws Exception {
    Path source = clip(rate);
    Path manifest = made(source, codec);
    List<Double> expected = TestingJobs.times(source);
    List<Double> times = TestingJobs.times(manifest);
    assertThat(times).hasSameSizeAs(expected).hasSize(FRAMES);
    for (int i = 0; i < FRAMES; i++) {
      assertThat(times.get(i)).isCloseTo(expected.get(i), within(0.0001));
    }
    TestingFfmpeg.decodesCleanly(manifest);
  }

  @ParameterizedTest
  @CsvSource({
    "250, mkv, setts=ts=N/25/TB",
    "1/500, mkv, setts=ts=N/25/TB",
    "25, ts, h264_metadata=tick_rate=500",
    "25, ts, h264_metadata=tick_rate=1/250"
  })
  void aRateThatIsOnlyClaimedDoesNoHarm(String rate, String kind, String change) throws Exception {
    Path source =
        TestingClips.clip(
            "claims-%s.%s".formatted((rate + change).replace('/', '-'), kind),
            "-i %s -c copy -bsf:v %s".formatted(clip(rate), change));
    assertThat(
            TestingFfmpeg.ffprobe(
                "-show_entries",
                "stream=r_frame_rate,avg_frame_rate",
                "-of",
                "csv=p=0",
                source.toString()))
        .as("what the source claims")
        .doesNotContain("25/1,25/1");
    Path manifest = made(source, VideoCodec.AV1);
    List<Double> times = TestingJobs.times(manifest);
    assertThat(times).hasSize(FRAMES);
    assertThat(times.getLast()).isCloseTo((FRAMES - 1) / 25.0, within(0.0015));
    TestingFfmpeg.decodesCleanly(manifest);
  }
}
