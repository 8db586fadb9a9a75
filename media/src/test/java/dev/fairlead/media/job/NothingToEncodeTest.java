package dev.fairlead.media.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.media.TestingClips;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A source without a picture that can be had is unreadable, and one line says why. */
class NothingToEncodeTest {
  private static final String PICTURE = "-f lavfi -i testsrc2=s=160x90:r=25 ";

  @TempDir private Path directory;

  @Test
  void anInitSegmentHasNoPictures() throws Exception {
    Path whole =
        TestingClips.clip(
            "fragments.mp4",
            PICTURE + "-t 1 -c:v libopenh264 -an -movflags +frag_keyframe+empty_moov");
    byte[] bytes = Files.readAllBytes(whole);
    assertUnreadable(write("init.mp4", Arrays.copyOf(bytes, indexOf(bytes, "moof") - 4)));
  }

  @Test
  void aCodecThatNobodyKnowsHasNone() throws Exception {
    byte[] bytes = Files.readAllBytes(mp4());
    replace(bytes, "avc1", "zzz9", 2);
    assertUnreadable(write("unknown.mp4", bytes));
    byte[] matroska =
        Files.readAllBytes(TestingClips.clip("known.mkv", PICTURE + "-t 1 -c:v libopenh264 -an"));
    replace(matroska, "V_MPEG4/ISO/AVC", "V_MPEG9/ISO/XYZ", 1);
    assertUnreadable(write("unknown.mkv", matroska));
  }

  @Test
  void encryptedTracksHaveNone() throws Exception {
    byte[] bytes = Files.readAllBytes(mp4());
    replace(bytes, "avc1", "encv", 2);
    assertUnreadable(write("encv.mp4", bytes));
  }

  @Test
  void packetsOfNoiseHaveNone() throws Exception {
    byte[] bytes = Files.readAllBytes(mp4());
    int from = indexOf(bytes, "mdat") + 4;
    int to = indexOf(bytes, "moov") - 4;
    byte[] noise = new byte[to - from];
    new Random(7).nextBytes(noise);
    System.arraycopy(noise, 0, bytes, from, noise.length);
    assertUnreadable(write("noise.mp4", bytes));
    Arrays.fill(bytes, from, to, (byte) 0);
    assertUnreadable(write("zeros.mp4", bytes));
  }

  @Test
  void headersAloneHaveNone() throws Exception {
    byte[] stream =
        Files.readAllBytes(TestingClips.clip("raw.h264", PICTURE + "-t 1 -c:v libopenh264"));
    assertUnreadable(write("headers.h264", Arrays.copyOf(stream, indexOf(stream, "\0\0\1e"))));
    byte[] transport =
        Files.readAllBytes(TestingClips.clip("raw.ts", PICTURE + "-t 1 -c:v mpeg2video"));
    assertUnreadable(write("headers.ts", Arrays.copyOf(transport, 3 * 188)));
  }

  @Test
  void aCoverIsNoVideo() {
    Path cover = TestingClips.clip("cover.jpg", PICTURE + "-frames:v 1 -c:v mjpeg");
    assertUnreadable(
        TestingClips.clip(
            "song.m4a",
            "-f lavfi -i sine=d=1 -i "
                + cover
                + " -map 0 -map 1 -c:a aac -c:v copy -disposition:v attached_pic"));
  }

  private void assertUnreadable(Path source) {
    Path output = directory.resolve("out-" + source.getFileName());
    assertThatThrownBy(() -> TestingJobs.run(TestingJobs.request(source, output), "cpu:1"))
        .as(source.toString())
        .isInstanceOf(TranscodeException.Unreadable.class)
        .hasMessageContaining(source.getFileName().toString())
        .satisfies(failure -> assertThat(failure.getMessage()).hasLineCount(1));
    assertThat(output.resolve("master.m3u8")).doesNotExist();
  }

  private static Path mp4() {
    return TestingClips.clip("nothing.mp4", PICTURE + "-t 1 -c:v libopenh264 -an");
  }

  private Path write(String name, byte[] bytes) throws IOException {
    return Files.write(directory.resolve(name), bytes);
  }

  private static int indexOf(byte[] bytes, String what) {
    int at = new String(bytes, StandardCharsets.ISO_8859_1).indexOf(what);
    assertThat(at).as(what).isPositive();
    return at;
  }

  /** The first so many of them, in place. */
  private static void replace(byte[] bytes, String from, String to, int times) {
    for (int i = 0; i < times; i++) {
      int at = new String(bytes, StandardCharsets.ISO_8859_1).indexOf(from);
      if (at >= 0) {
        byte[] with = to.getBytes(StandardCharsets.ISO_8859_1);
        System.arraycopy(with, 0, bytes, at, with.length);
      }
    }
  }
}
