package dev.fairlead.outcome;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How hard to try. Trying again is opt-in, for work that may run twice: each try prefers a device
 * that has not failed it yet, and after the last one the work is condemned with all its reasons.
 */
public final class RetryOptions {
  private static final RetryOptions ONCE = new RetryOptions(1, null);

  private final int tries;
  private final @Nullable Duration deadline;

  private RetryOptions(int tries, @Nullable Duration deadline) {
    this.tries = tries;
    this.deadline = deadline;
  }

  /** One try, no deadline. */
  public static RetryOptions once() {
    return ONCE;
  }

  /** Up to so many tries in all. */
  public RetryOptions withTries(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("tries is less than one: " + count);
    }
    return new RetryOptions(count, deadline);
  }

  /** From submission to end, all tries included. */
  public RetryOptions withDeadline(Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException("The deadline is not positive: " + value);
    }
    return new RetryOptions(tries, value);
  }

  public int tries() {
    return tries;
  }

  public Optional<Duration> deadline() {
    return Optional.ofNullable(deadline);
  }
}
