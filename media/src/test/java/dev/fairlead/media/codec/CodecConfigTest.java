package dev.fairlead.media.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.media.source.Colour;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CodecConfigTest {
  /** What x265 writes for 1280×720, main profile. */
  private static final byte[] HEVC =
      hex(
          "0000000140010c01ffff016000000300900000030000030"
              + "05d959809"
              + "00000001420101016000000300900000030000030"
              + "05da00280802d165959a4932bc05a020000030002000003003c10"
              + "000000014401c172b46240");

  /** What x264 writes for 1280×720, high profile, level 3.1. */
  private static final byte[] AVC =
      hex(
          "000000016764001facd9405005bb016a0202028000000300800000"
              + "1e078c18cb"
              + "0000000168ebe3cb22c0");

  private static final byte[] OPUS = hex("4f70757348656164010238018" + "0bb0000000000");

  @Test
  void readsHevcParameterSets() {
    CodecConfig.Hevc config = CodecConfig.Hevc.of(HEVC);

    assertThat(config.codecs()).isEqualTo("hvc1.1.6.L93.90");
    assertThat(config.sequence().width()).isEqualTo(1280);
    assertThat(config.sequence().height()).isEqualTo(720);
    assertThat(config.sequence().depth()).isEqualTo(8);
    assertThat(CodecConfig.Hevc.of(config.body()).sequence()).isEqualTo(config.sequence());
    assertThat(CodecConfig.Hevc.of(config.body()).sameBytes(config)).isTrue();
  }

  @Test
  void readsAvcParameterSets() {
    CodecConfig.Avc config = CodecConfig.Avc.of(AVC);

    assertThat(config.codecs()).isEqualTo("avc1.64001f");
    assertThat(config.sequence().width()).isEqualTo(1280);
    assertThat(config.sequence().height()).isEqualTo(720);
    assertThat(config.body()).startsWith(1, 0x64, 0, 0x1f, 0xff, 0xe1);
    assertThat(CodecConfig.Avc.of(config.body()).sequence()).isEqualTo(config.sequence());
  }

  @Test
  void putsLengthsBeforeUnitsAndLeavesKnownParameterSetsOut() {
    byte[] packet = Arrays.copyOf(AVC, AVC.length + 8);
    System.arraycopy(hex("00000165aabbcc00"), 0, packet, AVC.length, 8);

    assertThat(CodecConfig.Avc.of(AVC).sample(packet)).isEqualTo(hex("0000000465aabbcc"));
  }

  @Test
  void writesAnOpusHeadInBigEndian() {
    CodecConfig.Opus config = CodecConfig.Opus.of(OPUS);

    assertThat(config.preSkip()).isEqualTo(312);
    assertThat(config.channels()).isEqualTo(2);
    assertThat(config.body()).isEqualTo(hex("000201380000bb80000000"));
  }

  @Test
  void keepsTheMappingTableOfManyChannels() {
    byte[] head = hex("4f7075734865616401063801" + "80bb0000" + "0000" + "01" + "0402000401020305");

    assertThat(CodecConfig.Opus.of(head).body())
        .isEqualTo(hex("00060138" + "0000bb80" + "0000" + "01" + "0402000401020305"));
  }

  @Test
  void readsAnAudioSpecificConfig() {
    CodecConfig.Aac config = CodecConfig.Aac.of(hex("1190"));

    assertThat(config.codecs()).isEqualTo("mp4a.40.2");
    assertThat(config.sampleRate()).isEqualTo(48000);
    assertThat(config.channels()).isEqualTo(2);
    assertThat(config.body()).hasSize(4 + 2 + 3 + 2 + 13 + 2 + 2 + 3);
  }

  @Test
  void spellsOutTheColoursOfHdr() {
    Av1Sequence sdr =
        new Av1Sequence(0, 5, 0, 8, false, true, true, 0, 640, 360, Colour.unspecified());
    Av1Sequence hdr =
        new Av1Sequence(
            0, 13, 1, 10, false, true, true, 1, 3840, 2160, new Colour(9, 16, 9, false));

    assertThat(sdr.codecs()).isEqualTo("av01.0.05M.08");
    assertThat(hdr.codecs()).isEqualTo("av01.0.13H.10.0.111.09.16.09.0");
    assertThat(hdr.configHeader()).isEqualTo(hex("810dcd00"));
  }

  @Test
  void promisesTheSameWithOtherHeaderBytes() {
    Av1Sequence sequence =
        new Av1Sequence(0, 5, 0, 8, false, true, true, 0, 640, 360, Colour.unspecified());
    CodecConfig one = new CodecConfig.Av1(sequence, hex("0a01aa"));
    CodecConfig other = new CodecConfig.Av1(sequence, hex("0a01bb"));

    assertThat(one.compatibleWith(other)).isTrue();
    assertThat(one.sameBytes(other)).isFalse();
    assertThat(one.compatibleWith(CodecConfig.Opus.of(OPUS))).isFalse();
  }

  @Test
  void saysWhatIsMissing() {
    assertThatThrownBy(() -> CodecConfig.of("av1", new byte[0], new byte[0]))
        .isInstanceOf(UnreadableHeaderException.class)
        .hasMessageContaining("No AV1 sequence header");
    assertThatThrownBy(() -> CodecConfig.of("vp9", new byte[4], new byte[0]))
        .isInstanceOf(UnreadableHeaderException.class)
        .hasMessageContaining("vp9");
  }

  @Test
  void survivesTruncatedAndRandomHeaders() {
    Random random = new Random(7);
    List<byte[]> seeds = List.of(HEVC, AVC, OPUS, hex("1190"), hex("0a0b000000042a67ff9bf5e440"));
    for (int i = 0; i < 4_000; i++) {
      byte[] seed = seeds.get(random.nextInt(seeds.size()));
      byte[] data = Arrays.copyOf(seed, random.nextInt(seed.length + 1));
      for (int j = random.nextInt(4); j > 0 && data.length > 0; j--) {
        data[random.nextInt(data.length)] = (byte) random.nextInt();
      }
      byte[] body = bodyOf(data);
      for (String codec : List.of("av1", "h264", "hevc", "opus", "aac")) {
        assertThatCode(() -> readAndConvert(codec, data)).doesNotThrowAnyException();
        assertThatCode(() -> readAndConvert(codec, body)).doesNotThrowAnyException();
      }
    }
  }

  private static byte[] bodyOf(byte[] data) {
    try {
      return CodecConfig.of(data.length % 2 == 0 ? "h264" : "hevc", data, data).body();
    } catch (UnreadableHeaderException e) {
      return new byte[] {1, 2, 3};
    }
  }

  private static void readAndConvert(String codec, byte[] data) {
    try {
      CodecConfig config = CodecConfig.of(codec, data, data);
      config.codecs();
      config.sample(data);
    } catch (UnreadableHeaderException expected) {
      // the one way to fail
    }
  }

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text);
  }
}
