package dev.fairlead.media.plan;

import java.util.OptionalLong;

/**
 * One size and quality that the source is encoded in.
 *
 * @param name unique in its ladder, such as {@code 720p}; also the name of its files
 * @param crf constant rate factor, from 0 (best) to what the codec allows
 * @param maxrateBits bits a second that are not to be exceeded
 */
public record Rung(String name, int width, int height, int crf, OptionalLong maxrateBits) {
  public Rung {
    if (width <= 0 || height <= 0 || width % 2 != 0 || height % 2 != 0) {
      throw new IllegalArgumentException(
          "Rung " + name + " has no even size: " + width + "x" + height);
    }
  }

  public int shortSide() {
    return Math.min(width, height);
  }

  @Override
  public String toString() {
    return "%s %dx%d crf %d%s"
        .formatted(
            name,
            width,
            height,
            crf,
            maxrateBits.isPresent() ? " maxrate " + maxrateBits.getAsLong() : "");
  }

  /** How many pixels a picture has. */
  public double pixels() {
    return (double) width * height;
  }
}
