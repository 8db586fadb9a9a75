package dev.fairlead.media.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.fairlead.media.TestingFfmpeg;
import dev.fairlead.media.store.Sample;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class Mp4WriterTest {
  private static final String TABLES = "moov/trak/mdia/minf/stbl/";

  @TempDir Path directory;

  @Test
  void interleavesVideoAndAudioAfterTheTables() throws IOException {
    TestingStream video = svt();
    TestingStream opus = sound("libopus");
    TestingStream aac = sound("aac");
    Path file = directory.resolve("out.mp4");

    Mp4Writer.write(
        file,
        List.of(
            new Mp4Writer.Track(video.video(), () -> video.samples().stream()),
            new Mp4Writer.Track(opus.audio("eng"), () -> opus.samples().stream()),
            new Mp4Writer.Track(aac.audio("deu"), () -> aac.samples().stream())));

    TestingFfmpeg.decodesCleanly(file);
    List<Double> times = TestingPackets.frameTimes(file, "v:0");
    assertThat(times).hasSize(75);
    for (int i = 0; i < times.size(); i++) {
      assertThat(times.get(i)).isEqualTo(i / 25.0, within(1e-4));
    }
    for (String stream : List.of("a:0", "a:1")) {
      assertThat(TestingPackets.frameTimes(file, stream).getFirst()).isEqualTo(0, within(1e-3));
      assertThat(Double.parseDouble(TestingPackets.entry(file, stream, "stream=duration")))
          .isEqualTo(3, within(0.03));
    }
    assertThat(TestingPackets.entry(file, "a:1", "stream_tags=language")).isEqualTo("deu");
    TestingBoxes boxes = new TestingBoxes(Files.readAllBytes(file));
    assertThat(boxes.body(TABLES + "stco").getInt(4)).isEqualTo(3);
    assertThat(boxes.body(TABLES + "stss").getInt(4)).isEqualTo(3);
    // Video has none, so the first edit list is that of Opus.
    assertThat(boxes.body("moov/trak/edts/elst").getLong(16)).isEqualTo(312);
  }

  @Test
  void usesWideOffsetsWhenTheFileIsLarge() throws IOException {
    TestingStream video = svt();
    Path file = directory.resolve("out.mp4");

    Mp4Writer.write(
        file, List.of(new Mp4Writer.Track(video.video(), () -> video.samples().stream())), 0);

    TestingFfmpeg.decodesCleanly(file);
    assertThat(TestingPackets.frameTimes(file, "v:0")).hasSize(75);
    TestingBoxes boxes = new TestingBoxes(Files.readAllBytes(file));
    assertThat(boxes.has(TABLES + "stco")).isFalse();
    assertThat(boxes.body(TABLES + "co64").getInt(4)).isEqualTo(3);
  }

  @Test
  void writesSignedOffsetsOfReorderedPictures() throws IOException {
    TestingStream video = svt();
    byte[] data = new byte[] {1};
    List<Sample> samples =
        List.of(
            new Sample(0, 0, 1000, true, data),
            new Sample(3000, 1000, 1000, false, data),
            new Sample(1000, 2000, 1000, false, data),
            new Sample(2000, 3000, 1000, false, data));
    Path file = directory.resolve("out.mp4");

    Mp4Writer.write(file, List.of(new Mp4Writer.Track(video.video(), samples::stream)));

    ByteBuffer offsets = new TestingBoxes(Files.readAllBytes(file)).body(TABLES + "ctts");
    assertThat(offsets.getInt(0)).isEqualTo(0x01000000);
    List<Integer> entries = new ArrayList<>();
    for (int at = 8; at < offsets.limit(); at += 4) {
      entries.add(offsets.getInt(at));
    }
    assertThat(entries).containsExactly(1, 0, 1, 2000, 2, -1000);
  }

  @Test
  void aLateTrackBeginsAfterAnEmptyEdit() throws IOException {
    TestingStream video = svt();
    List<Sample> late =
        video.samples().stream()
            .map(s ->
                new Sample(s.pts() + 12_000, s.dts() + 12_000, s.duration(), s.sync(), s.data()))
            .toList();
    Path file = directory.resolve("out.mp4");

    Mp4Writer.write(file, List.of(new Mp4Writer.Track(video.video(), late::stream)));

    TestingFfmpeg.decodesCleanly(file);
    assertThat(TestingPackets.frameTimes(file, "v:0").getFirst()).isEqualTo(0.5, within(1e-4));
  }

  @Test
  void closesItsSourcesAndLeavesNothingBehindOnFailure() {
    TestingStream video = svt();
    AtomicInteger opened = new AtomicInteger();
    AtomicInteger closed = new AtomicInteger();
    Mp4Writer.Track changing =
        new Mp4Writer.Track(
            video.video(),
            () -> {
              Stream<Sample> all = video.samples().stream();
              return (opened.incrementAndGet() == 1 ? all : all.limit(10))
                  .onClose(closed::incrementAndGet);
            });
    Path target = directory.resolve("target");

    assertThatThrownBy(
            () -> {
              Files.createDirectory(target);
              Mp4Writer.write(target.resolve("out.mp4"), List.of(changing));
            })
        .hasMessageContaining("Sample 10 had");
    assertThat(closed).hasValue(2);
    assertThat(target).isEmptyDirectory();
    assertThatThrownBy(() ->
            Mp4Writer.write(
                target.resolve("out.mp4"),
                List.of(new Mp4Writer.Track(video.video(), Stream::empty))))
        .hasMessageContaining("without samples");
  }

  private TestingStream svt() {
    return TestingStream.encode(
        directory,
        24_000,
        "-f",
        "lavfi",
        "-i",
        "testsrc2=s=160x96:r=25:d=3",
        "-pix_fmt",
        "yuv420p",
        "-c:v",
        "libsvtav1",
        "-preset",
        "10",
        "-crf",
        "45",
        "-g",
        "25");
  }

  private TestingStream sound(String encoder) {
    return TestingStream.encode(
        directory, 48_000, "-f", "lavfi", "-i", "sine=r=48000:d=3", "-c:a", encoder, "-ac", "2");
  }
}
