package dev.fairlead.units;

import java.time.Duration;

/**
 * How many units run at a time where a driver has refused more: on a device, or on all devices of a
 * kind. Owned by the scheduler.
 *
 * <p>The limit is what ran when a unit was refused. It may have changed since, say because another
 * program has ended, so that one more is tried after a rest, which doubles each time that it is
 * refused. If that one ends well, the limit is forgotten, and found anew if there is one.
 */
final class SessionLimit {
  private static final long FIRST_REST = Duration.ofMillis(500).toNanos();
  private static final long LONGEST_REST = Duration.ofSeconds(10).toNanos();
  private static final int NONE = Integer.MAX_VALUE;

  private int limit = NONE;
  private long rest = FIRST_REST;
  private long refusedAt;

  /** Whether one more may be tried while so many run. */
  boolean allows(int running, long now) {
    return running < limit || (running == limit && now - refusedAt >= rest);
  }

  /** How long it takes until {@link #allows} by the passing of time alone. */
  long nanosUntilAllowed(int running, long now) {
    if (allows(running, now)) {
      return 0;
    }
    return running == limit ? rest - (now - refusedAt) : NextLook.NEVER;
  }

  /** Whether one more would be more than were ever taken. */
  boolean isReached(int running) {
    return running >= limit;
  }

  /** One more than run was refused. */
  void refused(int running, long now) {
    rest = running < limit ? FIRST_REST : Math.min(LONGEST_REST, 2 * rest);
    limit = Math.min(limit, running);
    refusedAt = now;
  }

  void forget() {
    limit = NONE;
    rest = FIRST_REST;
  }
}
