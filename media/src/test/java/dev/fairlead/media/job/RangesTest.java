package dev.fairlead.media.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.fairlead.media.TestingClips;
import dev.fairlead.media.TestingFfmpeg;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sources whose samples use all values, as phones and screen recorders make them. */
class RangesTest {
  private static final int[] LEVELS = {0, 85, 170, 255};

  /** Four bars of these levels, in full range. */
  private static final String BARS =
      "-f lavfi -i nullsrc=s=320x180:r=25,format=yuv420p,geq=lum=85*floor(X/80):cb=128:cr=128,"
          + "setparams=range=pc:colorspace=bt709 -t 0.4 -color_range pc ";

  @TempDir private Path directory;

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          full.avi     | -c:v mjpeg -q:v 2
          full-mj.mkv  | -c:v mjpeg -q:v 2 -pix_fmt yuvj422p
          full.mp4     | -c:v libopenh264 -b:v 1M
          full.webm    | -c:v libvpx-vp9 -b:v 1M -cpu-used 8
          full-av1.mkv | -c:v libsvtav1 -preset 13 -crf 20
          full-rgb.mkv | -c:v ffv1 -pix_fmt gbrp
          """)
  void levelsAreRightInEveryRung(String name, String arguments) throws Exception {
    Path source = TestingClips.clip(name, BARS + arguments);
    List<TranscodeListener.Event> events = Collections.synchronizedList(new ArrayList<>());
    TranscodeResult result =
        TestingJobs.run(
            TestingJobs.request(source, directory.resolve("out")),
            "cpu:2",
            ChaosPlan.none(),
            Duration.ofSeconds(60),
            events::add);
    assertThat(result.rungs())
        .hasSize(2)
        .allSatisfy(rung -> {
          byte[] bars = bars(rung.manifest());
          for (int bar = 0; bar < LEVELS.length; bar++) {
            assertThat(bars[bar] & 255)
                .as("bar %d of %s", bar, rung.name())
                .isCloseTo(16 + LEVELS[bar] * 219 / 255, within(3));
          }
          assertThat(entries(rung.manifest())).contains("tv").doesNotContain("gbr");
        });
    TranscodeListener.Event.Planned planned = (TranscodeListener.Event.Planned) events.getFirst();
    assertThat(planned.plan().notes()).anyMatch(note -> note.contains("full range"));
  }

  private static String entries(Path file) {
    return TestingFfmpeg.ffprobe(
        "-select_streams",
        "v:0",
        "-show_entries",
        "stream=color_range,color_space",
        "-of",
        "csv=p=0",
        file.toString());
  }

  /** The mean of the middle of each bar, in the first picture. */
  private static byte[] bars(Path file) {
    return TestingFfmpeg.ffmpeg(
            "-i",
            file.toString(),
            "-frames:v",
            "1",
            "-vf",
            "extractplanes=y,scale=16:1:flags=area,scale=4:1:flags=area",
            "-f",
            "rawvideo",
            "-")
        .getBytes(StandardCharsets.ISO_8859_1);
  }
}
