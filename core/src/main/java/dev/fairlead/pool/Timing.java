package dev.fairlead.pool;

import java.time.Duration;

/**
 * The pool's delays.
 *
 * @param poll how often a device is asked for its load
 * @param ageing the head start of one step of priority over the next lower one
 * @param watchdog how long work may take before its device counts as hung; zero for ever
 * @param overdue how long a lease may be held before it is reported with its holder; zero for ever
 * @param grace how long closing waits for what runs
 */
public record Timing(
    Duration poll, Duration ageing, Duration watchdog, Duration overdue, Duration grace) {
  private static final Timing USUAL =
      new Timing(
          Duration.ofMillis(250),
          Duration.ofSeconds(10),
          Duration.ZERO,
          Duration.ofMinutes(5),
          Duration.ofSeconds(10));

  public Timing {
    if (poll.isNegative() || poll.isZero()) {
      throw new IllegalArgumentException("The poll interval is not positive: " + poll);
    }
    if (ageing.isNegative()
        || watchdog.isNegative()
        || overdue.isNegative()
        || grace.isNegative()) {
      throw new IllegalArgumentException("A delay is negative: " + this);
    }
  }

  public static Timing usual() {
    return USUAL;
  }

  public Timing withPoll(Duration value) {
    return new Timing(value, ageing, watchdog, overdue, grace);
  }

  public Timing withAgeing(Duration value) {
    return new Timing(poll, value, watchdog, overdue, grace);
  }

  public Timing withWatchdog(Duration value) {
    return new Timing(poll, ageing, value, overdue, grace);
  }

  public Timing withOverdue(Duration value) {
    return new Timing(poll, ageing, watchdog, value, grace);
  }

  public Timing withGrace(Duration value) {
    return new Timing(poll, ageing, watchdog, overdue, value);
  }
}
