package dev.fairlead.media.pack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.TestingFfmpeg;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WebVttTest {
  @TempDir Path directory;

  @Test
  void writesCuesInOrder() throws IOException {
    Path file = directory.resolve("all.vtt");

    WebVtt.write(
        file,
        List.of(
            cue(3_661_500, 3_662_000, "later"),
            cue(-500, 1000, "first\nsecond"),
            cue(2000, 2000, "never shown"),
            cue(4000, 5000, " \n\u0000")));

    assertThat(Files.readString(file))
        .isEqualTo(
            """
            WEBVTT
            X-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000

            00:00:00.000 --> 00:00:01.000
            first
            second

            01:01:01.500 --> 01:01:02.000
            later
            """);
  }

  @Test
  void hostileTextStaysInsideItsCue() throws IOException {
    Path file = directory.resolve("all.vtt");
    String hostile =
        "a <b> & c\r\n\r\n00:00:05.000 --> 00:00:09.000\u2028\nSTYLE\n\n\n::cue{}\u0000\ud800";

    WebVtt.write(file, List.of(cue(0, 1000, hostile)));

    assertThat(Files.readString(file))
        .endsWith(
            """
            00:00:00.000 --> 00:00:01.000
            a &lt;b&gt; &amp; c
            00:00:05.000 --&gt; 00:00:09.000
            STYLE
            ::cue{}
            """);
    assertThat(
            TestingFfmpeg.ffprobe(
                "-show_entries",
                "packet=pts_time,duration_time",
                "-of",
                "csv=p=0",
                file.toString()))
        .isEqualToIgnoringNewLines("0.000000,1.000000");
  }

  @Test
  void aCueStandsInEverySegmentThatShowsIt() throws IOException {
    List<Segment> grid = Collections.nCopies(3, new Segment("v.m4s", 1, 2, 1, ""));

    List<Segment> segments =
        WebVtt.writeSegments(
            Publication.plain(),
            directory,
            List.of(cue(1000, 2000, "one"), cue(3000, 4500, "two")),
            grid,
            2);

    assertThat(segments).hasSize(3);
    assertThat(text(segments.get(0))).contains("one").doesNotContain("two");
    assertThat(text(segments.get(1))).contains("two").doesNotContain("one");
    assertThat(text(segments.get(2))).contains("00:00:03.000 --> 00:00:04.500\ntwo");
    assertThat(Files.readString(directory.resolve("index.m3u8")))
        .contains("#EXTINF:2.000000,\nsegment-00003.vtt\n#EXT-X-ENDLIST")
        .doesNotContain("MAP");
  }

  private String text(Segment segment) throws IOException {
    return Files.readString(directory.resolve(segment.name()));
  }

  private static WebVtt.Cue cue(long from, long to, String text) {
    return new WebVtt.Cue(Duration.ofMillis(from), Duration.ofMillis(to), text);
  }
}
