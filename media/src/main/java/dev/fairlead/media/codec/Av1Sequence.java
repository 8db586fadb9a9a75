package dev.fairlead.media.codec;

import dev.fairlead.media.source.Colour;

/**
 * What an AV1 sequence header says that an init segment repeats (AV1 specification, section 5.5).
 *
 * @param level {@code seq_level_idx} of the first operating point
 * @param tier 1 for the high tier
 * @param chromaPosition 0 not known, 1 vertical, 2 colocated
 */
public record Av1Sequence(
    int profile,
    int level,
    int tier,
    int depth,
    boolean monochrome,
    boolean subsamplingX,
    boolean subsamplingY,
    int chromaPosition,
    int width,
    int height,
    Colour colour)
    implements VideoSequence {
  private static final int LAST_MAIN_ONLY_LEVEL = 7;

  static Av1Sequence of(byte[] header) {
    return new Parser(new BitReader("The AV1 sequence header", header)).sequence();
  }

  /** Name for playlists; colour is spelled out where it is not what the short form stands for. */
  @Override
  public String codecs() {
    String text = "av01.%d.%02d%s.%02d".formatted(profile, level, tier == 1 ? "H" : "M", depth);
    boolean usual = colour.equals(Colour.unspecified()) || colour.equals(Colour.bt709());
    if (!monochrome && subsamplingX && subsamplingY && usual) {
      return text; // what is left out is taken to be so
    }
    return text
        + ".%d.%d%d%d.%02d.%02d.%02d.%d"
            .formatted(
                monochrome ? 1 : 0,
                subsamplingX ? 1 : 0,
                subsamplingY ? 1 : 0,
                chromaPosition,
                colour.primaries(),
                colour.transfer(),
                colour.matrix(),
                colour.fullRange() ? 1 : 0);
  }

  /** The four bytes that an av1C begins with; no initial presentation delay. */
  byte[] configHeader() {
    int flags =
        tier << 7
            | (depth > 8 ? 1 << 6 : 0)
            | (depth == 12 ? 1 << 5 : 0)
            | (monochrome ? 1 << 4 : 0)
            | (subsamplingX ? 1 << 3 : 0)
            | (subsamplingY ? 1 << 2 : 0)
            | chromaPosition;
    return new byte[] {(byte) 0x81, (byte) (profile << 5 | level), (byte) flags, 0};
  }

  private static final class Parser {
    private final BitReader in;
    private int level;
    private int tier;

    Parser(BitReader in) {
      this.in = in;
    }

    Av1Sequence sequence() {
      int profile = in.u(3);
      if (profile > 2) {
        throw new UnreadableHeaderException("AV1 has no profile " + profile);
      }
      in.skip(1); // still_picture
      boolean reduced = in.flag();
      if (reduced) {
        level = in.u(5);
      } else {
        operatingPoints();
      }
      int widthBits = in.u(4) + 1;
      int heightBits = in.u(4) + 1;
      int width = in.u(widthBits) + 1;
      int height = in.u(heightBits) + 1;
      tools(reduced);
      return colours(profile, width, height);
    }

    private void operatingPoints() {
      int delayBits = 0;
      if (in.flag()) { // timing_info
        in.skip(64);
        if (in.flag()) {
          in.skipUvlc();
        }
        if (in.flag()) { // decoder_model_info
          delayBits = in.u(5) + 1;
          in.skip(32 + 5 + 5);
        }
      }
      boolean displayDelays = in.flag();
      int points = in.u(5) + 1;
      for (int i = 0; i < points; i++) {
        in.skip(12);
        int levelHere = in.u(5);
        int tierHere = levelHere > LAST_MAIN_ONLY_LEVEL ? in.bit() : 0;
        if (i == 0) {
          level = levelHere;
          tier = tierHere;
        }
        if (delayBits > 0 && in.flag()) {
          in.skip(2 * delayBits + 1);
        }
        if (displayDelays && in.flag()) {
          in.skip(4);
        }
      }
    }

    private void tools(boolean reduced) {
      if (!reduced && in.flag()) { // frame_id_numbers
        in.skip(4 + 3);
      }
      in.skip(3); // superblock size, filter intra, intra edge filter
      if (!reduced) {
        in.skip(4); // interintra, masked compound, warped motion, dual filter
        boolean orderHint = in.flag();
        if (orderHint) {
          in.skip(2);
        }
        boolean chosen = in.flag();
        boolean screenContent = chosen || in.flag();
        if (screenContent && !in.flag()) {
          in.skip(1);
        }
        if (orderHint) {
          in.skip(3);
        }
      }
      in.skip(3); // superres, cdef, restoration
    }

    private Av1Sequence colours(int profile, int width, int height) {
      boolean high = in.flag();
      int depth = high ? (profile == 2 && in.flag() ? 12 : 10) : 8;
      boolean monochrome = profile != 1 && in.flag();
      boolean described = in.flag();
      int primaries = described ? in.u(8) : 2;
      int transfer = described ? in.u(8) : 2;
      int matrix = described ? in.u(8) : 2;
      boolean full = true;
      boolean x = profile != 1;
      boolean y = profile == 0;
      int position = 0;
      if (monochrome) {
        full = in.flag();
        y = true;
      } else if (primaries == 1 && transfer == 13 && matrix == 0) {
        x = false;
        y = false;
      } else {
        full = in.flag();
        if (profile == 2 && depth == 12) {
          x = in.flag();
          y = x && in.flag();
        }
        position = x && y ? in.u(2) : 0;
      }
      Colour colour = new Colour(primaries, transfer, matrix, full);
      return new Av1Sequence(
          profile, level, tier, depth, monochrome, x, y, position, width, height, colour);
    }
  }
}
