package dev.fairlead.media.plan;

import dev.fairlead.media.source.VideoTrack;
import java.util.List;

/** The size of a picture, as it is shown. */
record Frame(int width, int height) {
  /** The standard ladder, by short side. */
  static final List<Integer> STEPS = List.of(2160, 1440, 1080, 720, 480, 360, 240);

  /** The shortest side that every encoder takes. */
  static final int LEAST_SIDE = 16;

  /** The longest side that any encoder takes. */
  static final int MOST_SIDE = 16_384;

  /** The largest that a rung of this source can be: even, and what encoders take. */
  static Frame of(VideoTrack source) {
    int width = source.displayWidth();
    int height = source.displayHeight();
    int longSide = Math.max(width, height);
    if (longSide > MOST_SIDE) {
      width = (int) Rescale.floor(width, MOST_SIDE, longSide);
      height = (int) Rescale.floor(height, MOST_SIDE, longSide);
    }
    return new Frame(even(width), even(height));
  }

  int shortSide() {
    return Math.min(width, height);
  }

  boolean isUpright() {
    return height > width;
  }

  /** The same shape with that short side, even and not larger than this. */
  Frame withShortSide(int pixels) {
    return pixels >= shortSide() ? this : within(scaledToShortSide(even(pixels)));
  }

  /** The same shape with that short side, larger perhaps. */
  Frame scaledToShortSide(int pixels) {
    return isUpright()
        ? new Frame(pixels, nearestEven(height, pixels, width))
        : new Frame(nearestEven(width, pixels, height), pixels);
  }

  /** A box that stands if this does. */
  Frame turnedLikeThis(int width, int height) {
    int larger = Math.max(width, height);
    int smaller = Math.min(width, height);
    return isUpright() ? new Frame(smaller, larger) : new Frame(larger, smaller);
  }

  /** The largest of this shape that fits the box, even and not larger than this. */
  Frame within(Frame box) {
    if (box.width >= width && box.height >= height) {
      return this;
    }
    boolean byWidth = (long) box.width * height <= (long) box.height * width;
    int fittedWidth = byWidth ? even(box.width) : nearestEven(width, even(box.height), height);
    int fittedHeight = byWidth ? nearestEven(height, even(box.width), width) : even(box.height);
    return new Frame(Math.min(width, fittedWidth), Math.min(height, fittedHeight));
  }

  /** Whether the box is larger by so little in one of its sides. */
  boolean isNearly(Frame box, int percent) {
    return box.width * 100L <= (long) width * percent
        || box.height * 100L <= (long) height * percent;
  }

  private static int even(int side) {
    return Math.max(LEAST_SIDE, side & ~1);
  }

  private static int nearestEven(int side, int factor, int divisor) {
    return Math.max(LEAST_SIDE, (int) (2 * Rescale.nearest(side, factor, 2L * divisor)));
  }

  @Override
  public String toString() {
    return width + "x" + height;
  }
}
