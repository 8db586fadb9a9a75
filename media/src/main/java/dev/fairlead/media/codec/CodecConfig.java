package dev.fairlead.media.codec;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * What an init segment promises about the samples that follow it.
 *
 * <p>Two encoders may serve one rung if their configs are {@linkplain #compatibleWith compatible}.
 * An AV1 sync sample carries its own sequence header, so there the promise is its fields, and the
 * header bytes may differ. H.264 and H.265 samples rely on parameter sets that only the init
 * segment holds, so there the bytes must be the same too.
 */
@SuppressWarnings("ArrayRecordComponent") // copied in and out, or small and never changed
public sealed interface CodecConfig {
  /** Four letters that name the codec in a file, such as {@code av01}. */
  String sampleEntry();

  /** Name of the box that holds {@link #body}, such as {@code av1C}. */
  String boxType();

  byte[] body();

  /** The codec as playlists name it (RFC 6381), such as {@code av01.0.05M.08}. */
  String codecs();

  /** The encoder's packet as a file holds it; to be called once for each packet. */
  default byte[] sample(byte[] packet) {
    return packet;
  }

  /** Whether samples of {@code other} can follow the init segment made from this. */
  default boolean compatibleWith(CodecConfig other) {
    return sameBytes(other);
  }

  default boolean sameBytes(CodecConfig other) {
    return sampleEntry().equals(other.sampleEntry()) && Arrays.equals(body(), other.body());
  }

  /**
   * Reads the header of an encoder's stream.
   *
   * @param codec as FFmpeg names it: av1, h264, hevc, opus or aac
   * @param extradata of the encoder; may be empty if {@code syncSample} holds the header
   * @param syncSample the first packet; may be empty if {@code extradata} holds the header
   * @throws UnreadableHeaderException if neither holds it
   */
  static CodecConfig of(String codec, byte[] extradata, byte[] syncSample) {
    byte[] header = extradata.length > 0 ? extradata : syncSample;
    return switch (codec) {
      case "av1" -> Av1.of(header);
      case "h264" -> Avc.of(header);
      case "hevc" -> Hevc.of(header);
      case "opus" -> Opus.of(extradata);
      case "aac" -> Aac.of(extradata);
      default -> throw new UnreadableHeaderException("No header is known for codec " + codec);
    };
  }

  /** The config of a video track. */
  sealed interface Picture extends CodecConfig {
    VideoSequence sequence();

    /**
     * The same for packets in the form of another's: a file says what it holds, not in which form
     * an encoder gave it.
     */
    default Picture takingPacketsOf(Picture other) {
      return this;
    }

    @Override
    default String codecs() {
      return sequence().codecs();
    }
  }

  /** The config of an audio track; {@code channels} is zero if the header leaves it open. */
  sealed interface Sound extends CodecConfig {
    int channels();

    int sampleRate();
  }

  /** AV1 (AV1 Codec ISO Media File Format Binding). */
  record Av1(Av1Sequence sequence, byte[] header) implements Picture {
    /** From units that hold a sequence header, or from an av1C. */
    public static Av1 of(byte[] data) {
      byte[] header = Av1Obus.sequenceHeader(data);
      return new Av1(Av1Sequence.of(header), Av1Obus.unit(header));
    }

    /** The same promise without header bytes, for a rung whose encoders write different ones. */
    public Av1 inBand() {
      return new Av1(sequence, new byte[0]);
    }

    @Override
    public String sampleEntry() {
      return "av01";
    }

    @Override
    public String boxType() {
      return "av1C";
    }

    @Override
    public byte[] body() {
      byte[] fixed = sequence.configHeader();
      return ByteBuffer.allocate(fixed.length + header.length).put(fixed).put(header).array();
    }

    @Override
    public byte[] sample(byte[] packet) {
      return Av1Obus.sample(packet);
    }

    @Override
    public boolean compatibleWith(CodecConfig other) {
      return other instanceof Av1 av1 && av1.sequence.equals(sequence);
    }
  }

  /** H.264 (ISO/IEC 14496-15). */
  record Avc(AvcSequence sequence, byte[] body, boolean annexB) implements Picture {
    /** From an avcC or from Annex B units. */
    public static Avc of(byte[] data) {
      boolean annexB = NalUnits.isAnnexB(data);
      List<byte[]> sets =
          annexB
              ? AvcSequence.parameterSets(NalUnits.split(data))
              : AvcSequence.parameterSetsOf(data);
      if (sets.isEmpty() || !AvcSequence.isSequence(sets.getFirst())) {
        throw new UnreadableHeaderException("No H.264 parameter sets in " + data.length + " bytes");
      }
      AvcSequence sequence = AvcSequence.of(sets.getFirst());
      return new Avc(sequence, annexB ? sequence.config(sets) : data.clone(), annexB);
    }

    @Override
    public String sampleEntry() {
      return "avc1";
    }

    @Override
    public String boxType() {
      return "avcC";
    }

    @Override
    public Picture takingPacketsOf(Picture other) {
      return other instanceof Avc its ? new Avc(sequence, body, its.annexB) : this;
    }

    @Override
    public byte[] sample(byte[] packet) {
      return annexB ? NalUnits.lengthPrefixed(packet, AvcSequence.parameterSetsOf(body)) : packet;
    }
  }

  /** H.265 (ISO/IEC 14496-15). */
  record Hevc(HevcSequence sequence, byte[] body, boolean annexB) implements Picture {
    /** From an hvcC or from Annex B units. */
    public static Hevc of(byte[] data) {
      boolean annexB = NalUnits.isAnnexB(data);
      List<byte[]> sets =
          annexB
              ? HevcSequence.parameterSets(NalUnits.split(data))
              : HevcSequence.parameterSetsOf(data);
      byte[] unit =
          sets.stream()
              .filter(HevcSequence::isSequence)
              .findFirst()
              .orElseThrow(() ->
                  new UnreadableHeaderException(
                      "No H.265 parameter sets in " + data.length + " bytes"));
      HevcSequence sequence = HevcSequence.of(unit);
      return new Hevc(sequence, annexB ? sequence.config(sets) : data.clone(), annexB);
    }

    @Override
    public String sampleEntry() {
      return "hvc1";
    }

    @Override
    public String boxType() {
      return "hvcC";
    }

    @Override
    public Picture takingPacketsOf(Picture other) {
      return other instanceof Hevc its ? new Hevc(sequence, body, its.annexB) : this;
    }

    @Override
    public byte[] sample(byte[] packet) {
      return annexB ? NalUnits.lengthPrefixed(packet, HevcSequence.parameterSetsOf(body)) : packet;
    }
  }

  /**
   * Opus (Encapsulation of Opus in ISO Base Media File Format).
   *
   * @param preSkip samples of 48 kHz to drop from the start
   */
  record Opus(int channels, int preSkip, byte[] body) implements Sound {
    /** From an OpusHead (RFC 7845, section 5.1). */
    public static Opus of(byte[] head) {
      return AudioHeaders.opus(head);
    }

    @Override
    public int sampleRate() {
      return AudioHeaders.OPUS_RATE;
    }

    @Override
    public String sampleEntry() {
      return "Opus";
    }

    @Override
    public String boxType() {
      return "dOps";
    }

    @Override
    public String codecs() {
      return "opus";
    }
  }

  /**
   * AAC (ISO/IEC 14496-14).
   *
   * @param objectType 2 for the low complexity profile
   */
  record Aac(int objectType, int channels, int sampleRate, byte[] body) implements Sound {
    /** From an AudioSpecificConfig (ISO/IEC 14496-3, section 1.6.2.1). */
    public static Aac of(byte[] config) {
      return AudioHeaders.aac(config);
    }

    @Override
    public String sampleEntry() {
      return "mp4a";
    }

    @Override
    public String boxType() {
      return "esds";
    }

    @Override
    public String codecs() {
      return "mp4a.40." + objectType;
    }
  }
}
