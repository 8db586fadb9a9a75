package dev.fairlead.stats;

/** A source of time that only moves forward, in nanoseconds from an arbitrary origin. */
@FunctionalInterface
public interface Ticker {
  long nanos();

  /** Whether time passes at all. */
  default boolean runs() {
    return true;
  }

  static Ticker system() {
    return System::nanoTime;
  }

  /**
   * Time that stands still: counts are kept, durations are not. Saves the cost of the clock where
   * nothing needs time; in a pool with it, quarantines do not end and nothing ages or fades.
   */
  static Ticker frozen() {
    return Frozen.INSTANCE;
  }

  /** Always says zero. */
  enum Frozen implements Ticker {
    INSTANCE;

    @Override
    public long nanos() {
      return 0;
    }

    @Override
    public boolean runs() {
      return false;
    }
  }
}
