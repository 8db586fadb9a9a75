package dev.fairlead.units;

import java.time.Duration;
import java.util.OptionalInt;

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
  private static final long MEMORY_REST = Duration.ofMinutes(5).toNanos();
  private static final int NONE = Integer.MAX_VALUE;

  private final long firstRest;
  private final long longestRest;
  private int limit = NONE;
  private long rest;
  private long refusedAt;

  private SessionLimit(long firstRest, long longestRest) {
    this.firstRest = firstRest;
    this.longestRest = longestRest;
    this.rest = firstRest;
  }

  /** Of sessions: one more that is refused harms nothing. */
  static SessionLimit ofSessions() {
    return new SessionLimit(FIRST_REST, LONGEST_REST);
  }

  /** Of memory: where one more finds none, those that run may not find what they need either. */
  static SessionLimit ofMemory() {
    return new SessionLimit(MEMORY_REST, MEMORY_REST);
  }

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

  /** The limit, if one is known. */
  OptionalInt most() {
    return limit == NONE ? OptionalInt.empty() : OptionalInt.of(limit);
  }

  /** One more than run was refused. */
  void refused(int running, long now) {
    rest = running < limit ? firstRest : Math.min(longestRest, 2 * rest);
    limit = Math.min(limit, running);
    refusedAt = now;
  }

  void forget() {
    limit = NONE;
    rest = firstRest;
  }
}
