package dev.fairlead.media.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.TestingClips;
import dev.fairlead.media.TestingFfmpeg;
import dev.fairlead.media.plan.VideoCodec;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sources whose pictures change their size, as broadcasts do. */
class SizesTest {
  private static final int WIDTH = 32;
  private static final int HEIGHT = 18;

  /** What a picture may differ on average; another picture of the clip differs by far more. */
  private static final int OFF = 12;

  @TempDir private Path directory;

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          plain  | AV1  | -c:v libopenh264 -b:v 800k -g 25
          plain  | H264 | -c:v libopenh264 -b:v 800k -g 25
          fields | AV1  | -c:v mpeg2video -b:v 2M -flags +ildct+ilme -vf setfield=tff
          """)
  void everyPictureIsScaledFromItsOwnSize(String name, VideoCodec codec, String arguments)
      throws Exception {
    Path source = source(name, arguments);
    TranscodeResult result =
        TestingJobs.run(
            TestingJobs.request(source, directory.resolve("out")).withCodec(codec), "cpu:1");
    byte[] expected = pictures(source);
    int count = expected.length / (WIDTH * HEIGHT);
    assertThat(count).as("pictures that ffmpeg decodes").isGreaterThan(70);
    assertThat(result.rungs())
        .hasSize(2)
        .allSatisfy(rung -> {
          byte[] made = pictures(rung.manifest());
          assertThat(made).hasSameSizeAs(expected);
          for (int i = 0; i < count; i++) {
            assertThat(difference(made, expected, i))
                .as("picture %d of %s", i, rung.name())
                .isLessThan(OFF);
          }
          TestingFfmpeg.decodesCleanly(rung.manifest());
        });
  }

  /** Three seconds of one moving picture, the second one of them smaller. */
  private Path source(String name, String arguments) throws Exception {
    StringBuilder list = new StringBuilder("ffconcat version 1.0\n");
    String[] sizes = {"320x180", "240x136", "320x180"};
    for (int i = 0; i < sizes.length; i++) {
      Path part =
          TestingClips.clip(
              "sizes-%s-%d.ts".formatted(name, i),
              "-f lavfi -i mandelbrot=s=%s:r=25:start_scale=%s -t 1 -pix_fmt yuv420p %s"
                  .formatted(sizes[i], new String[] {"3", "0.5", "0.01"}[i], arguments));
      list.append("file '%s'%n".formatted(part));
    }
    Path script = Files.writeString(directory.resolve(name + ".txt"), list);
    Path joined = directory.resolve(name + ".ts");
    TestingFfmpeg.ffmpeg(
        "-f", "concat", "-safe", "0", "-i", script.toString(), "-c", "copy", joined.toString());
    return joined;
  }

  private static byte[] pictures(Path file) {
    return TestingFfmpeg.ffmpeg(
            "-i",
            file.toString(),
            "-vf",
            "scale=%d:%d:flags=area,format=gray".formatted(WIDTH, HEIGHT),
            "-fps_mode",
            "passthrough",
            "-f",
            "rawvideo",
            "-")
        .getBytes(StandardCharsets.ISO_8859_1);
  }

  private static double difference(byte[] made, byte[] expected, int picture) {
    int size = WIDTH * HEIGHT;
    long sum = 0;
    for (int i = picture * size; i < (picture + 1) * size; i++) {
      sum += Math.abs((made[i] & 255) - (expected[i] & 255));
    }
    return (double) sum / size;
  }
}
