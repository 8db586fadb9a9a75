package dev.fairlead.health;

import dev.fairlead.device.Fault;
import java.time.Duration;

/**
 * The circuit breaker of one device: hears of each success and failure and says how healthy the
 * device is. Not thread-safe; in a pool it is guarded by the device's ledger.
 *
 * <p>{@link #FAILURES_TO_OPEN} faults of the device within {@link #WINDOW} open it. It stays open
 * for a time that doubles with each failed probe, then the device is probed; a success while
 * PROBING closes it. Faults of the work never open it, but any failure adds to a streak that
 * handicaps the device in placement: a device that fails fast is always idle, and would otherwise
 * swallow all.
 */
public final class Breaker {
  private static final int FAILURES_TO_OPEN = 3;
  private static final String OFTEN = FAILURES_TO_OPEN + " device faults within a minute";
  private static final long WINDOW = Duration.ofSeconds(60).toNanos();
  private static final long FIRST_REST = Duration.ofSeconds(1).toNanos();
  private static final long LONGEST_REST = Duration.ofMinutes(5).toNanos();
  private static final int LONGEST_STREAK = 10;

  private final long[] failedAt = new long[FAILURES_TO_OPEN];
  private int failures;
  private int streak;
  private long rest = FIRST_REST;
  private long probeAt;
  private boolean contextPoisoned;
  private Health health = Health.READY;
  private String reason = "";

  public Health health() {
    return health;
  }

  /** Why the health is what it is. */
  public String reason() {
    return reason;
  }

  private void become(Health next, String why) {
    health = next;
    reason = why;
  }

  /** Healthy, and no failure since the last success. */
  public boolean isCalm() {
    return streak == 0 && health == Health.READY;
  }

  /** Phantom items that the device carries in the eyes of placement. */
  public int handicap() {
    return (1 << streak) - 1;
  }

  /** Whether the context has to be rebuilt before the device serves again. */
  public boolean contextPoisoned() {
    return contextPoisoned;
  }

  public void succeeded() {
    streak = 0;
    if (health == Health.PROBING) {
      rest = FIRST_REST;
      failures = 0;
      become(Health.READY, "work succeeded after the probe");
    }
  }

  public void failed(Fault fault, long now) {
    streak = Math.min(LONGEST_STREAK, streak + 1);
    if (health == Health.LOST) {
      return;
    }
    switch (fault) {
      case WORK, OUT_OF_MEMORY, BUSY -> {}
      case LOST -> become(Health.LOST, "the device is gone");
      case CONTEXT -> {
        contextPoisoned = true;
        open(now, "its context is poisoned");
      }
      case DEVICE -> deviceFailed(now);
    }
  }

  /** The device has refused a context: it has none until a probe has opened one. */
  public void refused(String why, long now) {
    if (health != Health.LOST) {
      contextPoisoned = true;
      open(now, why);
    }
  }

  private void deviceFailed(long now) {
    if (health == Health.QUARANTINED) {
      return;
    }
    failedAt[failures % FAILURES_TO_OPEN] = now;
    failures++;
    // The slot after the newest failure holds the oldest of those that are remembered.
    long oldest = failedAt[failures % FAILURES_TO_OPEN];
    boolean often = failures >= FAILURES_TO_OPEN && now - oldest <= WINDOW;
    if (often || health == Health.PROBING) {
      open(now, often ? OFTEN : "it failed after the probe");
    } else {
      become(Health.SUSPECT, "a device fault");
    }
  }

  private void open(long now, String why) {
    if (health == Health.PROBING) {
      rest = Math.min(LONGEST_REST, rest * 2);
    }
    become(Health.QUARANTINED, why);
    probeAt = now + rest;
  }

  public boolean isProbeDue(long now) {
    return health == Health.QUARANTINED && now - probeAt >= 0;
  }

  public void probed(boolean passed, long now) {
    if (health != Health.QUARANTINED) {
      return;
    }
    if (passed) {
      contextPoisoned = false;
      become(Health.PROBING, "the probe passed");
    } else {
      rest = Math.min(LONGEST_REST, rest * 2);
      probeAt = now + rest;
    }
  }

  /** Lets a handicap fade, and a suspicion that nothing has confirmed for the whole window. */
  public void fade(long now) {
    if (streak > 0) {
      streak--;
    }
    if (health == Health.SUSPECT && now - failedAt[(failures - 1) % FAILURES_TO_OPEN] > WINDOW) {
      become(Health.READY, "no fault for a minute");
      failures = 0;
    }
  }

  public Duration untilProbe(long now) {
    return Duration.ofNanos(Math.max(0, probeAt - now));
  }
}
