package dev.fairlead.media.pack;

import dev.fairlead.media.codec.CodecConfig;

/**
 * How many samples must be decoded first for sound to be right after a seek, as a sample group of
 * type {@code roll} says it (ISO/IEC 14496-12, section 10.1).
 *
 * @param distance zero if every sample is right by itself
 */
record Roll(int distance) {
  private static final int OPUS_TICKS = 3_840; // 80 ms at 48 kHz
  private static final int SHORTEST_OPUS = 120;

  /** For samples as long as the first one is. */
  static Roll of(CodecConfig config, long firstTicks) {
    return new Roll(
        switch (config) {
          case CodecConfig.Opus _ ->
              (int) Math.ceilDiv(OPUS_TICKS, Math.max(SHORTEST_OPUS, firstTicks));
          case CodecConfig.Aac _ -> 1;
          case CodecConfig.Picture _ -> 0;
        });
  }

  /** Describes the group, in {@code stbl}. */
  void describe(Boxes out) {
    if (distance > 0) {
      out.fullBox("sgpd", 1, 0, () -> out.ascii("roll").u32(2).u32(1).u16(-distance));
    }
  }

  /** Says that the next {@code samples} are in it, in {@code stbl} or {@code traf}. */
  static void group(Boxes out, CodecConfig config, int samples) {
    if (!(config instanceof CodecConfig.Picture)) {
      out.fullBox("sbgp", 0, 0, () -> out.ascii("roll").u32(1).u32(samples).u32(1));
    }
  }
}
