package dev.fairlead.media.plan;

import dev.fairlead.media.source.Rational;

/**
 * From timestamps of the source to those of the output, which begin at 0.
 *
 * <p>The output's tick divides the source's, so that every time is kept exactly: the timescale is
 * the denominator of the time base, doubled until it is at least {@value #LEAST}. Only where that
 * would be more than {@value #MOST} ticks a second, more than files hold well, times are rounded to
 * the nearest 1/{@value #ROUNDED} s.
 *
 * @param origin the timestamp that becomes 0
 * @param timescale ticks a second of the output
 */
public record Timeline(long origin, Rational timeBase, int timescale) {
  private static final int LEAST = 10_000;
  private static final int MOST = 30_000_000;
  private static final int ROUNDED = 90_000;

  /** The timeline of a track. */
  public static Timeline of(Rational timeBase, long origin) {
    if (timeBase.num() <= 0) {
      throw new PlanException("The source has no time base: " + timeBase);
    }
    int timescale = timeBase.den() > MOST ? ROUNDED : timeBase.den();
    while (timescale < LEAST) {
      timescale *= 2;
    }
    return new Timeline(origin, timeBase, timescale);
  }

  /** When a source timestamp is, in ticks of the output. */
  public long ticks(long pts) {
    return Rescale.nearest(
        Math.subtractExact(pts, origin), (long) timeBase.num() * timescale, timeBase.den());
  }

  /** How many ticks of a source are at least one of its output: times so far apart stay apart. */
  public static long step(Rational timeBase) {
    return Math.ceilDiv(timeBase.den(), (long) timeBase.num() * of(timeBase, 0).timescale);
  }

  /** Whether every timestamp is kept, not rounded. */
  public boolean isExact() {
    return timescale % timeBase.den() == 0;
  }
}
