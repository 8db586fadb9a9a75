package dev.fairlead.media.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.fairlead.media.TestingClips;
import dev.fairlead.media.TestingFfmpeg;
import dev.fairlead.media.plan.LadderSpec;
import dev.fairlead.media.plan.OutputFormat;
import dev.fairlead.media.plan.TranscodeRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sources whose times begin again, as recorders make them. */
class BeginAgainTest {
  private static final String SOURCES =
      "-f lavfi -i testsrc2=s=160x90:r=25 -f lavfi -i sine=f=440:r=48000 ";

  @TempDir private Path directory;

  private final List<String> notices = Collections.synchronizedList(new ArrayList<>());

  private TranscodeRequest request(Path source, String output) {
    return TestingJobs.request(source, directory.resolve(output))
        .withLadder(LadderSpec.parse("160x90"))
        .withFormat(OutputFormat.BOTH);
  }

  private TranscodeResult run(TranscodeRequest request, String chaos) throws Exception {
    return TestingJobs.run(
        request,
        "cpu:1",
        chaos.isEmpty() ? ChaosPlan.none() : ChaosPlan.parse(chaos),
        Duration.ofSeconds(60),
        event -> {
          if (event instanceof TranscodeListener.Event.Noticed noticed) {
            notices.add(noticed.what());
          }
        });
  }

  private Path joined(Path... parts) throws IOException {
    Path all = directory.resolve("joined.ts");
    for (Path part : parts) {
      Files.write(
          all, Files.readAllBytes(part), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
    return all;
  }

  private static double seconds(Path file, String stream) {
    return TestingFfmpeg.ffprobe(
            "-select_streams",
            stream,
            "-show_entries",
            "packet=pts_time,duration_time",
            "-of",
            "csv=p=0",
            file.toString())
        .lines()
        .filter(line -> !line.isBlank())
        .map(line -> line.split(","))
        .mapToDouble(parts -> Double.parseDouble(parts[0]) + Double.parseDouble(parts[1]))
        .max()
        .orElseThrow();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"mp2", "aac", "ac3"})
  void timesThatBeginAgainGoOnInEveryTrack(String codec) throws Exception {
    Path part =
        TestingClips.clip(
            "part-" + codec + ".ts", SOURCES + "-t 4 -c:v mpeg2video -bf 2 -g 10 -c:a " + codec);
    run(request(joined(part, part, part), "out"), "");
    Path made = directory.resolve("out/90p.mp4");
    List<Double> times = TestingJobs.times(made);
    assertThat(times).hasSize(300);
    for (int i = 0; i < times.size(); i++) {
      assertThat(times.get(i)).as("picture %d", i).isCloseTo(i * 0.04, within(0.05));
    }
    assertThat(seconds(made, "a:0")).isCloseTo(12.0, within(0.1));
    assertThat(notices).anyMatch(what -> what.contains("begin again 2 times"));
    TestingFfmpeg.decodesCleanly(made);
  }

  @Test
  void aJumpAheadIsNoPause() throws Exception {
    Path part =
        TestingClips.clip("part-mp2.ts", SOURCES + "-t 4 -c:v mpeg2video -bf 2 -g 10 -c:a mp2");
    Path later =
        TestingClips.clip(
            "later.ts",
            SOURCES + "-t 4 -c:v mpeg2video -bf 2 -g 10 -c:a mp2 -output_ts_offset 5000");
    run(request(joined(part, later), "out"), "");
    Path made = directory.resolve("out/90p.mp4");
    assertThat(TestingJobs.times(made)).hasSize(200);
    assertThat(TestingJobs.times(made).getLast()).isCloseTo(7.96, within(0.05));
    assertThat(seconds(made, "a:0")).isCloseTo(8.0, within(0.1));
  }

  @Test
  void anotherWorkerAndAnExcerptSeeTheSameTimes() throws Exception {
    Path part =
        TestingClips.clip("part-mp2.ts", SOURCES + "-t 4 -c:v mpeg2video -bf 2 -g 10 -c:a mp2");
    Path source = joined(part, part);
    run(request(source, "calm"), "");
    TranscodeResult disturbed = run(request(source, "disturbed"), "kill@90p/1,kill@90p/3");
    assertThat(disturbed.workerRestarts()).isEqualTo(2);
    assertThat(TestingJobs.hashes(directory.resolve("disturbed")))
        .isEqualTo(TestingJobs.hashes(directory.resolve("calm")));
    TranscodeResult excerpt =
        run(
            request(source, "excerpt")
                .withStart(Duration.ofSeconds(3))
                .withEnd(Duration.ofSeconds(5)),
            "");
    assertThat(excerpt.rungs().getFirst().frames()).isEqualTo(50);
    assertThat(excerpt.leadInFrames()).as("decoded before").isLessThan(25);
    assertThat(seconds(directory.resolve("excerpt/90p.mp4"), "a:0")).isCloseTo(2.0, within(0.05));
  }
}
