package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is wrong with a command line is said before anything is done. */
class TranscodeUsageTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--format avi | --format",
        "--ladder huge | huge",
        "--codec vp9 | --codec",
        "--preset 14 | preset is 14",
        "--preset fast | --preset",
        "--crf 99 | crf is 99",
        "--maxrate much | much",
        "--segment 0 | segment",
        "--audio mp3 | --audio",
        "--devices tpu | tpu",
        "--devices cpu:0 | cpu:0",
        "--placement luck | luck",
        "--strategy luck | luck",
        "--service anywhere | any-rung, helpers, per-rung",
        "--sessions-per-device 0 | --sessions-per-device is 0",
        "--devices cpu:1 --decode-device cpu:1 | --decode-device cpu:1 is not among the selected",
        "--decode-device cuda:0 | --decode-device cuda:0 is not among the selected",
        "--frames card | auto, device and host",
        "--max-fps quick | quick",
        "--start -1 | \"-1\" is no time",
        "--start 5 --end 2 | is not after the start",
        "--deinterlace on | --deinterlace",
        "--hdr drop | --hdr",
        "--mix loose | --mix",
        "--memory lots | lots",
        "--memory 0 | 0",
        "--chaos explode@1 | explode@1",
        "--hang-timeout 0 | --hang-timeout",
        "--frobnicate | --frobnicate"
      })
  void refusesWhatMakesNoSenseWithTwo(String options, String told) {
    List<Object> arguments = new ArrayList<>(List.of("transcode", "in.mp4", "-o", "out"));
    arguments.addAll(Arrays.asList(options.strip().split(" ")));

    TestingCommand run = TestingCommand.run(arguments.toArray());

    assertThat(run.code()).as(run.err()).isEqualTo(2);
    assertThat(run.err())
        .hasLineCount(1)
        .contains(told.strip())
        .contains("fairlead transcode --help");
    assertThat(run.out()).isEmpty();
  }

  @Test
  void needsAnInputAndAnOutput() {
    assertThat(TestingCommand.run("transcode", "-o", "out").code()).isEqualTo(2);
    assertThat(TestingCommand.run("transcode", "in.mp4").code()).isEqualTo(2);
    assertThat(TestingCommand.run("transcode", "in.mp4").err()).contains("--output");
  }

  @Test
  void theFormerWordsForPlacementAndServiceAreTaken() {
    TestingCommand run =
        TestingCommand.run(
            "transcode",
            "in.mp4",
            "-o",
            "out",
            "--devices",
            "amd",
            "--strategy",
            "weighted",
            "--placement",
            "helpers");

    assertThat(run.code()).as(run.err()).isEqualTo(4);
  }

  @Test
  void anEmptySelectionEndsWithFourBeforeAnyWork() {
    TestingCommand run = TestingCommand.run("transcode", "in.mp4", "-o", "out", "--devices", "amd");

    assertThat(run.code()).isEqualTo(4);
    assertThat(run.err()).hasLineCount(1).contains("--devices amd", "fairlead devices");
  }

  @Test
  void inputsOfTheSameNameAreRefused() {
    TestingCommand run = TestingCommand.run("transcode", "a/x.mp4", "b/x.mp4", "-o", "out");

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("Two inputs are called x.mp4");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--report", "--trace"})
  void aFileAboutTheRunDoesNotReplaceTheInput(String option, @TempDir Path directory)
      throws IOException {
    Path input = Files.writeString(directory.resolve("in.mp4"), "video");
    Path link = Files.createSymbolicLink(directory.resolve("link.html"), input);
    for (Path file :
        List.of(input, link, directory.resolve("../" + directory.getFileName() + "/in.mp4"))) {
      TestingCommand run =
          TestingCommand.run("transcode", input, "-o", directory.resolve("out"), option, file);

      assertThat(run.code()).as(run.err()).isEqualTo(2);
      assertThat(run.err()).hasLineCount(1).contains(option, "the input");
      assertThat(input).hasContent("video");
      assertThat(directory.resolve("out")).doesNotExist();
    }
  }

  @Test
  void filesAboutTheRunDifferAndAreNoneOfThePackage(@TempDir Path directory) {
    Path out = directory.resolve("out");
    Path same = directory.resolve("same");
    assertThat(
            TestingCommand.run("transcode", "in.mp4", "-o", out, "--trace", same, "--report", same))
        .satisfies(run -> assertThat(run.code()).isEqualTo(2))
        .satisfies(run -> assertThat(run.err()).contains("--trace and --report"));
    for (String name : List.of("master.m3u8", "180p/index.m3u8", ".fairlead/journal")) {
      TestingCommand run =
          TestingCommand.run("transcode", "in.mp4", "-o", out, "--report", out.resolve(name));
      assertThat(run.code()).as(name).isEqualTo(2);
      assertThat(run.err()).contains("--report", "the package");
    }
  }

  @Test
  void anInputInTheOutputOfAnotherIsRefused(@TempDir Path directory) throws IOException {
    Path other = Files.createDirectories(directory.resolve("a")).resolve("180p.mp4");
    Files.writeString(other, "video");
    TestingCommand run =
        TestingCommand.run("transcode", "a.mp4", other, "-o", directory, "--restart");

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).hasLineCount(1).contains("180p.mp4", "output of a.mp4");
    assertThat(other).exists();
  }

  @Test
  void anEmptyOutputIsRefused() {
    TestingCommand run = TestingCommand.run("transcode", "in.mp4", "-o", "");

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).hasLineCount(1).contains("--output is empty");
  }
}
