package dev.fairlead.policy;

import java.util.Comparator;

/**
 * A job as {@link FairBooks} know it. Its turn among the jobs of its tenant goes by level, then by
 * age.
 */
public final class FairJob {
  static final Comparator<FairJob> TURN =
      Comparator.comparingInt(FairJob::level)
          .reversed()
          .thenComparingLong(FairJob::since)
          .thenComparingLong(FairJob::number);

  private final long number;
  private final long since;
  private final TenantAccount tenant;
  private Priority priority;
  private boolean lifted;
  private long unservedSince;
  private int whole;
  private int partial;

  FairJob(long number, long since, TenantAccount tenant, Priority priority) {
    this.number = number;
    this.since = since;
    this.tenant = tenant;
    this.priority = priority;
  }

  /** The number by which its owner knows it. */
  public long number() {
    return number;
  }

  /** When it came; smaller is older. */
  long since() {
    return since;
  }

  TenantAccount tenant() {
    return tenant;
  }

  Priority priority() {
    return priority;
  }

  void priority(Priority value) {
    priority = value;
  }

  /** Its priority, one step higher if it has gone unserved for too long. */
  int level() {
    return priority.ordinal() + (lifted ? 1 : 0);
  }

  boolean isLifted() {
    return lifted;
  }

  void lifted(boolean value) {
    lifted = value;
  }

  /** Since when it has had units waiting and none started. */
  long unservedSince() {
    return unservedSince;
  }

  void unservedSince(long nanos) {
    unservedSince = nanos;
  }

  /** How many of its units wait whose input is there, or is still in the making. */
  int waiting(boolean ofWhole) {
    return ofWhole ? whole : partial;
  }

  void waiting(boolean ofWhole, int count) {
    if (ofWhole) {
      whole = count;
    } else {
      partial = count;
    }
  }

  boolean waits() {
    return whole + partial > 0;
  }
}
