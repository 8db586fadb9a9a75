package dev.fairlead.media.av;

import dev.fairlead.media.settings.WorkerProperties;

/**
 * What a source may ask for, whatever its headers say. A process that may use little memory takes
 * smaller pictures, and nothing that is large in one piece.
 */
final class Limits {
  private static final long LARGEST_PICTURE = 16_384L * 16_384;

  /** Bytes of memory for each pixel of the largest picture: a few pictures of any format. */
  private static final int BYTES_PER_PIXEL = 16;

  /** The part of the memory that may be asked for in one piece. */
  private static final int PIECE = 4;

  private static final long LEAST_PIECE = 64L << 20;
  private static final long USUAL_PIECE = Integer.MAX_VALUE;

  /** Streams of a file; a file that has more is not read. */
  static final int STREAMS = 1_000;

  /** Streams of pictures that are looked into. */
  static final int VIDEO_STREAMS = 4;

  private Limits() {}

  private static long memory() {
    return Long.getLong(WorkerProperties.MEMORY, Long.MAX_VALUE);
  }

  static long pixels() {
    return Math.clamp(memory() / BYTES_PER_PIXEL, 1, LARGEST_PICTURE);
  }

  /** What it takes to decode pictures of so many pixels. */
  static long needed(long pixels) {
    return pixels * BYTES_PER_PIXEL;
  }

  static long piece() {
    return Math.clamp(memory() / PIECE, LEAST_PIECE, USUAL_PIECE);
  }
}
