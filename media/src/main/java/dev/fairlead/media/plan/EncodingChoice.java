package dev.fairlead.media.plan;

import java.util.OptionalInt;

/**
 * How the rungs are to be encoded.
 *
 * @param preset from 0, slowest, to {@value #FASTEST_PRESET}, fastest; SVT-AV1 takes 12 and 13 as
 *     11
 * @param crf for every rung that does not say its own
 */
public record EncodingChoice(
    VideoCodec codec, OptionalInt preset, OptionalInt crf, MaxRates maxRates, Mix mix) {
  /** The fastest preset. */
  public static final int FASTEST_PRESET = 13;

  /** Which devices may share a rung. */
  public enum Mix {
    /** Those whose chunks a player takes one after another. */
    COMPATIBLE,
    /** Those that write the same header, byte by byte. */
    STRICT
  }

  public EncodingChoice {
    if (preset.isPresent() && (preset.getAsInt() < 0 || preset.getAsInt() > FASTEST_PRESET)) {
      throw new IllegalArgumentException(
          "The preset is %d; it can be 0 (slowest) to %d (fastest)"
              .formatted(preset.getAsInt(), FASTEST_PRESET));
    }
    if (crf.isPresent() && (crf.getAsInt() < 0 || crf.getAsInt() > codec.largestCrf())) {
      throw new IllegalArgumentException(
          "The crf is %d; %s has 0 (best) to %d"
              .formatted(crf.getAsInt(), codec, codec.largestCrf()));
    }
  }

  static EncodingChoice usual() {
    return new EncodingChoice(
        VideoCodec.AV1, OptionalInt.empty(), OptionalInt.empty(), MaxRates.none(), Mix.COMPATIBLE);
  }
}
