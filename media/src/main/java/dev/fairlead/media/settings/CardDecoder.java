package dev.fairlead.media.settings;

/**
 * A card that decodes.
 *
 * @param stays whether pictures stay in its memory
 * @param sessions how many decoders it takes at a time
 */
public record CardDecoder(HardwareAddress address, boolean stays, int sessions) {
  public CardDecoder {
    if (sessions < 1) {
      throw new IllegalArgumentException("A card that decodes takes a decoder: " + sessions);
    }
  }
}
