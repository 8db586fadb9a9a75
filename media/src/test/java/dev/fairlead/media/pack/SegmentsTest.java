package dev.fairlead.media.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.media.codec.Av1Sequence;
import dev.fairlead.media.codec.CodecConfig;
import dev.fairlead.media.source.Colour;
import dev.fairlead.media.source.Mastering;
import dev.fairlead.media.source.Rational;
import dev.fairlead.media.store.Sample;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SegmentsTest {
  private static final Colour PQ = new Colour(9, 16, 9, false);
  private static final TrackFormat.Video VIDEO =
      new TrackFormat.Video(
          new CodecConfig.Av1(
              new Av1Sequence(0, 5, 0, 10, false, true, true, 0, 720, 576, PQ), new byte[0]),
          720,
          576,
          90_000,
          new Rational(16, 15),
          PQ,
          Mastering.of(new byte[24], new byte[4]));
  private static final TrackFormat.Audio AUDIO =
      TrackFormat.Audio.of(
          CodecConfig.Opus.of(HexFormat.of().parseHex("4f707573486561640102380180bb0000000000")),
          312,
          "de");

  private static final Roll NO_ROLL = new Roll(0);

  @TempDir Path directory;

  @Test
  void describesVideoInTheInitSegment() {
    byte[] bytes = InitSegment.bytes(VIDEO, new BitRates(90_000), NO_ROLL);
    TestingBoxes boxes = new TestingBoxes(bytes);

    assertThat(text(boxes.body("ftyp"))).startsWith("iso6").endsWith("iso6cmfccmf2av01");
    assertThat(boxes.has("moov/trak/edts")).isFalse();
    assertThat(boxes.body("moov/mvex/trex").getInt(4)).isEqualTo(1);
    assertThat(boxes.body("moov/trak/tkhd").getInt(88) >> 16).isEqualTo(768);
    assertThat(text(boxes.body("moov/trak/mdia/minf/stbl/stsd")))
        .contains("av01", "av1C", "colrnclx", "pasp", "mdcv", "clli", "btrt");
  }

  @Test
  void dropsPrimingSoundByAnEditList() {
    TestingBoxes boxes = new TestingBoxes(InitSegment.bytes(AUDIO, new BitRates(48_000), NO_ROLL));

    assertThat(boxes.body("moov/trak/edts/elst").getLong(16)).isEqualTo(312);
    assertThat(boxes.body("moov/trak/mdia/mdhd").getShort(32)).isEqualTo((short) 0x10b5); // deu
    assertThat(text(boxes.body("moov/trak/mdia/minf/stbl/stsd"))).contains("Opus", "dOps");
  }

  @Test
  void writesSignedOffsetsAndBaseTime() throws IOException {
    List<Sample> samples =
        List.of(
            sample(9000, 9000, true),
            sample(18000, 12000, false),
            sample(12000, 15000, false),
            sample(15000, 18000, false));

    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new MediaSegment(samples, VIDEO).write(7, out);
    TestingBoxes boxes = new TestingBoxes(out.toByteArray());

    assertThat(boxes.body("moof/mfhd").getInt(4)).isEqualTo(7);
    assertThat(boxes.body("moof/traf/tfdt").getInt(0)).isEqualTo(0x01000000);
    assertThat(boxes.body("moof/traf/tfdt").getLong(4)).isEqualTo(9000);
    assertThat(boxes.body("moof/traf/tfhd").getInt(0)).isEqualTo(0x020028);
    assertThat(boxes.body("moof/traf/tfhd").getInt(8)).isEqualTo(3000);
    ByteBuffer run = boxes.body("moof/traf/trun");
    assertThat(run.getInt(0)).isEqualTo(0x01000a05);
    assertThat(run.getInt(4)).isEqualTo(4);
    assertThat(run.getInt(12)).isEqualTo(0x02000000);
    assertThat(run.getInt(20)).isZero();
    assertThat(run.getInt(28)).isEqualTo(6000);
    assertThat(run.getInt(36)).isEqualTo(-3000);
    int moof = 8 + boxes.body("styp").remaining();
    assertThat(out.toByteArray()[moof + run.getInt(8)]).isEqualTo((byte) 42);
    assertThat(boxes.body("mdat").remaining()).isEqualTo(4 * 5);
  }

  @Test
  void lastSampleReachesTheNextSegment() throws IOException {
    // Durations 1, 3, 2 in the order of showing; decoded at even distance but for the last.
    List<Sample> samples =
        List.of(
            new Sample(0, 0, 1, true, new byte[1]),
            new Sample(4, 1, 2, false, new byte[1]),
            new Sample(1, 2, 3, false, new byte[1]));

    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new MediaSegment(samples, VIDEO).write(1, out);
    ByteBuffer run = new TestingBoxes(out.toByteArray()).body("moof/traf/trun");

    assertThat(run.getInt(0)).isEqualTo(0x01000b05);
    assertThat(List.of(run.getInt(16), run.getInt(28), run.getInt(40))).containsExactly(1, 1, 4);
  }

  @Test
  void refusesWhatNoFileCanSay() {
    TrackWriter writer = TrackWriter.open(directory, AUDIO);

    assertThatThrownBy(() -> writer.addSegment(List.of()))
        .hasMessageContaining("at least one sample");
    assertThatThrownBy(() -> writer.addSegment(List.of(sample(-400, -400, true))))
        .hasMessageContaining("decoded at -400, but the track begins at -312");
    assertThatThrownBy(() -> writer.addSegment(List.of(sample(0, 0, false))))
        .hasMessageContaining("sync sample");
    assertThatThrownBy(() -> writer.addSegment(List.of(sample(960, 960, true), sample(0, 0, true))))
        .hasMessageContaining("decoded at 0, after one decoded at 960");
  }

  @Test
  void saysHowManyBitsASecondThereAre() {
    BitRates rates = new BitRates(1000);
    // Ten bytes in each of four seconds, and a hundred in the middle of the second.
    for (int second = 0; second < 4; second++) {
      rates.add(new Sample(second * 1000L, second * 1000L, 1000, true, new byte[10]));
      if (second == 1) {
        rates.add(new Sample(1500, 1500, 0, true, new byte[100]));
      }
    }

    ByteBuffer box = inStsd(InitSegment.bytes(VIDEO, rates, NO_ROLL), "btrt");

    assertThat(box.getInt(0)).as("buffer").isEqualTo(110);
    assertThat(box.getInt(4)).as("most").isEqualTo(880);
    assertThat(box.getInt(8)).as("average").isEqualTo(280);
  }

  @Test
  void aSecondMayBeginWithAnySample() {
    BitRates rates = new BitRates(10);
    for (int tick : new int[] {0, 9, 18, 27}) {
      rates.add(new Sample(tick, tick, 9, true, new byte[tick == 9 || tick == 18 ? 50 : 1]));
    }

    assertThat(rates.most()).isEqualTo(800);
  }

  @Test
  void soundIsRightAfterSamplesThatAreDecodedFirst() throws IOException {
    TrackWriter writer = TrackWriter.open(directory, AUDIO);
    List<Sample> samples = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      samples.add(new Sample(i * 960L, i * 960L, 960, true, new byte[5]));
    }
    Segment segment = writer.addSegment(samples);
    writer.finish(1);

    TestingBoxes init = new TestingBoxes(Files.readAllBytes(directory.resolve("init.mp4")));
    ByteBuffer described = init.body("moov/trak/mdia/minf/stbl/sgpd");
    assertThat(text(described)).contains("roll");
    assertThat(described.getShort(16)).as("80 ms of 20 ms each").isEqualTo((short) -4);
    TestingBoxes media = new TestingBoxes(Files.readAllBytes(directory.resolve(segment.name())));
    ByteBuffer group = media.body("moof/traf/sbgp");
    assertThat(group.getInt(12)).as("samples").isEqualTo(5);
    assertThat(group.getInt(16)).as("as described first").isEqualTo(1);
  }

  @Test
  void packsTheLanguage() {
    assertThat(TrackBoxes.packedLanguage("eng")).isEqualTo(TrackBoxes.packedLanguage("en-GB"));
    assertThat(TrackBoxes.packedLanguage("\u0000\"ß")).isEqualTo(0x55c4); // und
    assertThat(TrackBoxes.packedLanguage("")).isEqualTo(0x55c4);
  }

  private static Sample sample(long pts, long dts, boolean sync) {
    return new Sample(pts, dts, 3000, sync, new byte[] {42, 0, 0, 0, 0});
  }

  /** What follows the type of a box of that type somewhere in the sample entry. */
  private static ByteBuffer inStsd(byte[] init, String type) {
    ByteBuffer entry = new TestingBoxes(init).body("moov/trak/mdia/minf/stbl/stsd");
    int at = text(entry.duplicate()).indexOf(type);
    assertThat(at).as(type).isPositive();
    return entry.slice(at + 4, entry.limit() - at - 4);
  }

  private static String text(ByteBuffer body) {
    return StandardCharsets.ISO_8859_1.decode(body).toString();
  }
}
