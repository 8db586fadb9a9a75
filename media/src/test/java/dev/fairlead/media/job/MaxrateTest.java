package dev.fairlead.media.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.TestingClips;
import dev.fairlead.media.TestingFfmpeg;
import dev.fairlead.media.plan.EncodingChoice;
import dev.fairlead.media.plan.LadderSpec;
import dev.fairlead.media.plan.MaxRates;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.media.plan.VideoCodec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A largest bit rate holds over every window of its buffer, wherever chunks begin. */
class MaxrateTest {
  private static final double WINDOW_SECONDS = 2;
  private static final double TOLERANCE = 1.05;

  @TempDir private Path directory;

  private final List<TranscodeListener.Event> events =
      Collections.synchronizedList(new ArrayList<>());

  private record Packet(double seconds, long bits) {}

  /** Noise that comes and goes, and cuts at other places than where chunks begin. */
  private static Path hard(int noise) {
    return TestingClips.clip(
        "hard-%d.mkv".formatted(noise),
        "-f lavfi -i testsrc2=s=320x180:r=25,noise=alls=%d:allf=t:enable='lt(mod(t\\,5)\\,3.3)',"
                .formatted(noise)
            + "negate=enable='lt(mod(t\\,1.5)\\,0.75)' -t 6 -c:v ffv1");
  }

  private TranscodeResult run(VideoCodec codec, String devices, int noise, String rates)
      throws Exception {
    TranscodeRequest request =
        TestingJobs.request(hard(noise), directory.resolve("out"))
            .withLadder(LadderSpec.parse("320x180"))
            .withEncoding(
                new EncodingChoice(
                    codec,
                    OptionalInt.of(12),
                    OptionalInt.of(30),
                    MaxRates.parse(rates),
                    EncodingChoice.Mix.COMPATIBLE));
    return TestingJobs.run(request, devices, ChaosPlan.none(), Duration.ofSeconds(60), events::add);
  }

  @ParameterizedTest
  @CsvSource({
    "AV1, cpu:2, 60, 1000",
    "AV1, cpu:2, 60, 300",
    "AV1, cpu:2@aom, 60, 500",
    "H264, cpu:2, 15, 300"
  })
  void noWindowHoldsMoreThanTheLimit(VideoCodec codec, String devices, int noise, long kilobits)
      throws Exception {
    TranscodeResult result = run(codec, devices, noise, kilobits + "k");

    List<Packet> packets = packets(result.rungs().getFirst().manifest());
    assertThat(packets).hasSize(150);
    assertThat(worst(packets)).isBetween(400.0 * kilobits, TOLERANCE * 1000 * kilobits);
    assertThat(events).noneMatch(TranscodeListener.Event.Noticed.class::isInstance);
  }

  @Test
  void theBytesDoNotDependOnWhoEncodes() throws Exception {
    run(VideoCodec.AV1, "cpu:1", 60, "400k");
    SortedMap<String, String> alone = TestingJobs.hashes(directory.resolve("out"));
    directory = Files.createDirectory(directory.resolve("again"));

    run(VideoCodec.AV1, "cpu:2", 60, "400k");

    assertThat(TestingJobs.hashes(directory.resolve("out"))).isEqualTo(alone);
  }

  @Test
  void aLimitThatNoQualityKeepsIsTold() throws Exception {
    run(VideoCodec.AV1, "cpu:2", 60, "2k");

    assertThat(events)
        .filteredOn(TranscodeListener.Event.Noticed.class::isInstance)
        .extracting(Object::toString)
        .singleElement()
        .asString()
        .contains("180p", "maxrate");
  }

  /** The most bits a second over any window, as the packets of a file say. */
  private static double worst(List<Packet> packets) {
    double most = 0;
    for (int first = 0; first < packets.size(); first++) {
      double end = packets.get(first).seconds + WINDOW_SECONDS - 1e-6;
      double bits = 0;
      for (int i = first; i < packets.size() && packets.get(i).seconds < end; i++) {
        bits += packets.get(i).bits;
      }
      most = Math.max(most, bits / WINDOW_SECONDS);
    }
    return most;
  }

  private static List<Packet> packets(Path file) {
    return TestingFfmpeg.ffprobe(
            "-select_streams",
            "v:0",
            "-show_entries",
            "packet=pts_time,size",
            "-of",
            "csv=p=0",
            file.toString())
        .lines()
        .map(line -> line.split(","))
        .filter(parts -> parts.length > 1)
        .map(parts -> new Packet(Double.parseDouble(parts[0]), 8 * Long.parseLong(parts[1])))
        .toList();
  }
}
