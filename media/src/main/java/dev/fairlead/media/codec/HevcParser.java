package dev.fairlead.media.codec;

import dev.fairlead.media.source.Colour;

/** Reads an H.265 sequence parameter set as far as the colours. */
final class HevcParser {
  private static final int MAX_REFERENCE_SETS = 64;
  private static final int MAX_PICTURES = 16;

  private final BitReader in;
  private int pocBits;

  private HevcParser(BitReader in) {
    this.in = in;
  }

  static HevcSequence parse(byte[] unit) {
    byte[] bytes = NalUnits.unescaped(unit);
    return new HevcParser(new BitReader("The H.265 sequence parameter set", bytes)).sequence();
  }

  private HevcSequence sequence() {
    in.skip(16 + 4);
    int sublayers = in.u(3);
    in.skip(1);
    int profile = in.u(8);
    int compatibility = (int) in.bits(32);
    long constraints = in.bits(48);
    int level = in.u(8);
    skipSublayers(sublayers);
    in.ue();
    int chroma = in.ueUpTo(3);
    if (chroma == 3) {
      in.skip(1);
    }
    int width = in.ueUpTo(1 << 16);
    int height = in.ueUpTo(1 << 16);
    if (in.flag()) {
      int x = chroma == 1 || chroma == 2 ? 2 : 1;
      int y = chroma == 1 ? 2 : 1;
      width -= x * (in.ueUpTo(width) + in.ueUpTo(width));
      height -= y * (in.ueUpTo(height) + in.ueUpTo(height));
    }
    if (width <= 0 || height <= 0) {
      throw new UnreadableHeaderException("An H.265 picture of " + width + "×" + height);
    }
    int depth = 8 + in.ueUpTo(8);
    in.ueUpTo(8);
    pocBits = in.ueUpTo(12) + 4;
    skipTools(sublayers);
    Colour colour = in.flag() ? NalUnits.colour(in) : Colour.unspecified();
    return new HevcSequence(
        profile,
        compatibility,
        constraints,
        level,
        chroma,
        depth,
        width,
        height,
        sublayers + 1,
        colour);
  }

  private void skipSublayers(int sublayers) {
    boolean[] profiles = new boolean[sublayers];
    boolean[] levels = new boolean[sublayers];
    for (int i = 0; i < sublayers; i++) {
      profiles[i] = in.flag();
      levels[i] = in.flag();
    }
    if (sublayers > 0) {
      in.skip(2 * (8 - sublayers));
    }
    for (int i = 0; i < sublayers; i++) {
      in.skip((profiles[i] ? 88 : 0) + (levels[i] ? 8 : 0));
    }
  }

  private void skipTools(int sublayers) {
    int ordered = in.flag() ? sublayers + 1 : 1;
    for (int i = 0; i < ordered * 3; i++) {
      in.ue();
    }
    for (int i = 0; i < 6; i++) {
      in.ue(); // sizes of blocks
    }
    boolean scaled = in.flag();
    if (scaled && in.flag()) {
      skipScalingLists();
    }
    in.skip(2);
    if (in.flag()) { // pcm
      in.skip(8);
      in.ue();
      in.ue();
      in.skip(1);
    }
    skipReferenceSets();
    if (in.flag()) { // long-term references
      int count = in.ueUpTo(32);
      in.skip(count * (pocBits + 1));
    }
    in.skip(2);
  }

  private void skipScalingLists() {
    for (int size = 0; size < 4; size++) {
      for (int i = 0; i < (size == 3 ? 2 : 6); i++) {
        if (!in.flag()) {
          in.ue();
        } else {
          int count = Math.min(64, 1 << (4 + (size << 1)));
          if (size > 1) {
            in.se();
          }
          for (int j = 0; j < count; j++) {
            in.se();
          }
        }
      }
    }
  }

  private void skipReferenceSets() {
    int count = in.ueUpTo(MAX_REFERENCE_SETS);
    int pictures = 0;
    for (int i = 0; i < count; i++) {
      if (i > 0 && in.flag()) {
        in.skip(1);
        in.ue();
        int kept = 0;
        for (int j = 0; j <= pictures; j++) {
          boolean used = in.flag();
          kept += used || in.flag() ? 1 : 0;
        }
        pictures = kept;
      } else {
        pictures = in.ueUpTo(MAX_PICTURES) + in.ueUpTo(MAX_PICTURES);
        for (int j = 0; j < pictures; j++) {
          in.ue();
          in.skip(1);
        }
      }
    }
  }
}
