package dev.fairlead.media.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.fairlead.media.TestingClips;
import dev.fairlead.media.TestingFfmpeg;
import dev.fairlead.media.plan.AudioMode;
import dev.fairlead.media.plan.LadderSpec;
import dev.fairlead.media.plan.OutputFormat;
import dev.fairlead.media.plan.TranscodeRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** No sound is short, shifted or lost, judged by the bundled ffprobe. */
class SoundTest {
  private static final String PICTURE = "-f lavfi -i testsrc2=s=160x90:r=5 ";
  private static final String SOUND = "-f lavfi -i sine=f=440:r=48000 ";

  @TempDir private Path directory;

  private final List<String> notices = Collections.synchronizedList(new ArrayList<>());

  /** A packet of sound as ffprobe sees it, in samples. */
  private record Packet(long pts, long duration) {
    long end() {
      return pts + duration;
    }
  }

  private Path output() {
    return directory.resolve("out");
  }

  private TranscodeRequest request(Path source) {
    return TestingJobs.request(source, output())
        .withLadder(LadderSpec.parse("160x90"))
        .withFormat(OutputFormat.BOTH);
  }

  private TranscodeResult run(TranscodeRequest request) throws Exception {
    return run(request, ChaosPlan.none());
  }

  private TranscodeResult run(TranscodeRequest request, ChaosPlan chaos) throws Exception {
    return TestingJobs.run(
        request,
        "cpu:1",
        chaos,
        Duration.ofSeconds(60),
        event -> {
          if (event instanceof TranscodeListener.Event.Noticed noticed) {
            notices.add(noticed.what());
          } else if (event instanceof TranscodeListener.Event.Planned planned) {
            notices.addAll(planned.plan().notes());
          }
        });
  }

  /** The packets of the first audio track of a file whose ticks are samples. */
  private static List<Packet> packets(Path file) {
    return TestingFfmpeg.ffprobe(
            "-select_streams",
            "a:0",
            "-show_entries",
            "packet=pts,duration",
            "-of",
            "csv=p=0",
            file.toString())
        .lines()
        .filter(line -> !line.isBlank())
        .map(line -> line.split(","))
        .map(parts -> new Packet(Long.parseLong(parts[0]), Long.parseLong(parts[1])))
        .toList();
  }

  /** How long the playlist of a track says that it lasts. */
  private static double listed(Path playlist) throws IOException {
    return Files.readAllLines(playlist).stream()
        .filter(line -> line.startsWith("#EXTINF:"))
        .mapToDouble(line -> Double.parseDouble(line.substring(8, line.length() - 1)))
        .sum();
  }

  /** How loud a part of the first audio track is, in decibels of its peak. */
  private static double peak(Path file, double from, double seconds) {
    return peak(file, from, seconds, "");
  }

  private static double peak(Path file, double from, double seconds, String filters) {
    String text =
        TestingFfmpeg.ffmpeg(
            "-i",
            file.toString(),
            "-map",
            "0:a:0",
            "-af",
            "%satrim=start=%s:duration=%s,astats=metadata=1:reset=0,ametadata=print:file=-"
                .formatted(filters, from, seconds),
            "-f",
            "null",
            "-");
    return text.lines()
        .filter(line -> line.startsWith("lavfi.astats.Overall.Peak_level="))
        .map(line -> line.substring(line.indexOf('=') + 1))
        .mapToDouble(value -> value.equals("-inf") ? -200 : Double.parseDouble(value))
        .max()
        .orElseThrow();
  }

  private static void areWithoutGaps(List<Packet> packets) {
    for (int i = 1; i < packets.size(); i++) {
      assertThat(packets.get(i).pts()).as("packet %d", i).isEqualTo(packets.get(i - 1).end());
    }
  }

  @Test
  void copiedAacFromMatroskaLastsAsLongAsItsSamples() throws Exception {
    Path source =
        TestingClips.clip(
            "sound-aac.mkv", PICTURE + SOUND + "-t 60 -c:v libopenh264 -b:v 50k -c:a aac");
    run(request(source));
    for (Path made : List.of(output().resolve("90p.mp4"), output().resolve("audio-1/index.m3u8"))) {
      List<Packet> packets = packets(made);
      assertThat(packets).as(made.toString()).hasSameSizeAs(packets(source));
    }
    List<Packet> packets = packets(output().resolve("90p.mp4"));
    assertThat(packets).extracting(Packet::duration).containsOnly(1024L);
    areWithoutGaps(packets);
    assertThat(listed(output().resolve("audio-1/index.m3u8")))
        .isCloseTo(packets.getLast().end() / 48_000.0, within(0.0001));
  }

