package dev.fairlead.media.encode;

import dev.fairlead.media.chunk.Chunk;
import dev.fairlead.media.settings.VideoSettings;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Encodes a chunk again, each time for fewer bits, until it keeps its limit. What comes out depends
 * on pictures and settings alone, not on the device or the number of attempts.
 *
 * <p>To encoders a limit is a wish: SVT-AV1 spends up to twice of it on a short chunk, whose key it
 * does not count. The next try asks for as many times fewer bits as were too many, the last for the
 * fewest that there are. A chunk that comes out much smaller than it might be is tried again in
 * between.
 */
public final class LimitedEncoder {
  private static final int MOST_TRIES = 6;
  private static final double MARGIN = 1.02;
  private static final double WASTEFUL = 0.6;
  private static final double FEWEST = 1e6;

  private LimitedEncoder() {}

  /**
   * What became of a chunk.
   *
   * @param strain times what its limit allows; above 1 if no quality keeps it
   * @param waitedNanos how long the encoder waited for pictures: the first, as they are there then
   */
  public record Limited(EncodedChunk chunk, double strain, long waitedNanos) {
    private Limited after(Limited first) {
      return new Limited(chunk, strain, first.waitedNanos);
    }

    boolean kept() {
      return strain <= 1;
    }
  }

  /**
   * Encodes a chunk; throws {@link CancellationException} when it is to stop.
   *
   * @param from the first tick of its cell
   * @param to the first tick of the next one
   */
  public static Limited encode(
      Chunk chunk, VideoSettings settings, long from, long to, BooleanSupplier stop)
      throws InterruptedException {
    if (settings.maxrate() == 0) {
      EncodedChunk only = ChunkEncoder.encode(chunk, settings, stop);
      return new Limited(only, 0, only.waitedNanos());
    }
    RateLimit limit = new RateLimit(settings.maxrate(), settings.timeBase(), from, to);
    Search search = new Search(settings);
    Limited first = measured(ChunkEncoder.encode(chunk, settings, stop), limit);
    Limited best = first;
    VideoSettings next = search.after(best);
    while (next != null) {
      Limited made = measured(ChunkEncoder.encode(chunk, next, stop), limit);
      best = better(best, made);
      next = search.after(made);
    }
    return best.after(first);
  }

  private static Limited measured(EncodedChunk encoded, RateLimit limit) {
    return new Limited(encoded, limit.strain(encoded.packets()), encoded.waitedNanos());
  }

  /** The larger of two that keep the limit, else the one that is nearer to it. */
  private static Limited better(Limited one, Limited other) {
    if (one.kept() && other.kept()) {
      return one.strain > other.strain ? one : other;
    }
    return one.strain <= other.strain ? one : other;
  }

  /** How many times fewer bits to ask for: first as many as usual. */
  private static final class Search {
    private final VideoSettings settings;
    private double times = 1;
    private double tooFew;
    private double tooMany;
    private int tries;

    Search(VideoSettings settings) {
      this.settings = settings;
    }

    /** What to try next; null if what there is will do, or must. */
    @Nullable VideoSettings after(Limited made) {
      tries++;
      double before = times;
      boolean good = made.kept() && (times == 1 || made.strain >= WASTEFUL);
      if (good || tries == MOST_TRIES) {
        return null;
      }
      if (made.kept()) {
        tooFew = times;
      } else {
        tooMany = times;
      }
      if (tooFew > 0) {
        times = Math.sqrt(tooMany * tooFew);
      } else if (tries == MOST_TRIES - 1) {
        times = FEWEST;
      } else {
        times *= made.strain * MARGIN;
      }
      VideoSettings next = settings.coarser(times);
      return next.equals(settings.coarser(before)) ? null : next;
    }
  }
}
