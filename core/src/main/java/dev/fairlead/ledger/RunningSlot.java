package dev.fairlead.ledger;

import dev.fairlead.policy.Demand;
import dev.fairlead.policy.StragglerRule;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One running slot of a device: its holder, for what, and since when. Guarded by the ledger.
 *
 * <p>A lease is noted here only when the pool may have to act on it (a job, work that runs, several
 * slots). For the others the holder and the demand are enough, and these are mostly what they were
 * the last time, so that nothing has to be written that the garbage collector would want to know
 * of.
 */
public final class RunningSlot {
  private static final int TAKEN = 1;
  private static final int FOLLOWS = 2;
  private static final int REPORTED = 4;
  private static final int WORKING = 8;

  private int marks;
  private long since;
  private long workSince;
  private float predictedSeconds;
  private @Nullable Object holder;
  private @Nullable Demand demand;
  private @Nullable HeldLease lease;

  /** A slot that is taken, as it is reported. */
  public record Tenancy(
      Object holder, Demand demand, long since, long workSince, @Nullable HeldLease working) {
    public String name() {
      return HeldLease.nameOf(holder);
    }

    public Duration held(long now) {
      return Duration.ofNanos(now - since);
    }

    /** For how long the work that runs under it has run. */
    public Duration worked(long now) {
      return Duration.ofNanos(now - workSince);
    }
  }

  @SuppressWarnings("ReferenceEquality")
  void take(Object by, Demand what, float seconds, long now) {
    marks = TAKEN;
    since = now;
    predictedSeconds = seconds;
    if (holder != by) {
      holder = by;
    }
    if (demand != what) {
      demand = what;
    }
  }

  /** Notes the lease itself: the pool may have to end it. */
  void note(HeldLease its) {
    lease = its;
  }

  /** Work begins to run under the lease. */
  void begins(HeldLease its, long now) {
    if (!isWorking()) {
      marks |= WORKING;
      workSince = now;
    }
    lease = its;
  }

  /** Not the first slot of its lease: it speaks for both. */
  void follow() {
    marks |= FOLLOWS;
  }

  boolean isWorking() {
    return (marks & WORKING) != 0;
  }

  void rests() {
    marks &= ~WORKING;
  }

  boolean has(HeldLease its) {
    return lease == its;
  }

  /** The slot is free. What a job holds is let go of; a thread mostly comes back. */
  void leave() {
    marks = 0;
    if (lease != null) {
      lease = null;
      holder = null;
    }
  }

  private boolean speaks() {
    return (marks & (TAKEN | FOLLOWS)) == TAKEN;
  }

  /** Its holder; null if it is free, or if another slot of the same lease is reported. */
  public @Nullable Tenancy tenancy() {
    return speaks() && holder != null && demand != null
        ? new Tenancy(holder, demand, since, workSince, isWorking() ? lease : null)
        : null;
  }

  /** Seconds of work that are still to come here, by what was predicted. */
  double remainingSeconds(long now) {
    return marks != 0 ? StragglerRule.backlog(predictedSeconds, (now - since) / 1e9) : 0;
  }

  /** True once for each lease that has been held for longer than that. */
  boolean becomesOverdue(long now, long limitNanos) {
    boolean late = speaks() && (marks & REPORTED) == 0 && now - since > limitNanos;
    marks |= late ? REPORTED : 0;
    return late;
  }
}