  @Test
  void everyPacketOfCopiedAacIsKeptAlsoThatWhichPrimes() throws Exception {
    Path source =
        TestingClips.clip(
            "sound-primed.mp4", PICTURE + SOUND + "-t 2 -c:v libopenh264 -b:v 50k -c:a aac");
    run(request(source));
    assertThat(packets(output().resolve("90p.mp4"))).isEqualTo(packets(source));
    assertThat(peak(output().resolve("90p.mp4"), 0, 0.02))
        .isCloseTo(peak(source, 0, 0.02), within(0.1));
  }

  @Test
  void aacFromATransportStreamIsCopied() throws Exception {
    Path source =
        TestingClips.clip(
            "sound-adts.ts", PICTURE + SOUND + "-t 2 -c:v libopenh264 -b:v 50k -c:a aac");
    run(request(source));
    assertThat(Files.readString(output().resolve("master.m3u8"))).contains("mp4a.40.2");
    TestingFfmpeg.decodesCleanly(output().resolve("90p.mp4"));
    TestingFfmpeg.decodesCleanly(output().resolve("audio-1/index.m3u8"));
    areWithoutGaps(packets(output().resolve("90p.mp4")));
  }

  @Test
  void soundWhoseLayoutChangesBecomesOneTrack() throws Exception {
    Path many = TestingClips.clip("layout-6.ac3", SOUND + "-t 2 -ac 6 -c:a ac3 -b:a 256k -f ac3");
    Path two = TestingClips.clip("layout-2.ac3", SOUND + "-t 2 -ac 2 -c:a ac3 -b:a 128k -f ac3");
    Path sound = directory.resolve("both.ac3");
    Files.write(sound, Files.readAllBytes(many));
    Files.write(sound, Files.readAllBytes(two), StandardOpenOption.APPEND);
    Path source = directory.resolve("layout.ts");
    TestingFfmpeg.ffmpeg(
        (PICTURE + "-i " + sound + " -t 4 -map 0:v -map 1:a -c:v mpeg2video -c:a copy " + source)
            .split(" "));
    run(request(source));
    Path made = output().resolve("90p.mp4");
    TestingFfmpeg.decodesCleanly(made);
    List<Packet> packets = packets(made);
    areWithoutGaps(packets);
    assertThat(packets.getLast().end() / 48_000.0).isCloseTo(4.0, within(0.07));
    assertThat(peak(made, 0.5, 1)).isGreaterThan(-40);
    assertThat(peak(made, 2.5, 1)).isGreaterThan(-40);
  }

  @Test
  void aTrackThatCannotBeDecodedCostsNothingButItself() throws Exception {
    Path good =
        TestingClips.clip(
            "sound-two.mkv",
            PICTURE
                + SOUND
                + "-t 2 -map 0:v -map 1:a -map 1:a -c:v libopenh264 -c:a:0 flac -c:a:1 ac3");
    byte[] bytes = Files.readAllBytes(good);
    byte[] name = "A_FLAC".getBytes(StandardCharsets.US_ASCII);
    int at = indexOf(bytes, name);
    bytes[at + 2] = 'X';
    Path source = Files.write(directory.resolve("unknown.mkv"), bytes);
    TranscodeResult result = run(request(source));
    assertThat(result.rungs().getFirst().frames()).isEqualTo(10);
    assertThat(notices).anyMatch(what -> what.contains("audio") && what.contains("left out"));
    assertThat(Files.readString(output().resolve("master.m3u8"))).contains("audio-2/index.m3u8");
    assertThat(output().resolve("audio-1/index.m3u8")).doesNotExist();
  }

