package dev.fairlead.media.codec;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads the headers of audio encoders and writes what files hold instead. */
final class AudioHeaders {
  static final int OPUS_RATE = 48_000;

  private static final byte[] MAGIC = "OpusHead".getBytes(StandardCharsets.US_ASCII);
  private static final int HEAD_BYTES = 19;
  private static final int ESCAPE = 31;
  private static final int EXPLICIT_RATE = 15;
  private static final int[] RATES = {
    96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350
  };
  private static final int[] CHANNELS = {0, 1, 2, 3, 4, 5, 6, 8};
  private static final int MAX_CONFIG_BYTES = 64;

  private AudioHeaders() {}

  static CodecConfig.Opus opus(byte[] head) {
    if (head.length < HEAD_BYTES || !Arrays.equals(head, 0, 8, MAGIC, 0, 8)) {
      throw new UnreadableHeaderException("No OpusHead in " + head.length + " bytes");
    }
    ByteBuffer in = ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN).position(9);
    int channels = in.get() & 0xff;
    int preSkip = in.getShort() & 0xffff;
    int rate = in.getInt();
    short gain = in.getShort();
    int family = in.get() & 0xff;
    int table = family == 0 ? 0 : 2 + channels;
    if (channels == 0 || (family == 0 && channels > 2) || in.remaining() < table) {
      throw new UnreadableHeaderException(
          "An OpusHead of %d bytes for %d channels of mapping family %d"
              .formatted(head.length, channels, family));
    }
    byte[] body =
        ByteBuffer.allocate(11 + table)
            .put((byte) 0)
            .put((byte) channels)
            .putShort((short) preSkip)
            .putInt(rate)
            .putShort(gain)
            .put((byte) family)
            .put(head, HEAD_BYTES, table)
            .array();
    return new CodecConfig.Opus(channels, preSkip, body);
  }

  static CodecConfig.Aac aac(byte[] config) {
    if (config.length > MAX_CONFIG_BYTES) {
      throw new UnreadableHeaderException(
          "An AudioSpecificConfig of " + config.length + " bytes is none");
    }
    BitReader in = new BitReader("The AudioSpecificConfig", config);
    int objectType = in.u(5);
    if (objectType == ESCAPE) {
      objectType = 32 + in.u(6);
    }
    int index = in.u(4);
    if (objectType == 0 || (index >= RATES.length && index != EXPLICIT_RATE)) {
      throw new UnreadableHeaderException(
          "No AAC has object type " + objectType + " and rate index " + index);
    }
    int rate = index == EXPLICIT_RATE ? in.u(24) : RATES[index];
    int layout = in.u(4);
    int channels = layout < CHANNELS.length ? CHANNELS[layout] : 0;
    return new CodecConfig.Aac(objectType, channels, rate, elementaryStream(config));
  }

  /** The body of an esds: descriptors within descriptors, each with its length in one byte. */
  private static byte[] elementaryStream(byte[] config) {
    int decoder = 13 + 2 + config.length;
    return ByteBuffer.allocate(4 + 2 + 3 + 2 + decoder + 3)
        .putInt(0)
        .put((byte) 3) // ES_Descriptor
        .put((byte) (3 + 2 + decoder + 3))
        .putShort((short) 0)
        .put((byte) 0)
        .put((byte) 4) // DecoderConfigDescriptor
        .put((byte) decoder)
        .put((byte) 0x40) // MPEG-4 audio
        .put((byte) 0x15) // an audio stream
        .put(new byte[3 + 4 + 4]) // buffer and bit rates: not known
        .put((byte) 5) // DecoderSpecificInfo
        .put((byte) config.length)
        .put(config)
        .put((byte) 6) // SLConfigDescriptor
        .put((byte) 1)
        .put((byte) 2)
        .array();
  }
}
