package dev.fairlead.media.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.fairlead.media.TestingClips;
import dev.fairlead.media.TestingFfmpeg;
import dev.fairlead.media.plan.LadderSpec;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.media.source.Rational;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Times and sizes that cannot be true: one picture among many, a whole track, a packet. */
class LyingTimesTest {
  private static final int FRAMES = 60;
  private static final String CODED = "-c:v mpeg2video -bf 2 -g 12 -b:v 400k";

  @TempDir private Path directory;

  private static Path clip(String name) {
    return TestingClips.clip(
        name, "-f lavfi -i testsrc2=s=160x90:r=25 -frames:v %d %s".formatted(FRAMES, CODED));
  }

  private TranscodeRequest request(Path source) {
    return TestingJobs.request(source, directory.resolve("out"))
        .withLadder(LadderSpec.parse("96x54"));
  }

  private Path made(Path source) throws Exception {
    return TestingJobs.run(request(source), "cpu:1").rungs().getFirst().manifest();
  }

  @ParameterizedTest
  @CsvSource({"ts, 40000", "mkv, 40000", "mkv, 11"})
  void aPictureThatClaimsToBeHoursLateIsShownInItsPlace(String kind, int seconds) throws Exception {
    Path honest = clip("honest." + kind);
    Path lying =
        TestingClips.clip(
            "lying-%d.%s".formatted(seconds, kind),
            "-i %s -c copy -bsf:v setts=pts='if(eq(N\\,24)\\,PTS+%d/TB\\,PTS)':dts=DTS"
                .formatted(honest, seconds));
    assertThat(TestingFfmpeg.ffprobe("-show_entries", "packet=pts_time", lying.toString()))
        .as("what one picture claims")
        .containsPattern("pts_time=" + (seconds == 11 ? "1[12]" : "4000[0-9]") + "\\.");
    List<Double> times = TestingJobs.times(made(lying));
    assertThat(times).hasSize(FRAMES);
    for (int i = 0; i < FRAMES; i++) {
      assertThat(times.get(i)).isCloseTo(i / 25.0, within(0.002));
    }
  }

  /** More than 32 bits of ticks, in which files say how long a picture is shown. */
  @Test
  void aPictureThatIsShownForLongerThanFilesCanSayIsRefused() {
    Path leaping =
        TestingClips.clip(
            "leaping.mkv",
            "-i %s -c copy -bsf:v setts=ts='if(gt(N\\,24)\\,DTS+300000/TB\\,DTS)'"
                .formatted(
                    TestingClips.clip(
                        "leaping-from.mkv",
                        "-f lavfi -i testsrc2=s=160x90:r=25 -frames:v 60 -c:v mpeg4 -g 12")));
    assertThatThrownBy(() -> made(leaping))
        .isInstanceOf(TranscodeException.Unreadable.class)
        .hasMessageMatching(".*a picture is 300000 s after the one before it.*");
  }

  @Test
  void picturesThatFollowEachOtherFasterThanFilesCanSayAreRefusedOrThinned() throws Exception {
    Path honest =
        TestingClips.clip(
            "ticks.mp4", "-f lavfi -i testsrc2=s=64x64:r=25 -frames:v 30 -c:v libopenh264");
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(honest));
    bytes.putInt(after(bytes.array(), "mdhd") + 12, Integer.MAX_VALUE); // ticks a second
    Path source = Files.write(directory.resolve("ticks.mp4"), bytes.array());
    assertThatThrownBy(() -> made(source))
        .isInstanceOf(TranscodeException.Unreadable.class)
        .hasMessageMatching(".*a picture is 0\\.\\d+ µs after .*; a limit of frames a second .*");
    TestingFiles.delete(directory.resolve("out"));
    TranscodeResult thinned =
        TestingJobs.run(request(source).withMaxFps(new Rational(60, 1)), "cpu:1");
    assertThat(thinned.rungs().getFirst().frames()).isEqualTo(1);
  }

  @Test
  void aPacketThatClaimsMoreThanAllMemoryIsTheSourcesFault() throws Exception {
    Path honest =
        TestingClips.clip(
            "sizes.mp4", "-f lavfi -i testsrc2=s=64x64:r=25 -frames:v 400 -c:v libopenh264");
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(honest));
    int sizes = after(bytes.array(), "stsz") + 12;
    bytes.putInt(sizes + 4 * 390, 0x2000_0000);
    Path source = Files.write(directory.resolve("sizes.mp4"), bytes.array());
    assertThatThrownBy(() -> made(source))
        .isInstanceOf(TranscodeException.Unreadable.class)
        .hasMessageContaining("a packet claims to have more than");
  }

  /** Where the contents of a box begin. */
  private static int after(byte[] file, String box) {
    int at = new String(file, StandardCharsets.ISO_8859_1).indexOf(box);
    assertThat(at).as(box).isPositive();
    return at + box.length();
  }
}
