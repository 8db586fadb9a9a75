package dev.fairlead.media.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.TestingClips;
import dev.fairlead.media.TestingFfmpeg;
import dev.fairlead.media.plan.LadderSpec;
import dev.fairlead.media.plan.PictureChoice;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** High dynamic range that a source describes in its stream only, or not at all. */
class HdrTest {
  private static final String PICTURE =
      "-f lavfi -i testsrc2=s=64x64:r=25 -t 0.2 -pix_fmt yuv420p10le -c:v libsvtav1 -preset 13 ";

  @TempDir private Path directory;

  private final List<TranscodeListener.Event> events =
      Collections.synchronizedList(new ArrayList<>());

  private Path made(Path source, PictureChoice.Hdr hdr) throws Exception {
    return TestingJobs.run(
            TestingJobs.request(source, directory.resolve("out"))
                .withLadder(LadderSpec.auto())
                .withPicture(
                    new PictureChoice(Optional.empty(), PictureChoice.Deinterlace.AUTO, hdr)),
            "cpu:1",
            ChaosPlan.none(),
            Duration.ofSeconds(60),
            events::add)
        .rungs()
        .getFirst()
        .manifest();
  }

  private static String entries(Path file, String entries) {
    return TestingFfmpeg.ffprobe(
        "-select_streams", "v:0", "-show_entries", entries, "-of", "default", file.toString());
  }

  /** A source whose stream says with its first picture how it was mastered; no file says it. */
  private Path hdr10() throws Exception {
    Path plain =
        TestingClips.clip(
            "plain.h264",
            "-f lavfi -i testsrc2=s=64x64:r=25 -t 0.2 -c:v libopenh264 -bsf:v h264_metadata="
                + "colour_primaries=9:transfer_characteristics=16:matrix_coefficients=9");
    String told =
        """
        00000001 06
        89 18  33c2 86c4  1d4c 0bb8  84d0 3e80  3d13 4042  00989680 0000030005
        90 04  03e8 0190
        80
        """;
    String stream = HexFormat.of().formatHex(Files.readAllBytes(plain));
    int picture = stream.indexOf("00000165");
    assertThat(picture).as("where the first picture begins").isPositive();
    byte[] whole =
        HexFormat.of()
            .parseHex(
                stream.substring(0, picture)
                    + told.replaceAll("\\s", "")
                    + stream.substring(picture));
    Path raw = Files.write(directory.resolve("hdr10.h264"), whole);
    Path file = directory.resolve("hdr10.mkv");
    TestingFfmpeg.ffmpeg("-i", raw.toString(), "-c", "copy", file.toString());
    return file;
  }

  @Test
  void masteringAndLightLevelOfTheStreamAreKept() throws Exception {
    Path source = hdr10();
    assertThat(entries(source, "stream_side_data")).as("the container").doesNotContain("max_");
    Path manifest = made(source, PictureChoice.Hdr.KEEP);
    assertThat(entries(manifest, "stream_side_data"))
        .contains(
            "red_x=34000/50000",
            "max_luminance=10000000/10000",
            "max_content=1000",
            "max_average=400");
  }

  @ParameterizedTest
  @EnumSource
  void primariesThatAreMissingAreTakenToBeThoseOfBt2020(PictureChoice.Hdr hdr) throws Exception {
    Path source = TestingClips.clip("pq.mkv", PICTURE + "-vf setparams=color_trc=smpte2084");
    Path manifest = made(source, hdr);
    assertThat(entries(manifest, "stream=color_primaries,color_space,color_transfer"))
        .contains(
            hdr == PictureChoice.Hdr.KEEP
                ? new String[] {"=bt2020\n", "=bt2020nc\n", "=smpte2084\n"}
                : new String[] {"primaries=bt709\n", "space=bt709\n", "transfer=bt709\n"});
    TestingFfmpeg.decodesCleanly(manifest);
    assertThat(((TranscodeListener.Event.Planned) events.getFirst()).plan().notes())
        .anyMatch(note -> note.contains("BT.2020"));
  }
}
