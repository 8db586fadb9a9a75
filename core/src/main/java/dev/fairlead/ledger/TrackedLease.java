package dev.fairlead.ledger;

import dev.fairlead.lease.Ticket;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.Explanation;
import org.jspecify.annotations.Nullable;

/**
 * A lease that can stand in a queue, or that listeners are notified of: one that knows its number,
 * its neighbours, and which devices might take it over.
 */
public final class TrackedLease extends HeldLease implements Ticket {
  /** A limit that every rank is before. */
  public static final long NO_LIMIT = Long.MAX_VALUE;

  /** The one before it in a queue; guarded by the ledger. */
  @Nullable TrackedLease previous;

  private final long number;
  private Reach reach;
  private @Nullable Explanation explanation;

  public TrackedLease(
      Demand demand, Reach reach, Object holder, boolean plain, long rank, long number) {
    super(demand, holder, plain, rank);
    this.number = number;
    this.reach = reach;
  }

  /** Notes which devices might take it over; once it is queued, under the ledger's lock. */
  void reachedBy(Reach devices) {
    reach = devices;
  }

  /** Counts the leases of a pool; zero if no listener wants to know. */
  @Override
  long number() {
    return number;
  }

  /** A bit for each place, modulo 64, whose device might run it. */
  public long reach() {
    return reach.places();
  }

  /** More than one device could run it. */
  boolean isMovable() {
    return reach.places() != 0;
  }

  /** Any device of the fleet can run it, whatever else that one holds. */
  boolean isOpenToAll() {
    return reach.openToAll();
  }

  /** Keeps why it is placed as it is, until that is reported. */
  public void explainedBy(@Nullable Explanation why) {
    explanation = why;
  }

  @Nullable Explanation takeExplanation() {
    Explanation why = explanation;
    explanation = null;
    return why;
  }

  /** Whether it goes before {@code limit}, a rank; {@link #NO_LIMIT} is after all ranks. */
  public boolean ranksBefore(long limit) {
    return limit == NO_LIMIT || rank() - limit < 0;
  }
}
