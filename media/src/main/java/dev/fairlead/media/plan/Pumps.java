package dev.fairlead.media.plan;

/**
 * How many pumps decode a source at once.
 *
 * @param least so many from the start
 * @param most so many while decoding is the bottleneck
 * @param spanChunks how many chunks in a row a pump takes at a time. Each time costs the frames
 *     from the keyframe before, so that few would be a waste
 */
public record Pumps(int least, int most, int spanChunks) {
  private static final int MOST = 4;
  private static final int SPAN_CHUNKS = 8;

  public Pumps {
    if (least < 1 || most < least || spanChunks < 1) {
      throw new IllegalArgumentException(
          "Not a number of pumps: %d to %d on %d chunks".formatted(least, most, spanChunks));
    }
  }

  /** One, and more while decoding is the bottleneck, up to the number of processors. */
  public static Pumps usual() {
    return new Pumps(1, Math.min(MOST, Runtime.getRuntime().availableProcessors()), SPAN_CHUNKS);
  }

  /** As many, but no more than that. */
  public Pumps atMost(int number) {
    int fewer = Math.min(most, number);
    return new Pumps(Math.min(least, fewer), fewer, spanChunks);
  }

  /** As many, or up to that number if it is more. */
  public Pumps orMost(int number) {
    return new Pumps(least, Math.max(most, number), spanChunks);
  }

  /** So many from the start, as far as there may be so many. */
  public Pumps atLeast(int number) {
    return new Pumps(Math.min(most, Math.max(least, number)), most, spanChunks);
  }

  /** Spans of so many chunks, if that is fewer. */
  public Pumps onSpansOf(long chunks) {
    return new Pumps(least, most, Math.clamp(chunks, 1, spanChunks));
  }

  /** One, always: for sources that cannot be split. */
  public static Pumps one() {
    return new Pumps(1, 1, SPAN_CHUNKS);
  }
}
