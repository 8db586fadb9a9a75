package dev.fairlead.media.source;

/**
 * The video of a source, as it is stored; see {@link #displayWidth} for how it is shown.
 *
 * @param stream its index in the file
 * @param pixelAspect width of a pixel ÷ its height
 * @param turn how the picture is to be turned
 * @param timeBase seconds per tick of its timestamps
 * @param frameRate frames per second, on average
 * @param start timestamp of the first frame, in ticks
 * @param duration in ticks; an estimate, zero if not known
 * @param depth bits per sample
 * @param mastering of HDR video
 * @param pixelBits what a decoded pixel takes in memory, on average over its planes
 */
public record VideoTrack(
    int stream,
    String codec,
    int width,
    int height,
    Rational pixelAspect,
    Turn turn,
    Rational timeBase,
    Rational frameRate,
    long start,
    long duration,
    int depth,
    Colour colour,
    boolean interlaced,
    Mastering mastering,
    int pixelBits) {
  /** Width with square pixels, after turning. */
  public int displayWidth() {
    return turn.isSideways() ? height : squareWidth();
  }

  /** Height with square pixels, after turning. */
  public int displayHeight() {
    return turn.isSideways() ? squareWidth() : height;
  }

  private int squareWidth() {
    return (int) Math.max(1, Math.round(width * pixelAspect.value()));
  }
}
