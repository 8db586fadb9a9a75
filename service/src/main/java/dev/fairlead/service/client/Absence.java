package dev.fairlead.service.client;

import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A time in which a service does not answer. Each wait is longer than the one before; a service
 * that is away for longer than a caller's patience is given up. Not for two threads at once.
 */
final class Absence {
  private static final long FIRST_MILLIS = 100;
  private static final long LONGEST_MILLIS = 5_000;

  private final ServiceAddress address;
  private final Duration patience;
  private long pause = FIRST_MILLIS;
  private long since;
  private boolean away;

  Absence(ServiceAddress address, Duration patience) {
    this.address = address;
    this.patience = patience;
  }

  /** The service is there. */
  void over() {
    away = false;
    pause = FIRST_MILLIS;
  }

  /**
   * Waits before the next try.
   *
   * @param leastMillis for how long at least
   * @throws ServiceException.Unreachable if the service is away for too long
   */
  void await(IOException why, long leastMillis) throws InterruptedException {
    long now = System.nanoTime();
    if (!away) {
      away = true;
      since = now;
    }
    long left = patience.toMillis() - (now - since) / 1_000_000;
    if (left <= 0) {
      throw new ServiceException.Unreachable(
          patience.isZero()
              ? "No service answers at %s: %s; start one by 'fairlead serve', or name another by --at"
                  .formatted(address, words(why))
              : "The service at %s has not answered for %d s: %s"
                  .formatted(address, patience.toSeconds(), words(why)),
          why);
    }
    Thread.sleep(Math.min(left, Math.max(pause, leastMillis)));
    pause = Math.min(LONGEST_MILLIS, 2 * pause);
  }

  /** The first of its causes that says something. */
  private static String words(Throwable why) {
    for (@Nullable Throwable each = why; each != null; each = each.getCause()) {
      if (each.getMessage() != null && !each.getMessage().isBlank()) {
        return each.getMessage();
      }
    }
    return why instanceof java.net.ConnectException ? "connection refused" : why.toString();
  }
}
