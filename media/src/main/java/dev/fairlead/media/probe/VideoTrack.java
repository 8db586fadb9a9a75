package dev.fairlead.media.probe;

/**
 * The video of a source, as it is stored; see {@link #displayWidth} for how it is shown.
 *
 * @param stream its index in the file
 * @param pixelAspect width of a pixel ÷ its height
 * @param rotation degrees by which the picture is to be turned clockwise: 0, 90, 180 or 270
 * @param timeBase seconds per tick of its timestamps
 * @param frameRate frames per second, on average
 * @param start timestamp of the first frame, in ticks
 * @param duration in ticks; an estimate, zero if not known
 * @param depth bits per sample
 * @param mastering of HDR video
 */
public record VideoTrack(
    int stream,
    String codec,
    int width,
    int height,
    Rational pixelAspect,
    int rotation,
    Rational timeBase,
    Rational frameRate,
    long start,
    long duration,
    int depth,
    Colour colour,
    boolean interlaced,
    Mastering mastering) {

  /** Width with square pixels, after turning. */
  public int displayWidth() {
    return turned() ? height : squareWidth();
  }

  /** Height with square pixels, after turning. */
  public int displayHeight() {
    return turned() ? squareWidth() : height;
  }

  private boolean turned() {
    return rotation % 180 != 0;
  }

  private int squareWidth() {
    return (int) Math.max(1, Math.round(width * pixelAspect.value()));
  }
}
