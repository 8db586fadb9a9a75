package dev.fairlead.media.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.TestingClips;
import dev.fairlead.media.plan.OutputFormat;
import dev.fairlead.media.plan.PictureChoice;
import dev.fairlead.media.plan.VideoCodec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Programs of others find nothing to complain of in packages of all kinds of sources. */
class JudgesTest {
  private static final String PICTURE = "-f lavfi -i testsrc2=s=320x180:r=25 ";
  private static final String SOUND = "-f lavfi -i sine=r=48000 ";

  @TempDir private Path directory;

  @ParameterizedTest(name = "{0} as {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          aac.mp4      | AV1  | PICTURE SOUND -t 5 -c:v libopenh264 -g 25 -c:a aac
          two.mkv      | H264 | PICTURE SOUND SOUND -t 3 -map 0 -map 1 -map 2 -c:v libopenh264 -c:a:0 aac -c:a:1 flac -metadata:s:a:1 language=ger
          opus.webm    | AV1  | PICTURE SOUND -t 3 -c:v libvpx-vp9 -cpu-used 8 -c:a libopus -ac 6
          hdr.mkv      | AV1  | PICTURE -t 1 -pix_fmt yuv420p10le -vf setparams=color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc -c:v libsvtav1 -preset 13
          uneven.mkv   | AV1  | PICTURE SOUND -t 5 -vf select=gt(n\\,60)+not(mod(n\\,7)) -fps_mode vfr -c:v ffv1 -c:a pcm_s16le
          film.ts      | AV1  | -f lavfi -i testsrc2=s=720x576:r=24000/1001 SOUND -t 3 -c:v mpeg2video -c:a aac
          fast.mp4     | AV1  | -f lavfi -i testsrc2=s=320x180:r=300 -frames:v 60 -c:v libopenh264
          fields.ts    | AV1  | -f lavfi -i testsrc2=s=320x180:r=25,setfield=tff SOUND -t 3 -c:v mpeg2video -b:v 1M -flags +ildct+ilme -c:a mp2
          full.avi     | AV1  | PICTURE SOUND -t 2 -pix_fmt yuvj420p -c:v mjpeg -c:a pcm_s16le
          turned.mp4   | AV1  | -display_rotation 180 PICTURE SOUND -t 2 -c:v libopenh264 -c:a aac
          late.mp4     | H264 | PICTURE -itsoffset 0.7 SOUND -t 3 -c:v libopenh264 -c:a aac
          cut.mp4      | H264 | -f lavfi -i testsrc2=s=320x180:r=25,negate=enable='gt(t\\,0.5)' -t 2.5 -c:v libopenh264
          """)
  void nobodyComplains(String name, VideoCodec codec, String arguments) throws Exception {
    Path source =
        TestingClips.clip(
            "judged-" + name, arguments.replace("PICTURE ", PICTURE).replace("SOUND ", SOUND));
    judge(source, codec);
  }

  /** Its times begin again in the middle. */
  @Test
  void nobodyComplainsOfARecordingThatWasJoinedToItself() throws Exception {
    byte[] once =
        Files.readAllBytes(
            TestingClips.clip(
                "judged-once.ts",
                "-f lavfi -i testsrc2=s=320x180:r=25 %s-t 4 -c:v mpeg2video -c:a aac"
                    .formatted(SOUND)));
    Path joined = directory.resolve("joined.ts");
    Files.write(joined, once);
    Files.write(joined, once, StandardOpenOption.APPEND);
    judge(joined, VideoCodec.AV1);
  }

  private void judge(Path source, VideoCodec codec) throws Exception {
    Path output = directory.resolve("out");
    TestingJobs.run(
        TestingJobs.request(source, output)
            .withCodec(codec)
            .withFormat(OutputFormat.BOTH)
            .withPicture(
                new PictureChoice(
                    Optional.empty(), PictureChoice.Deinterlace.AUTO, PictureChoice.Hdr.KEEP)),
        "cpu:2");

    String master = Files.readString(output.resolve("master.m3u8"));
    JsonNode said =
        TestingJudges.judge(output, Files.createDirectory(directory.resolve("scratch")));

    assertThat(said.path("complaints")).as(said.toPrettyString()).isEmpty();
    assertThat(said.path("playlists").propertyStream().map(each -> each.getValue()))
        .extracting(playlist -> playlist.path("targetDuration").asInt())
        .filteredOn(seconds -> seconds > 0)
        .hasSizeGreaterThan(1)
        .containsOnly(said.path("playlists").path("90p/index.m3u8").path("targetDuration").asInt());
    assertThat(said.path("tracks").propertyStream().toList())
        .hasSizeGreaterThan(3)
        .allSatisfy(track -> {
          boolean sound = track.getKey().startsWith("audio");
          assertThat(track.getValue().path("boxes").valueStream().map(JsonNode::asString))
              .as(track.getKey())
              .contains("btrt")
              .contains(sound ? new String[] {"sgpd", "sbgp"} : new String[] {"colr", "pasp"});
          assertThat(track.getValue().path("colour"))
              .as("colours of %s", track.getKey())
              .isEqualTo(said.path("tracks").path(sound ? track.getKey() : "90p").path("colour"));
          assertThat(track.getValue().path("shaka"))
              .as("codecs of %s", track.getKey())
              .isNotEmpty()
              .allSatisfy(seen -> assertThat(master).contains(seen.asString()));
        });
  }
}
