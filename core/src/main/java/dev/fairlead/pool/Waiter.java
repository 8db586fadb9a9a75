package dev.fairlead.pool;

import dev.fairlead.ledger.HeldLease;
import dev.fairlead.ledger.Ledger;
import dev.fairlead.placing.PoolCandidates;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A demand that waits for a device, and the lease that it is to get. Guarded by the room's lock.
 */
final class Waiter implements Comparable<Waiter> {
  final HeldLease lease;
  final long rank;
  private final @Nullable Consumer<Waiter> notice;
  private final long ticket;
  private final boolean shares;
  PoolCandidates view;

  /** Whether it is in the room for good: one that is refused before hears of it by an exception. */
  boolean hasEntered;

  volatile boolean granted;
  volatile @Nullable RuntimeException refusal;
  private @Nullable Ledger awaited;

  /**
   * Makes a waiter.
   *
   * @param notice what to call when it is served, under the room's lock; null if nothing
   */
  Waiter(HeldLease lease, @Nullable Consumer<Waiter> notice, PoolCandidates view, long ticket) {
    this.lease = lease;
    this.notice = notice;
    this.view = view;
    this.ticket = ticket;
    this.rank = lease.rank();
    this.shares = view.sharesHost();
  }

  /** Whether it asks for resources that all devices of the host share. */
  boolean sharesHost() {
    return shares;
  }

  /** What of a resource of the host it asks for. */
  long asks(String name) {
    return lease.demand().resources().named().getOrDefault(name, 0L);
  }

  boolean isServed() {
    return granted || refusal != null;
  }

  @Override
  public int compareTo(Waiter other) {
    return rank == other.rank ? Long.compare(ticket, other.ticket) : Long.signum(rank - other.rank);
  }

  /** Says which busy device this one waits for, so that others reckon with it there. */
  void promise(@Nullable Ledger device) {
    if (awaited != null) {
      awaited.promised(-lease.predictedSeconds());
    }
    awaited = device;
    if (device != null) {
      device.promised(lease.predictedSeconds());
    }
  }

  /** Gives notice that it was granted or refused. */
  void tell() {
    if (notice != null) {
      notice.accept(this);
    }
  }
}
