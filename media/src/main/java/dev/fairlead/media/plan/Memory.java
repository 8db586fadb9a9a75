package dev.fairlead.media.plan;

import dev.fairlead.media.probe.VideoTrack;

/**
 * How much memory a plan takes: frames as they are decoded, and those that encoders hold.
 *
 * <p>An estimate, made before a frame has been seen: 4:2:0, rows rounded up as decoders do, chunks
 * of the usual number of frames. What is really there is counted while it runs.
 */
final class Memory {
  private static final int ROW_BYTES = 64;

  /** Frames that a decoder keeps to itself: references, and one in work for each of its threads. */
  private static final int DECODER_FRAMES = 24;

  /**
   * Frames that an encoder keeps to itself, in sizes of its rung: look-ahead, references, scratch.
   */
  private static final int ENCODER_FRAMES = 40;

  private Memory() {}

  static long chunkBytes(TranscodePlan plan) {
    return plan.chunkFrames() * sourceFrameBytes(plan);
  }

  static long minimumBytes(TranscodePlan plan, int lanes) {
    if (lanes < 1) {
      throw new IllegalArgumentException("There are no lanes: " + lanes);
    }
    int depth = plan.video().depth();
    long largest =
        plan.rungs().stream()
            .mapToLong(rung -> frameBytes(rung.width(), rung.height(), depth))
            .max()
            .orElseThrow();
    return chunkBytes(plan)
        + DECODER_FRAMES * sourceFrameBytes(plan)
        + (long) lanes * ENCODER_FRAMES * largest;
  }

  private static long sourceFrameBytes(TranscodePlan plan) {
    VideoTrack video = plan.source().video();
    return frameBytes(video.width(), video.height(), video.depth());
  }

  private static long frameBytes(int width, int height, int depth) {
    long row = (long) width * (depth > 8 ? 2 : 1);
    long padded = (row + ROW_BYTES - 1) / ROW_BYTES * ROW_BYTES;
    return padded * ((height + 1) / 2 * 3L);
  }
}
