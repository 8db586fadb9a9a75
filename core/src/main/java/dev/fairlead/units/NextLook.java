package dev.fairlead.units;

import dev.fairlead.stats.Ticker;
import java.util.List;

/**
 * When the scheduler looks at the pool, and how long it may sleep. Owned by the scheduler.
 *
 * <p>It looks at once when the pool says that a device has changed, and after every other errand,
 * but then not more often than every {@link #LEAST_NANOS}, nor for more than a tenth of its time.
 * It sleeps until an errand comes, unless time alone may change something: a unit has stood in a
 * queue for too long, a driver that refused may be asked again, a unit that runs has become a
 * straggler, or a service policy that had nothing for a free device may think otherwise. Of the
 * last nothing is known beforehand, so that the policy is asked again, ever more seldom.
 */
final class NextLook {
  static final long LEAST_NANOS = 20_000_000;
  static final long NEVER = Long.MAX_VALUE;
  private static final int SHARE = 10;

  /** A policy is asked again after so much of the time for which nothing has happened. */
  private static final int QUIET_SHARE = 4;

  private final Ticker ticker;
  private long lookedAt;
  private long errandAt = System.nanoTime();
  private long every = LEAST_NANOS;
  private boolean atOnce = true;
  private boolean wanted;

  NextLook(Ticker ticker) {
    this.ticker = ticker;
  }

  /** Something has changed that a look shows. */
  void atOnce() {
    atOnce = true;
  }

  /** The last look has not shown all; the next one comes soon. */
  void again() {
    wanted = true;
  }

  /** The scheduler has woken up and done what was left for it. */
  void awake(boolean byErrand) {
    wanted = true;
    errandAt = byErrand ? System.nanoTime() : errandAt;
  }

  boolean isDue() {
    return atOnce || (wanted && sinceLook() >= every);
  }

  private long sinceLook() {
    return System.nanoTime() - lookedAt;
  }

  void begins() {
    lookedAt = System.nanoTime();
    atOnce = false;
    wanted = false;
  }

  /** The look, and what followed from it, is over. */
  void ends() {
    every = Math.max(LEAST_NANOS, SHARE * sinceLook());
  }

  /** How long the scheduler may sleep unless an errand comes; {@link #NEVER} is no limit. */
  long sleepNanos(OpenUnits open, DeviceRoster roster, Stragglers stragglers) {
    long sleep = NEVER;
    if (atOnce || wanted) {
      sleep = (atOnce ? LEAST_NANOS : every) - sinceLook();
    }
    for (UnitAttempt attempt : open.attempts()) {
      sleep = Math.min(sleep, attempt.nanosUntilStuck());
    }
    boolean waits = open.areWaiting();
    List<UnitAttempt> cloneable = waits ? List.of() : open.cloneable();
    if (waits || !cloneable.isEmpty()) {
      long now = ticker.nanos();
      for (ServedDevice served : roster.all()) {
        if (served.serves() && served.hasFreeSlot()) {
          sleep = Math.min(sleep, forDevice(served, waits, cloneable, roster, stragglers, now));
        }
      }
    }
    return Math.max(0, sleep);
  }

  private long forDevice(
      ServedDevice served,
      boolean waits,
      List<UnitAttempt> cloneable,
      DeviceRoster roster,
      Stragglers stragglers,
      long now) {
    Sessions sessions = roster.sessions();
    if (!sessions.allow(served, now)) {
      return realNanos(sessions.nanosUntilAllowed(served, now));
    }
    if (!waits) {
      return realNanos(stragglers.nanosUntilWorth(cloneable, served, now));
    }
    long quiet = (System.nanoTime() - errandAt) / QUIET_SHARE;
    return Math.max(every, quiet) - sinceLook();
  }

  /**
   * How long to sleep for some time of the pool; a clock that is not the system's is asked often.
   */
  private long realNanos(long nanos) {
    return nanos == NEVER || ticker.isReal() ? nanos : Math.min(nanos, LEAST_NANOS);
  }
}
