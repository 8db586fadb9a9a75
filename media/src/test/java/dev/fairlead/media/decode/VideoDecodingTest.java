package dev.fairlead.media.decode;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.TestingFfmpeg;
import dev.fairlead.media.av.Picture;
import dev.fairlead.media.settings.HardwareAddress;
import dev.fairlead.media.settings.VideoOrder;
import dev.fairlead.media.source.Rational;
import dev.fairlead.media.source.Turn;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;
import org.bytedeco.javacpp.BytePointer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A device that cannot decode changes nothing but who does. */
class VideoDecodingTest {
  private static final HardwareAddress NOWHERE = new HardwareAddress("cuda", "99");

  @TempDir private Path directory;

  @Test
  void decodesTheSamePicturesInSoftwareAndSaysWhy() {
    Path clip = directory.resolve("clip.mp4");
    TestingFfmpeg.ffmpeg(
        "-f",
        "lavfi",
        "-i",
        "testsrc2=s=64x64:r=25",
        "-t",
        "1",
        "-c:v",
        "libopenh264",
        clip.toString());
    List<String> told = new ArrayList<>();

    List<String> expected = pictures(clip, Optional.empty(), told);
    assertThat(told).isEmpty();
    List<String> pictures = pictures(clip, Optional.of(NOWHERE), told);

    assertThat(pictures).hasSize(25).isEqualTo(expected);
    assertThat(told).hasSize(1);
    assertThat(told.getFirst()).startsWith("The job decodes in software: opening cuda 99: ");
  }

  /** The time and the brightness of each picture. */
  private static List<String> pictures(
      Path clip, Optional<HardwareAddress> hardware, List<String> told) {
    VideoOrder order =
        new VideoOrder(
            clip,
            0,
            new Rational(1, 12_800),
            new Rational(25, 1),
            0,
            0,
            Long.MAX_VALUE,
            Turn.NONE,
            false,
            1,
            hardware,
            false);
    List<String> pictures = new ArrayList<>();
    VideoDecoding.run(
        order,
        new VideoDecoding.Sink() {
          @Override
          public void accept(Picture picture) {
            pictures.add(seen(picture));
          }

          @Override
          public long end(long pts, long to) {
            return to;
          }

          @Override
          public void missing(String what) {
            throw new AssertionError(what);
          }

          @Override
          public void notice(String reason) {
            told.add(reason);
          }

          @Override
          public void repaired() {}
        },
        () -> false);
    return pictures;
  }

  private static String seen(Picture picture) {
    try (picture) {
      CRC32 sum = new CRC32();
      byte[] row = new byte[picture.width()];
      for (int line = 0; line < picture.height(); line++) {
        new BytePointer(picture.frame().data(0))
            .position((long) line * picture.frame().linesize(0))
            .get(row);
        sum.update(row);
      }
      return picture.pts() + " " + sum.getValue();
    }
  }
}
