package dev.fairlead.media.encode;

import dev.fairlead.media.av.Encoded;
import dev.fairlead.media.source.Rational;
import java.util.Comparator;
import java.util.List;

/**
 * A largest bit rate that holds over every window of time of a rung, if each chunk keeps its own
 * share of it.
 *
 * <p>A window is as long as the buffer: {@value #WINDOW_SECONDS} s, or a chunk where that is
 * shorter, and may hold {@value #TOLERANCE} times the limit. A window inside a chunk is counted as
 * it is. Any other lies over the border of two chunks, which know nothing of each other. So what a
 * chunk has within a time {@code t} of its beginning is at most {@code a + c·t}, and within a time
 * {@code t} of its end at most {@code b + c·t}, where {@code a + b + c} windows are what a window
 * may hold. The larger share {@code a} is for the key that each chunk begins with.
 *
 * @param bitsPerSecond the limit
 * @param from the first tick of the chunk
 * @param to the first tick of the next one
 */
record RateLimit(long bitsPerSecond, Rational timeBase, long from, long to) {
  static final int WINDOW_SECONDS = 2;
  static final double TOLERANCE = 1.05;
  private static final double AT_THE_BEGINNING = 0.4;
  private static final double AT_THE_END = 0.2;

  /** How many times what is allowed there is where it is worst; the limit is kept up to 1. */
  double strain(List<Encoded> packets) {
    List<Encoded> shown = packets.stream().sorted(Comparator.comparingLong(Encoded::pts)).toList();
    return Math.max(within(shown), Math.max(atTheBeginning(shown), atTheEnd(shown)));
  }

  private double within(List<Encoded> shown) {
    double most = 0;
    double bits = 0;
    int first = 0;
    for (Encoded packet : shown) {
      bits += bits(packet);
      while (seconds(packet.pts() - shown.get(first).pts()) >= window()) {
        bits -= bits(shown.get(first));
        first++;
      }
      most = Math.max(most, bits);
    }
    return most / allowed(TOLERANCE);
  }

  private double atTheBeginning(List<Encoded> shown) {
    double worst = 0;
    double bits = 0;
    for (Encoded packet : shown) {
      double after = seconds(packet.pts() - from);
      bits += bits(packet);
      if (after < window()) {
        worst = Math.max(worst, bits / allowed(AT_THE_BEGINNING, after));
      }
    }
    return worst;
  }

  private double atTheEnd(List<Encoded> shown) {
    double worst = 0;
    double bits = 0;
    for (Encoded packet : shown.reversed()) {
      double before = seconds(to - packet.pts());
      bits += bits(packet);
      if (before < window()) {
        worst = Math.max(worst, bits / allowed(AT_THE_END, before));
      }
    }
    return worst;
  }

  private double allowed(double share, double seconds) {
    double rest = TOLERANCE - AT_THE_BEGINNING - AT_THE_END;
    return allowed(share + rest * seconds / window());
  }

  private double allowed(double windows) {
    return windows * bitsPerSecond * window();
  }

  private double window() {
    return Math.min(WINDOW_SECONDS, seconds(to - from));
  }

  private double seconds(long ticks) {
    return (double) ticks * timeBase.num() / timeBase.den();
  }

  private static double bits(Encoded packet) {
    return 8.0 * packet.data().length;
  }
}
