package dev.fairlead.media.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.TestingClips;
import dev.fairlead.media.TestingFfmpeg;
import dev.fairlead.media.plan.PictureChoice;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.media.plan.VideoCodec;
import dev.fairlead.media.source.Rational;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What playlists and init segments say of a whole package. */
class ConformanceTest {
  @TempDir private Path directory;

  private Path output() {
    return directory.resolve("out");
  }

  private TranscodeResult run(TranscodeRequest request) throws Exception {
    return TestingJobs.run(request, "cpu:2");
  }

  private List<String> values(Path file, String pattern) throws IOException {
    return Pattern.compile(pattern)
        .matcher(Files.readString(file))
        .results()
        .map(MatchResult::group)
        .toList();
  }

  @Test
  void allPlaylistsShareATargetDuration() throws Exception {
    run(TestingJobs.request(TestingClips.usual(), output()));

    try (Stream<Path> files = Files.walk(output())) {
      List<Path> playlists = files.filter(file -> file.endsWith("index.m3u8")).toList();
      assertThat(playlists)
          .hasSize(3)
          .allSatisfy(playlist ->
              assertThat(values(playlist, "TARGETDURATION:\\d+"))
                  .containsExactly("TARGETDURATION:4"));
    }
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          usual   | -r 30 -frames:v 60 -c:v libopenh264                    |       | 30.000
          limited | -r 30 -frames:v 60 -c:v libopenh264                    | 10    | 10.000
          film    | -r 24000/1001 -frames:v 60 -c:v libopenh264            |       | 23.976
          uneven  | -vf select=gt(n\\,60)+not(mod(n\\,2)) -fps_mode vfr -frames:v 80 -c:v ffv1 | | 30.000
          slides  | -vf select=not(mod(n\\,90)) -fps_mode vfr -frames:v 3 -c:v ffv1 | | 0.333
          """)
  void theFrameRateIsTheLargestOfTheOutput(
      String name, String arguments, String most, String expected) throws Exception {
    Path source =
        TestingClips.clip(
            "shown-%s.mkv".formatted(name), "-f lavfi -i testsrc2=s=64x64:r=30 " + arguments);
    Optional<Rational> maxFps =
        Optional.ofNullable(most).map(rate -> new Rational(Integer.parseInt(rate), 1));

    run(
        TestingJobs.request(source, output())
            .withPicture(
                new PictureChoice(
                    maxFps, PictureChoice.Deinterlace.AUTO, PictureChoice.Hdr.TONEMAP)));

    assertThat(values(output().resolve("master.m3u8"), "(?<=FRAME-RATE=)[0-9.]+"))
        .isNotEmpty()
        .containsOnly(expected);
  }

  @ParameterizedTest
  @EnumSource(
      value = VideoCodec.class,
      names = {"AV1", "H264"})
  void everyRungSaysItsColoursAndAllSayTheSame(VideoCodec codec) throws Exception {
    TranscodeResult result =
        run(TestingJobs.request(TestingClips.usual(), output()).withCodec(codec));

    assertThat(result.rungs())
        .hasSize(2)
        .allSatisfy(rung -> {
          Path init = rung.manifest().resolveSibling("init.mp4");
          assertThat(Files.readString(init, StandardCharsets.ISO_8859_1))
              .contains("colrnclx\0\1\0\1\0\6\0");
          assertThat(
                  TestingFfmpeg.ffprobe(
                      "-show_entries",
                      "stream=color_range,color_space,color_transfer,color_primaries",
                      "-of",
                      "csv=p=0",
                      rung.manifest().toString()))
              .contains("tv,smpte170m,bt709,bt709");
        });
  }
}
