package dev.fairlead.pool;

import dev.fairlead.policy.Explanation;
import org.jspecify.annotations.Nullable;

/**
 * A lease that can stand in a queue, or that a listener is told of: one that knows its number, its
 * neighbours, and which devices might take it over.
 */
final class TrackedLease extends Lease {
  /** The one before it in a queue; guarded by the ledger. */
  @Nullable TrackedLease previous;

  private final long number;
  private long reach;
  private boolean open;
  private @Nullable Explanation explanation;

  TrackedLease(PoolCandidates view, Object holder, long rank, long number) {
    super(view.demand(), holder, view.isPlain(), rank);
    this.number = number;
    reachedBy(view);
  }

  /** Notes which devices might take it over; once it is queued, under the ledger's lock. */
  final void reachedBy(PoolCandidates view) {
    reach = view.reach();
    open = view.isOpenToAll();
  }

  /** Counts the leases of a pool; zero if no listener wants to know. */
  @Override
  long number() {
    return number;
  }

  /** A bit for each place, modulo 64, whose device might run it. */
  long reach() {
    return reach;
  }

  /** More than one device could run it. */
  boolean isMovable() {
    return reach != 0;
  }

  /** Any device of the fleet can run it, whatever else that one holds. */
  boolean isOpenToAll() {
    return open;
  }

  /** Keeps why it is placed as it is, until that is told. */
  void explainedBy(@Nullable Explanation why) {
    explanation = why;
  }

  @Nullable Explanation takeExplanation() {
    Explanation why = explanation;
    explanation = null;
    return why;
  }

  /** Whether it goes before {@code limit}, a rank; {@link Ledger#NO_LIMIT} is after all ranks. */
  boolean ranksBefore(long limit) {
    return limit == Ledger.NO_LIMIT || rank() - limit < 0;
  }
}
