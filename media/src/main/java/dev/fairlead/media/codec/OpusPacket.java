package dev.fairlead.media.codec;

/** What the first byte of an Opus packet says (RFC 6716, section 3.1). */
public final class OpusPacket {
  /** Samples of 48 kHz in a frame, by the configuration's place among its kind. */
  private static final int[] SILK = {480, 960, 1920, 2880};

  private static final int[] HYBRID = {480, 960};
  private static final int[] CELT = {120, 240, 480, 960};

  private OpusPacket() {}

  /** How many samples of 48 kHz a packet holds; zero if it is none. */
  public static int samples(byte[] packet) {
    if (packet.length == 0) {
      return 0;
    }
    int config = (packet[0] & 0xff) >> 3;
    int frame =
        config < 12 ? SILK[config & 3] : config < 16 ? HYBRID[config & 1] : CELT[config & 3];
    return switch (packet[0] & 3) {
      case 0 -> frame;
      case 3 -> packet.length < 2 ? 0 : frame * (packet[1] & 0x3f);
      default -> 2 * frame;
    };
  }
}
