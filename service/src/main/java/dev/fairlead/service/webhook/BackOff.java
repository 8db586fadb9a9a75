package dev.fairlead.service.webhook;

import java.time.Duration;
import java.time.Instant;

/**
 * When what was not taken is sent again: after a second, then twice as long each time up to an
 * hour, for a day. The day is counted in attempts, so a clock that jumps ends none early.
 */
final class BackOff {
  static final Duration LONGEST = Duration.ofHours(1);
  private static final Duration FIRST = Duration.ofSeconds(1);
  private static final Duration IN_ALL = Duration.ofHours(24);

  private BackOff() {}

  /**
   * How long to wait.
   *
   * @param attempts so far, from 1 on
   */
  static Duration after(int attempts) {
    int doublings = Math.min(attempts - 1, Integer.SIZE / 2);
    Duration wait = FIRST.multipliedBy(1L << doublings);
    return wait.compareTo(LONGEST) < 0 ? wait : LONGEST;
  }

  /** Whether so many attempts were enough. */
  static boolean isOver(int attempts) {
    Duration waited = Duration.ZERO;
    for (int each = 1; each < attempts; each++) {
      waited = waited.plus(after(each));
    }
    return waited.compareTo(IN_ALL) >= 0;
  }

  /** How long until a moment; never longer than a wait can be, if the clock was set back. */
  static Duration until(Instant due, Instant now) {
    Duration left = Duration.between(now, due);
    return left.compareTo(LONGEST) < 0 ? left : LONGEST;
  }
}
