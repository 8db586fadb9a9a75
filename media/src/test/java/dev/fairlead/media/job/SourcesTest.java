package dev.fairlead.media.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.fairlead.media.TestingClips;
import dev.fairlead.media.TestingFfmpeg;
import dev.fairlead.media.plan.LadderSpec;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** All kinds of sources: those that are kept whole, and those that are refused. */
class SourcesTest {
  private static final String PICTURE = "-f lavfi -i testsrc2=s=160x90:r=25 ";
  private static final String SOUND = "-f lavfi -i sine=f=440:r=48000 ";

  @TempDir private Path directory;

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          vp9.webm    | -t 1 -c:v libvpx-vp9 -b:v 100k -cpu-used 8 -an
          vp8.webm    | -t 1 -c:v libvpx -b:v 100k -an
          av1.mkv     | -t 1 -c:v libsvtav1 -preset 13 -an
          mpeg2.ts    | -t 1 -c:v mpeg2video -bf 2 -c:a mp2
          mpeg4.avi   | -t 1 -c:v mpeg4 -c:a mp3
          h264.flv    | -t 1 -c:v libopenh264 -c:a aac
          h263.3gp    | -t 1 -s 176x144 -c:v h263 -an
          h264.mov    | -t 1 -c:v libopenh264 -c:a pcm_s16le
          wrap.ts     | -t 1 -c:v mpeg2video -bf 2 -c:a mp2 -output_ts_offset 95443.2
          late.mkv    | -t 1 -c:v libopenh264 -c:a aac -output_ts_offset 3.7
          silent.mp4  | -t 1 -c:v libopenh264 -an
          single.mp4  | -frames:v 1 -c:v libopenh264 -an
          odd.mkv     | -t 1 -s 161x91 -c:v ffv1 -an
          tiny.mkv    | -t 1 -s 16x16 -c:v ffv1 -an
          uneven.mkv  | -t 2 -vf select=not(mod(n\\,3))+not(mod(n\\,7)) -fps_mode vfr -c:v libopenh264 -an
          fields.mkv  | -t 1 -vf setfield=tff -flags +ildct+ilme -c:v mpeg2video -an
          """)
  void everyFrameIsKeptAtItsTime(String name, String arguments) throws Exception {
    Path source = TestingClips.clip(name, PICTURE + SOUND + arguments);
    TranscodeResult result =
        TestingJobs.run(
            TestingJobs.request(source, directory.resolve("out")).withLadder(LadderSpec.auto()),
            "cpu:1");
    List<Double> expected = frameTimes(source);
    assertThat(result.rungs()).hasSize(1);
    Path manifest = result.rungs().getFirst().manifest();
    List<Double> times = TestingJobs.times(manifest);
    assertThat(times).as("frames").hasSameSizeAs(expected);
    for (int i = 0; i < times.size(); i++) {
      assertThat(times.get(i)).isCloseTo(expected.get(i) - expected.getFirst(), within(0.0015));
    }
    TestingFfmpeg.decodesCleanly(manifest);
  }

  /** When the frames of a source are shown, as ffprobe decodes them. */
  private static List<Double> frameTimes(Path source) {
    return TestingFfmpeg.ffprobe(
            "-select_streams",
            "v:0",
            "-show_entries",
            "frame=best_effort_timestamp_time",
            "-of",
            "csv=p=0",
            source.toString())
        .lines()
        .map(line -> line.replace(",", "").strip())
        .filter(line -> !line.isEmpty())
        .map(Double::valueOf)
        .toList();
  }

  @ParameterizedTest
  @CsvSource({
    "0, false",
    "90, false",
    "180, false",
    "270, false",
    "0, true",
    "90, true",
    "180, true",
    "270, true"
  })
  void aPictureIsTurnedAndMirroredAsItIsToBeShown(int turned, boolean mirrored) throws Exception {
    Path flat = TestingClips.clip("flat.mp4", PICTURE + "-t 0.2 -c:v libopenh264 -b:v 1M");
    Path source =
        TestingClips.clip(
            "turned-%d-%s.mp4".formatted(turned, mirrored),
            "-display_rotation:v:0 %d %s-i %s -c copy -map 0:v"
                .formatted(turned, mirrored ? "-display_hflip:v:0 " : "", flat));
    TranscodeResult result =
        TestingJobs.run(
            TestingJobs.request(source, directory.resolve("out")).withLadder(LadderSpec.auto()),
            "cpu:1");
    boolean upright = turned % 180 != 0;
    assertThat(result.rungs().getFirst().width()).isEqualTo(upright ? 90 : 160);
    assertThat(result.rungs().getFirst().height()).isEqualTo(upright ? 160 : 90);
    byte[] expected = thumbnail(source);
    byte[] made = thumbnail(result.rungs().getFirst().manifest());
    assertThat(made).hasSameSizeAs(expected);
    for (int i = 0; i < made.length; i++) {
      assertThat((made[i] & 255) - (expected[i] & 255)).as("sample %d", i).isBetween(-30, 30);
    }
  }

  /** The first picture as ffmpeg shows it, in a few samples. */
  private static byte[] thumbnail(Path file) {
    return TestingFfmpeg.ffmpeg(
            "-i",
            file.toString(),
            "-frames:v",
            "1",
            "-vf",
            "scale=8:8:flags=area,format=gray",
            "-f",
            "rawvideo",
            "-")
        .getBytes(StandardCharsets.ISO_8859_1);
  }

  @Test
  void surroundSoundAndSeveralTracksAreKept() throws Exception {
    Path source =
        TestingClips.clip(
            "tracks.mkv",
            PICTURE
                + SOUND
                + "-f lavfi -i anoisesrc=r=48000:d=1 -t 1 -map 0:v -map 1:a -map 2:a"
                + " -c:v libopenh264 -c:a ac3 -ac:a:0 6 -ac:a:1 2"
                + " -metadata:s:a:0 language=eng -metadata:s:a:1 language=deu");
    Path output = directory.resolve("out");
    TestingJobs.run(TestingJobs.request(source, output), "cpu:1");
    String master = Files.readString(output.resolve("master.m3u8"));
    assertThat(master)
        .contains("CHANNELS=\"6\"", "CHANNELS=\"2\"", "LANGUAGE=\"en\"", "LANGUAGE=\"de\"");
    TestingFfmpeg.decodesCleanly(output.resolve("audio-1/index.m3u8"));
    TestingFfmpeg.decodesCleanly(output.resolve("audio-2/index.m3u8"));
  }

  @Test
  void whatCannotBeReadIsRefusedAndNothingLooksFinished() throws Exception {
    Path good = TestingClips.usual();
    Path secret = Files.writeString(directory.resolve("secret.txt"), "hidden");
    Path playlist =
        Files.writeString(
            directory.resolve("list.mp4"),
            "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\nfile://%s\n#EXT-X-ENDLIST\n"
                .formatted(good));
    Path script =
        Files.writeString(
            directory.resolve("script.mp4"), "ffconcat version 1.0\nfile '%s'\n".formatted(good));
    Path locked =
        TestingClips.clip(
            "locked.mp4",
            PICTURE
                + "-t 1 -c:v libopenh264 -encryption_scheme cenc-aes-ctr"
                + " -encryption_key 00112233445566778899aabbccddeeff"
                + " -encryption_kid 112233445566778899aabbccddeeff00");
    Path sound = TestingClips.clip("sound.mka", SOUND + "-t 1 -c:a libopus");
    byte[] bytes = Files.readAllBytes(good);
    Path cut = Files.write(directory.resolve("cut.mp4"), Arrays.copyOf(bytes, 2_000));
    Path empty = Files.write(directory.resolve("empty.mp4"), new byte[0]);
    Path absent = directory.resolve("absent.mp4");
    for (Path bad :
        List.of(secret, playlist, script, sound, locked, cut, empty, absent, directory)) {
      Path output = directory.resolve("out-" + bad.getFileName());
      assertThatThrownBy(() -> TestingJobs.run(TestingJobs.request(bad, output), "cpu:1"))
          .as(bad.toString())
          .isInstanceOf(TranscodeException.Unreadable.class)
          .hasMessageContaining(bad.getFileName().toString());
      assertThat(output.resolve("master.m3u8")).doesNotExist();
    }
  }

  @Test
  void anExcerptBeginsAndEndsWhereItIsToldTo() throws Exception {
    Path source = TestingClips.usual();
    TranscodeResult result =
        TestingJobs.run(
            TestingJobs.request(source, directory.resolve("out"))
                .withStart(Duration.ofMillis(1_500))
                .withEnd(Duration.ofMillis(4_500)),
            "cpu:1");
    assertThat(result.rungs()).extracting(TranscodeResult.RungResult::frames).containsOnly(90L);
    assertThat(result.leadInFrames()).isPositive();
  }
}
