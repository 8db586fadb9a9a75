package dev.fairlead.media.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.TestingClips;
import dev.fairlead.media.plan.OutputFormat;
import dev.fairlead.media.plan.TranscodeRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Subtitles made of text become WebVTT, in step with the video. */
class SubtitlesTest {
  private static final String SRT =
      """
      1
      00:00:00,500 --> 00:00:01,250
      Hello <i>there</i>
      & welcome

      2
      00:00:01,900 --> 00:00:02,600
      Across two segments

      """;

  @TempDir private Path directory;

  private Path clip(String name, String codec) throws Exception {
    Path srt = Files.writeString(directory.resolve("words.srt"), SRT);
    return TestingClips.clip(
        name,
        "-f lavfi -i testsrc2=s=160x90:r=25 -i %s -t 3 -map 0:v -map 1:s -c:v libopenh264 -c:s %s"
                .formatted(srt, codec)
            + " -metadata:s:s:0 language=eng -metadata:s:s:0 title=English");
  }

  private TranscodeRequest request(Path source) {
    return TestingJobs.request(source, directory.resolve("out")).withSegment(Duration.ofSeconds(2));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"words.mkv,srt", "styled.mkv,ass", "words.mp4,mov_text"})
  void textBecomesWebVttInTheSegmentsOfTheVideo(String name, String codec) throws Exception {
    TestingJobs.run(request(clip(name, codec)), "cpu:1");
    Path output = directory.resolve("out");
    assertThat(output.resolve("master.m3u8"))
        .content()
        .contains("TYPE=SUBTITLES,GROUP-ID=\"subtitles\"")
        .contains("LANGUAGE=\"en")
        .contains("URI=\"subtitles-1/index.m3u8\"")
        .contains(",SUBTITLES=\"subtitles\"");
    assertThat(output.resolve("subtitles-1/index.m3u8")).content().contains("segment-00002.vtt");
    assertThat(output.resolve("subtitles-1/segment-00001.vtt"))
        .content()
        .startsWith("WEBVTT\n")
        .contains("00:00:00.500 --> 00:00:01.250\nHello there\n&amp; welcome\n")
        .contains("00:00:01.900 --> 00:00:02.600\nAcross two segments");
    assertThat(output.resolve("subtitles-1/segment-00002.vtt"))
        .content()
        .contains("Across two segments")
        .doesNotContain("Hello");
  }

  @Test
  void anExcerptHasItsOwnTimesAndAFileItsOwnSubtitles() throws Exception {
    TranscodeRequest request =
        request(clip("words.mkv", "srt"))
            .withFormat(OutputFormat.MP4)
            .withStart(Duration.ofSeconds(1));
    TestingJobs.run(request, "cpu:1");
    List<String> lines = Files.readAllLines(directory.resolve("out/subtitles-1.vtt"));
    assertThat(lines).contains("00:00:00.000 --> 00:00:00.250", "00:00:00.900 --> 00:00:01.600");
  }
}
