package dev.fairlead.media.output;

import java.util.ArrayList;
import java.util.List;

/**
 * The largest number of pictures a second that a track shows, over any second of it. Not for use by
 * two threads at once.
 */
final class LargestRate {
  /** Times are rounded to ticks: what is as near as this to the usual rate is that rate. */
  private static final double NEAR = 0.01;

  private final int timescale;

  /** From the last time that is a second ago or more. */
  private final List<Long> times = new ArrayList<>();

  private double largest;

  LargestRate(int timescale) {
    this.timescale = timescale;
  }

  /** A further picture is shown at {@code pts}, later than all before. */
  void add(long pts) {
    times.add(pts);
    while (times.size() > 2 && pts - times.get(1) >= timescale) {
      times.removeFirst();
    }
    if (span() >= timescale) {
      largest = Math.max(largest, rate());
    }
  }

  /** Pictures a second; {@code usual} if that is not known better, or is about the same. */
  double orAbout(double usual) {
    double found = largest > 0 || span() == 0 ? largest : rate();
    return found <= 0 || Math.abs(found - usual) <= NEAR * usual ? usual : found;
  }

  private double rate() {
    return (times.size() - 1.0) * timescale / span();
  }

  private long span() {
    return times.isEmpty() ? 0 : times.getLast() - times.getFirst();
  }
}