  @Test
  void aTrackThatKillsEveryWorkerCostsNothingButItself() throws Exception {
    Path source =
        TestingClips.clip(
            "sound-pair.mkv",
            PICTURE + SOUND + "-t 2 -map 0:v -map 1:a -map 1:a -c:v libopenh264 -c:a ac3");
    TranscodeResult result = run(request(source), ChaosPlan.parse("crash@audio-1/0x*"));
    assertThat(result.rungs().getFirst().frames()).isEqualTo(10);
    assertThat(result.workerRestarts()).isBetween(3, 6);
    assertThat(notices)
        .anyMatch(what -> what.contains("audio-1 is left out") && what.contains("3 times"));
    assertThat(Files.readString(output().resolve("master.m3u8")))
        .contains("audio-2/index.m3u8")
        .doesNotContain("audio-1");
  }

  @Test
  void aTrackWhoseWorkerDiedComesOutTheSame() throws Exception {
    Path source =
        TestingClips.clip("sound-once.mkv", PICTURE + SOUND + "-t 2 -c:v libopenh264 -c:a ac3");
    run(request(source));
    SortedMap<String, String> before = TestingJobs.hashes(output());
    TranscodeResult result =
        run(request(source).withRestart(true), ChaosPlan.parse("kill@audio-1/0x2"));
    assertThat(result.workerRestarts()).isEqualTo(2);
    assertThat(TestingJobs.hashes(output())).isEqualTo(before);
  }

  private static int indexOf(byte[] bytes, byte[] part) {
    for (int at = 0; at + part.length <= bytes.length; at++) {
      if (Arrays.equals(bytes, at, at + part.length, part, 0, part.length)) {
        return at;
      }
    }
    throw new AssertionError("It is not there");
  }

  @Test
  void soundThatEndsBeforeTheStartCostsNothingButItself() throws Exception {
    for (String codec : List.of("aac", "ac3")) {
      notices.clear();
      Path source =
          TestingClips.clip(
              "sound-early-" + codec + ".mkv",
              PICTURE
                  + "-f lavfi -i sine=f=440:r=48000:d=1 -t 4 -c:v libopenh264 -g 5 -c:a "
                  + codec);
      TranscodeResult result =
          run(request(source).withStart(Duration.ofSeconds(2)).withRestart(true));
      assertThat(result.rungs().getFirst().frames()).isEqualTo(10);
      assertThat(notices).as(codec).anyMatch(what -> what.contains("left out"));
      assertThat(Files.readString(output().resolve("master.m3u8"))).doesNotContain("audio-1");
    }
  }

  @Test
  void anEmptyTrackCostsNothingButItself() throws Exception {
    for (String codec : List.of("aac", "ac3")) {
      notices.clear();
      Path source =
          TestingClips.clip(
              "sound-empty-" + codec + ".mkv",
              PICTURE + SOUND + "-t 1 -c:v libopenh264 -bsf:a noise=drop=1 -c:a " + codec);
      run(request(source).withRestart(true));
      assertThat(notices).as(codec).anyMatch(what -> what.contains("left out"));
    }
  }

