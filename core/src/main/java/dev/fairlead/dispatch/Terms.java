package dev.fairlead.dispatch;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How hard to try. Trying again is opt-in, for work that may run twice: each try prefers a device
 * that has not failed it yet, and after the last one the work is condemned with all its reasons.
 */
public final class Terms {
  private static final Terms ONCE = new Terms(1, null);

  private final int tries;
  private final @Nullable Duration deadline;

  private Terms(int tries, @Nullable Duration deadline) {
    this.tries = tries;
    this.deadline = deadline;
  }

  /** One try, no deadline. */
  public static Terms once() {
    return ONCE;
  }

  /** Up to so many tries in all. */
  public Terms withTries(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("tries is less than one: " + count);
    }
    return new Terms(count, deadline);
  }

  /** From submission to end, all tries included. */
  public Terms withDeadline(Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException("The deadline is not positive: " + value);
    }
    return new Terms(tries, value);
  }

  public int tries() {
    return tries;
  }

  public Optional<Duration> deadline() {
    return Optional.ofNullable(deadline);
  }
}
