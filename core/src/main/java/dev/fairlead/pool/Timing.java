package dev.fairlead.pool;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The pool's delays. Each may be as long as a duration can be: {@code ChronoUnit.FOREVER} is for
 * ever.
 *
 * @param poll how often a device is asked for its load; the pool looks after its devices four times
 *     as often
 * @param ageing the head start of one step of priority over the next lower one
 * @param watchdog how long work may take before its device counts as hung; zero for ever
 * @param overdue how long a lease may be held before it is reported with its holder; zero for ever
 * @param grace how long closing waits for what runs, in all
 * @param opening how long a device may take to open a context, or to be probed, before it is given
 *     up
 */
public record Timing(
    Duration poll,
    Duration ageing,
    Duration watchdog,
    Duration overdue,
    Duration grace,
    Duration opening) {
  /** A time limit that is none. */
  public static final Duration NO_LIMIT = Duration.ofNanos(Long.MAX_VALUE);

  /** Ranks are compared by their difference, which must not overflow: 36 years, for ever here. */
  private static final long LONGEST_STEP_NANOS = Long.MAX_VALUE / 8;

  private static final Timing USUAL =
      new Timing(
          Duration.ofMillis(250),
          Duration.ofSeconds(10),
          Duration.ZERO,
          Duration.ofMinutes(5),
          Duration.ofSeconds(10),
          Duration.ofMinutes(1));

  public Timing {
    if (poll.isNegative() || poll.isZero()) {
      throw new IllegalArgumentException("The poll interval is not positive: " + poll);
    }
    if (opening.isNegative() || opening.isZero()) {
      throw new IllegalArgumentException("The time for opening is not positive: " + opening);
    }
    if (ageing.isNegative()
        || watchdog.isNegative()
        || overdue.isNegative()
        || grace.isNegative()) {
      throw new IllegalArgumentException("A delay is negative: " + this);
    }
  }

  /** As nanoseconds, as long as they reach: what is longer is for ever. */
  public static long nanos(Duration duration) {
    return TimeUnit.NANOSECONDS.convert(duration);
  }

  /** The head start of one step of priority, such that differences of ranks do not overflow. */
  long headStart() {
    return Math.min(nanos(ageing), LONGEST_STEP_NANOS);
  }

  public static Timing usual() {
    return USUAL;
  }

  public Timing withPoll(Duration value) {
    return new Timing(value, ageing, watchdog, overdue, grace, opening);
  }

  public Timing withAgeing(Duration value) {
    return new Timing(poll, value, watchdog, overdue, grace, opening);
  }

  public Timing withWatchdog(Duration value) {
    return new Timing(poll, ageing, value, overdue, grace, opening);
  }

  public Timing withOverdue(Duration value) {
    return new Timing(poll, ageing, watchdog, value, grace, opening);
  }

  public Timing withGrace(Duration value) {
    return new Timing(poll, ageing, watchdog, overdue, value, opening);
  }

  public Timing withOpening(Duration value) {
    return new Timing(poll, ageing, watchdog, overdue, grace, value);
  }
}