  @Test
  void copiedSoundThatStartsLateOrHasAGapKeepsItsTimes() throws Exception {
    Path source =
        TestingClips.clip(
            "sound-gap.mkv",
            PICTURE
                + SOUND
                + "-t 8 -c:v libopenh264 -c:a aac"
                + " -bsf:a noise=drop=lt(pts*tb\\,1)+between(pts*tb\\,3\\,6)");
    run(request(source));
    Path made = output().resolve("90p.mp4");
    assertThat(peak(made, 0.1, 0.8)).isLessThan(-60);
    assertThat(peak(made, 1.2, 1.6)).isGreaterThan(-40);
    assertThat(peak(made, 3.2, 2.6)).isLessThan(-60);
    assertThat(peak(made, 6.2, 1.6)).isGreaterThan(-40);
    areWithoutGaps(packets(made));
    assertThat(packets(made).getLast().end() / 48_000.0).isCloseTo(8.0, within(0.05));
    assertThat(listed(output().resolve("audio-1/index.m3u8"))).isCloseTo(8.0, within(0.05));
    TestingFfmpeg.decodesCleanly(made);
    TestingFfmpeg.decodesCleanly(output().resolve("audio-1/index.m3u8"));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          jump.mkv   | PTS+gt(N\\,40)*90000000 | repaired
          frozen.mkv | min(PTS\\,2000)         |
          """)
  void copiedSoundGoesOnWhereItsTimesCannotBeTrue(String name, String times, String notice)
      throws Exception {
    Path plain =
        TestingClips.clip("sound-plain.mkv", PICTURE + SOUND + "-t 4 -c:v libopenh264 -c:a aac");
    Path source = TestingClips.clip(name, "-i " + plain + " -c copy -bsf:a setts=ts=" + times);
    run(request(source));
    assertThat(notices)
        .filteredOn(what -> what.contains("audio-1"))
        .allMatch(what -> notice != null && what.contains(notice))
        .hasSize(notice == null ? 0 : 1);
    List<Packet> packets = packets(output().resolve("90p.mp4"));
    areWithoutGaps(packets);
    assertThat(packets.getLast().end() / 48_000.0).isCloseTo(4.0, within(0.05));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"lead.ts,ac3", "lead.mkv,aac"})
  void soundBeforeTheFirstPictureIsKept(String name, String codec) throws Exception {
    Path source =
        TestingClips.clip(
            name,
            "-itsoffset 4.4 "
                + PICTURE
                + SOUND
                + "-t 7 -c:v mpeg2video -bf 0 -c:a "
                + codec
                + " -f "
                + (name.endsWith("ts") ? "mpegts" : "matroska"));
    run(request(source));
    Path made = output().resolve("90p.mp4");
    List<Double> times = TestingJobs.times(made);
    List<Double> shown = TestingJobs.times(source);
    assertThat(times).hasSameSizeAs(shown);
    assertThat(times.getFirst()).isZero();
    for (int i = 1; i < times.size(); i++) {
      assertThat(times.get(i)).isCloseTo(4.4 + shown.get(i) - shown.getFirst(), within(0.03));
    }
    assertThat(peak(made, 0.2, 4)).isGreaterThan(-40);
    assertThat(packets(made).getLast().end() / 48_000.0).isCloseTo(7.0, within(0.06));
    assertThat(notices).anyMatch(what -> what.matches("Sound begins 4.\\d+ s before .*"));
    assertThat(listed(output().resolve("90p/index.m3u8"))).isCloseTo(7.0, within(0.06));
    TestingFfmpeg.decodesCleanly(made);
  }

  @Test
  void whereOnePieceEndsAndTheNextBeginsNothingIsHeard() throws Exception {
    Path source =
        TestingClips.clip(
            "sound-long.mkv", PICTURE + SOUND + "-t 70 -c:v libopenh264 -b:v 50k -c:a ac3");
    for (AudioMode mode : List.of(AudioMode.OPUS, AudioMode.AAC)) {
      run(request(source).withAudio(mode).withRestart(true));
      Path made = output().resolve("90p.mp4");
      areWithoutGaps(packets(made));
      assertThat(packets(made).getLast().end() / 48_000.0).isCloseTo(70.0, within(0.04));
      TestingFfmpeg.decodesCleanly(made);
      double within = click(made, 20);
      assertThat(click(made, 29.5)).as("%s, %s dB in a piece", mode, within).isLessThan(within + 6);
      assertThat(click(made, 59.5)).as("%s, %s dB in a piece", mode, within).isLessThan(within + 6);
    }
  }

  /** How loud is what a tone of 440 Hz does not have, in a second. */
  private static double click(Path file, double from) {
    return peak(file, from, 1, "highpass=f=3000:p=2,highpass=f=3000:p=2,");
  }

  @Test
  void tracksOfTwoCodecsAreInTwoGroups() throws Exception {
    Path source =
        TestingClips.clip(
            "sound-mixed.mkv",
            PICTURE
                + SOUND
                + "-t 2 -map 0:v -map 1:a -map 1:a -c:v libopenh264 -c:a:0 aac -c:a:1 ac3");
    run(request(source));
    String master = Files.readString(output().resolve("master.m3u8"));
    assertThat(master.lines().filter(line -> line.startsWith("#EXT-X-STREAM-INF")))
        .hasSize(2)
        .anyMatch(line -> line.contains("mp4a.40.2\",") && line.contains("AUDIO=\"mp4a\""))
        .anyMatch(line -> line.contains("opus\",") && line.contains("AUDIO=\"Opus\""));
  }
}
