package dev.fairlead.stats;

/** A source of time that only moves forward, in nanoseconds from an arbitrary origin. */
@FunctionalInterface
public interface Ticker {
  long nanos();

  /** Whether time passes at all. */
  default boolean runs() {
    return true;
  }

  /** Whether its nanoseconds are those of the system, so that a thread can sleep by it. */
  default boolean isReal() {
    return false;
  }

  static Ticker system() {
    return Real.INSTANCE;
  }

  /**
   * Time that stands still: counts are kept, durations are not. Saves the cost of the clock where
   * nothing needs time; in a pool with it, quarantines do not end and nothing ages or fades.
   */
  static Ticker frozen() {
    return Frozen.INSTANCE;
  }

  /** The system's own. */
  enum Real implements Ticker {
    INSTANCE;

    @Override
    public long nanos() {
      return System.nanoTime();
    }

    @Override
    public boolean isReal() {
      return true;
    }
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
