package dev.fairlead.media.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.TestingClips;
import dev.fairlead.media.plan.VideoCodec;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** A real browser plays what was made: time goes on, seeks work in every rung, and it ends. */
class PlaybackTest {
  @TempDir private Path directory;

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {"cpu:2", "cpu:1@svt,cpu:1@aom"})
  void chromiumPlaysThePackage(String devices) throws Exception {
    Path output = directory.resolve("out");
    TranscodeResult made =
        TestingJobs.run(TestingJobs.request(TestingClips.usual(), output), devices);
    assertThat(made.devices())
        .extracting(TranscodeResult.DeviceResult::chunks)
        .as("chunks of both")
        .allMatch(chunks -> chunks > 0);

    assertThat(played(output).path("levels")).hasSize(2);
  }

  @Test
  void chromiumPlaysSoundInTwoCodecs() throws Exception {
    Path source =
        TestingClips.clip(
            "sounds.mkv",
            "-f lavfi -i testsrc2=s=320x180:r=30 -f lavfi -i sine=f=440:r=48000 -t 6 -map 0 -map 1"
                + " -map 1 -c:v libopenh264 -g 30 -c:a:0 aac -c:a:1 flac");
    Path output = directory.resolve("out");
    TestingJobs.run(TestingJobs.request(source, output).withCodec(VideoCodec.H264), "cpu:2");
    assertThat(Files.readString(output.resolve("master.m3u8"))).contains(",mp4a.40.2\"", ",opus\"");

    played(output);
  }

  private JsonNode played(Path output) throws Exception {
    JsonNode seen =
        TestingBrowser.play(output, Files.createDirectory(directory.resolve("profile")));

    assertThat(seen.path("ok").asBoolean()).as(seen.toPrettyString()).isTrue();
    assertThat(seen.path("duration").asDouble()).isBetween(5.95, 6.1);
    assertThat(seen.path("events")).as("errors").isEmpty();
    assertThat(seen.path("corrupted").asInt()).isZero();
    assertThat(seen.path("frames").asInt()).isGreaterThan(60);
    return seen;
  }
}
