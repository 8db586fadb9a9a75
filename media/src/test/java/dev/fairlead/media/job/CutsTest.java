package dev.fairlead.media.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.TestingClips;
import dev.fairlead.media.TestingFfmpeg;
import dev.fairlead.media.plan.LadderSpec;
import dev.fairlead.media.plan.VideoCodec;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Scenes that change in the middle of a chunk, where encoders may begin anew. */
class CutsTest {
  /** Two seconds, a chunk, with a cut after one second; then one that is all new. */
  private static final String CUT =
      "-f lavfi -i testsrc2=s=160x90:r=25:d=1[a];mandelbrot=s=160x90:r=25,trim=duration=1,setsar=1[b];"
          + "smptebars=s=160x90:r=25:d=1[c];[a][b][c]concat=n=3,format=yuv420p -c:v ffv1";

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({"H264, cpu:2, 13", "AV1, cpu:1@aom, 8", "AV1, cpu:1@svt, 13"})
  void furtherKeysOfAChunkAreKeysOfTheFile(VideoCodec codec, String devices, int preset)
      throws Exception {
    Path source = TestingClips.clip("cut.mkv", CUT);
    TranscodeResult result =
        TestingJobs.run(
            TestingJobs.request(source, directory.resolve("out"))
                .withLadder(LadderSpec.auto())
                .withCodec(codec)
                .withPreset(preset),
            devices);
    Path manifest = result.rungs().getFirst().manifest();
    List<Double> keys = TestingJobs.keys(manifest);
    assertThat(TestingJobs.times(manifest)).hasSize(75);
    assertThat(keys).contains(0.0, 2.0).isEqualTo(decodedKeys(manifest));
    if (codec == VideoCodec.H264) {
      assertThat(keys).as("the encoder begins anew at the cut").contains(1.0);
    }
    TestingFfmpeg.decodesCleanly(manifest);
  }

  /** When the pictures are shown that the decoder finds to be keys, in seconds. */
  private static List<Double> decodedKeys(Path file) {
    return TestingFfmpeg.ffprobe(
            "-select_streams",
            "v:0",
            "-show_entries",
            "frame=key_frame,pts_time",
            "-of",
            "csv=p=0",
            file.toString())
        .lines()
        .map(line -> line.split(","))
        .filter(parts -> parts.length > 1 && parts[0].equals("1"))
        .map(parts -> Double.valueOf(parts[1]))
        .toList();
  }
}
