package dev.fairlead.media.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.TestingClips;
import dev.fairlead.media.TestingFfmpeg;
import dev.fairlead.media.plan.LadderSpec;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Slides and screens: flat areas that change from one picture to the next. */
class SlidesTest {
  private static final int BLOCK = 64;
  private static final int ACROSS = 5;
  private static final int DOWN = 3;
  private static final int PICTURES = 60;

  /** Each block is flat and changes its grey in every picture, each in steps of its own. */
  private static final String SLIDES =
      "-f lavfi -i nullsrc=s=%dx%d:r=30,format=gray,geq=lum=%s,format=yuv420p -frames:v %d -c:v ffv1"
          .formatted(
              ACROSS * BLOCK,
              DOWN * BLOCK,
              "40+mod((N+1)*(17+31*(floor(X/64)+5*floor(Y/64)))\\,180)",
              PICTURES);

  /** How far the mean of a block may be off at the least quality; nearly all steps are larger. */
  private static final int OFF = 14;

  @TempDir private Path directory;

  @ParameterizedTest(name = "preset {0}, crf {1}")
  @CsvSource({
    "8, 39", "9, 39", "10, 39", "11, 39", "12, 39", "13, 39", "10, 63", "13, 50", "13, 63"
  })
  void noBlockStaysAsItWas(int preset, int crf) throws Exception {
    Path source = TestingClips.clip("slides.mkv", SLIDES);
    TranscodeResult result =
        TestingJobs.run(
            TestingJobs.request(source, directory.resolve("out"))
                .withLadder(LadderSpec.auto())
                .withPreset(preset)
                .withCrf(crf),
            "cpu:2");
    byte[] expected = blocks(source);
    byte[] made = blocks(result.rungs().getFirst().manifest());
    assertThat(made).hasSameSizeAs(expected).hasSize(PICTURES * ACROSS * DOWN);
    for (int i = 0; i < made.length; i++) {
      assertThat(Math.abs((made[i] & 255) - (expected[i] & 255)))
          .as("block %d of picture %d", i % (ACROSS * DOWN), i / (ACROSS * DOWN))
          .isLessThan(OFF);
    }
  }

  /** The mean of each block of each picture. */
  private static byte[] blocks(Path file) {
    return TestingFfmpeg.ffmpeg(
            "-i",
            file.toString(),
            "-vf",
            "extractplanes=y,scale=%d:%d:flags=area".formatted(ACROSS, DOWN),
            "-f",
            "rawvideo",
            "-")
        .getBytes(StandardCharsets.ISO_8859_1);
  }
}
