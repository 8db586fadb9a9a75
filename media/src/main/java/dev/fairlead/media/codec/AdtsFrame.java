package dev.fairlead.media.codec;

import java.util.Arrays;

/**
 * A packet of AAC as transport streams frame it (ISO/IEC 13818-7, section 6.2).
 *
 * @param data without the frame
 */
@SuppressWarnings("ArrayRecordComponent") // handed on, never changed or compared
public record AdtsFrame(int objectType, int rateIndex, int channels, byte[] data) {
  private static final int SHORT_HEADER = 7;
  private static final int LONG_HEADER = 9;

  /** Whether a packet begins as one in a frame does. */
  public static boolean isFramed(byte[] packet) {
    return packet.length > SHORT_HEADER && (packet[0] & 0xff) == 0xff && (packet[1] & 0xf6) == 0xf0;
  }

  /**
   * Takes a packet out of its frame.
   *
   * @throws UnreadableHeaderException if there is none, or a file could not hold what is in it
   */
  public static AdtsFrame of(byte[] packet) {
    if (!isFramed(packet)) {
      throw new UnreadableHeaderException("A packet of AAC without its frame");
    }
    int header = (packet[1] & 1) == 1 ? SHORT_HEADER : LONG_HEADER;
    int channels = (packet[2] & 1) << 2 | (packet[3] & 0xc0) >> 6;
    if ((packet[6] & 3) != 0 || channels == 0 || packet.length <= header) {
      throw new UnreadableHeaderException("A frame of AAC of a rare kind");
    }
    return new AdtsFrame(
        ((packet[2] & 0xc0) >> 6) + 1,
        (packet[2] & 0x3c) >> 2,
        channels,
        Arrays.copyOfRange(packet, header, packet.length));
  }

  /** The AudioSpecificConfig that says the same once. */
  public byte[] config() {
    int bits = objectType << 11 | rateIndex << 7 | channels << 3;
    return new byte[] {(byte) (bits >> 8), (byte) bits};
  }
}
