package dev.fairlead.media.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.fairlead.media.TestingClips;
import dev.fairlead.media.TestingFfmpeg;
import dev.fairlead.media.plan.LadderSpec;
import dev.fairlead.media.plan.Pumps;
import dev.fairlead.media.plan.TranscodeRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Interlaced sources, whose pictures are made of those beside them too. */
class FieldsTest {
  private static final String FIELDS =
      "-f lavfi -i testsrc2=s=160x90:r=25,setfield=tff -t 8 -flags +ildct+ilme -c:v mpeg2video -b:v 1M ";
  private static final Pumps FOUR = new Pumps(4, 4, 1);

  @TempDir private Path directory;

  private TranscodeRequest request(Path source, String output) {
    return TestingJobs.request(source, directory.resolve(output))
        .withLadder(LadderSpec.parse("160x90"));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"fields-key.mkv, -g 25", "fields-open.mkv, -g 17 -bf 2", "fields.ts, -g 25"})
  void whereDecodingBeginsDoesNotShow(String name, String arguments) throws Exception {
    Path source = TestingClips.clip(name, FIELDS + arguments);
    TestingJobs.run(request(source, "calm"), "cpu:1", ChaosPlan.none(), Pumps.one());
    for (Pumps pumps : List.of(Pumps.one(), FOUR)) {
      String output = "out" + pumps.most();
      assertThatThrownBy(() ->
              TestingJobs.run(
                  request(source, output), "cpu:1", ChaosPlan.parse("throw@90p/2x*"), pumps))
          .isInstanceOf(TranscodeException.GaveUp.class);
      TestingJobs.run(request(source, output), "cpu:1", ChaosPlan.none(), pumps);
      assertThat(TestingJobs.hashes(directory.resolve(output)))
          .as(pumps.toString())
          .isEqualTo(TestingJobs.hashes(directory.resolve("calm")));
    }
  }

  @Test
  void theFirstPictureOfAnExcerptIsMadeLikeAnyOther() throws Exception {
    Path source = TestingClips.clip("fields-key.mkv", FIELDS + "-g 25");
    TestingJobs.run(request(source, "whole"), "cpu:1");
    TestingJobs.run(request(source, "part").withStart(Duration.ofSeconds(4)), "cpu:1");
    String whole = firstPicture("whole", "4");
    assertThat(firstPicture("part", "0")).isEqualTo(whole);
  }

  /** The hash of the picture at a time. */
  private String firstPicture(String output, String seconds) {
    return TestingFfmpeg.ffmpeg(
        "-ss",
        seconds,
        "-i",
        directory.resolve(output).resolve("90p/index.m3u8").toString(),
        "-frames:v",
        "1",
        "-f",
        "md5",
        "-");
  }

  @Test
  void theLastPictureLastsAsLongAsItDidInTheSource() throws Exception {
    Path source = TestingClips.clip("fields-key.mkv", FIELDS + "-g 25");
    TestingJobs.run(request(source, "out"), "cpu:1");
    String durations =
        TestingFfmpeg.ffprobe(
            "-show_entries",
            "packet=duration_time",
            "-of",
            "csv=p=0",
            directory.resolve("out/90p/index.m3u8").toString());
    assertThat(durations.lines().filter(line -> !line.isBlank()).toList())
        .hasSize(200)
        .allSatisfy(line ->
            assertThat(Double.parseDouble(line.replace(",", ""))).isCloseTo(0.04, within(0.001)));
  }
}
