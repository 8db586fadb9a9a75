package dev.fairlead.media.plan;

import dev.fairlead.media.source.Rational;
import dev.fairlead.media.source.VideoTrack;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * Which chunk a frame belongs to, by its timestamp alone.
 *
 * <p>A chunk is a half-open cell of time: the frame at {@code t} is in chunk {@code floor((t −
 * start) ÷ d)}. The length {@code d} is that of a whole number of frames, about two seconds, kept
 * as an exact fraction of ticks, so that cells neither drift nor depend on rounding. Two seconds
 * exactly where the source's frame rate is not known or cannot be true.
 *
 * <p>The grid is a function of source and request only, never of devices, memory or nodes: all who
 * look at the same source cut it alike, today and after a crash. An empty cell makes no chunk.
 *
 * @param start timestamp of the first chunk's start, in ticks of the source
 * @param end the first timestamp that is not wanted; empty if all are, to the end
 * @param lengthNum with {@code lengthDen}: how long a chunk is, in ticks
 * @param frames how many frames a chunk has at the source's rate; for frames that come unevenly,
 *     what to expect
 * @param seconds how long a chunk is
 * @param chunksPerSegment how many chunks a segment holds
 */
public record ChunkGrid(
    long start,
    OptionalLong end,
    long lengthNum,
    long lengthDen,
    int frames,
    Rational seconds,
    int chunksPerSegment) {
  private static final int USUAL_SECONDS = 2;

  /** Frames of a chunk whose frame rate is not known: as many as a fast camera makes. */
  private static final int FRAMES_OF_UNKNOWN = 60 * USUAL_SECONDS;

  /** Frame rates that can be true: from one in ten seconds to a thousand a second. */
  private static final int SLOWEST_SECONDS = 10;

  private static final int FASTEST = 1_000;

  /** A frame rate of finer parts is a guess, and its products would not fit a long. */
  private static final int FINEST = 1_000_000;

  private static final long NANOS = 1_000_000_000;

  public ChunkGrid {
    if (lengthNum <= 0 || lengthDen <= 0 || frames <= 0 || chunksPerSegment <= 0) {
      throw new IllegalArgumentException(
          "Not a grid: chunks of %d/%d ticks and %d frames, %d in a segment"
              .formatted(lengthNum, lengthDen, frames, chunksPerSegment));
    }
  }

  /** The grid of a source that begins with its first picture. */
  public static ChunkGrid of(VideoTrack source, TranscodeRequest request) {
    return of(source, request, 0);
  }

  /**
   * The grid of a source.
   *
   * @param lead ticks by which the output begins before the first picture, unless a start is asked
   *     for
   */
  static ChunkGrid of(VideoTrack source, TranscodeRequest request, long lead) {
    Rational timeBase = source.timeBase();
    if (timeBase.num() <= 0) {
      throw new PlanException("The source has no time base: " + timeBase);
    }
    long divisor = gcd(source.frameRate().num(), source.frameRate().den());
    long rateNum = source.frameRate().num() / divisor;
    long rateDen = source.frameRate().den() / divisor;
    boolean known =
        rateNum * SLOWEST_SECONDS >= rateDen && rateNum <= FASTEST * rateDen && rateDen <= FINEST;
    long frames =
        known ? Math.max(1, Rescale.nearest(USUAL_SECONDS, rateNum, rateDen)) : FRAMES_OF_UNKNOWN;
    long secondsNum = known ? frames * rateDen : USUAL_SECONDS;
    long secondsDen = known ? rateNum : 1;
    Rational seconds = reduced(secondsNum, secondsDen);
    long num = (long) seconds.num() * timeBase.den();
    long den = (long) seconds.den() * timeBase.num();
    long common = gcd(num, den);
    Excerpt excerpt = request.excerpt();
    return new ChunkGrid(
        at(excerpt.start(), source) - (excerpt.start().isZero() ? lead : 0),
        excerpt.end().isPresent()
            ? OptionalLong.of(at(excerpt.end().get(), source))
            : OptionalLong.empty(),
        num / common,
        den / common,
        (int) frames,
        seconds,
        chunksPerSegment(request.segment(), seconds));
  }

  /** The chunk of a timestamp; negative if it is before the start. */
  public long chunkOf(long pts) {
    return Rescale.floor(Math.subtractExact(pts, start), lengthDen, lengthNum);
  }

  /** The smallest timestamp of a chunk. */
  public long startOf(long chunk) {
    return Math.addExact(start, Rescale.ceiling(chunk, lengthNum, lengthDen));
  }

  /** Whether a frame at this time is wanted at all. */
  public boolean contains(long pts) {
    return pts >= start && (end.isEmpty() || pts < end.getAsLong());
  }

  /** The segment that holds a chunk. */
  public long segmentOf(long chunk) {
    return Math.floorDiv(chunk, chunksPerSegment);
  }

  /** The first chunk of a segment. */
  public long firstChunkOf(long segment) {
    return Math.multiplyExact(segment, chunksPerSegment);
  }

  /** The first tick that is not earlier than so long after the source's first frame. */
  private static long at(Duration time, VideoTrack source) {
    Rational timeBase = source.timeBase();
    long ticks = Rescale.ceiling(time.toNanos(), timeBase.den(), NANOS * timeBase.num());
    return Math.addExact(source.start(), ticks);
  }

  private static int chunksPerSegment(Duration segment, Rational seconds) {
    long chunks = Rescale.nearest(segment.toNanos(), seconds.den(), NANOS * seconds.num());
    return Math.toIntExact(Math.max(1, chunks));
  }

  private static Rational reduced(long num, long den) {
    long common = gcd(num, den);
    return new Rational(Math.toIntExact(num / common), Math.toIntExact(den / common));
  }

  private static long gcd(long one, long other) {
    long a = Math.abs(one);
    long b = other;
    while (b != 0) {
      long rest = a % b;
      a = b;
      b = rest;
    }
    return a;
  }
}
