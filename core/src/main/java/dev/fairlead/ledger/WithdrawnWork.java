package dev.fairlead.ledger;

import dev.fairlead.lease.Lease;
import dev.fairlead.lease.QueuedWork;

/** What a lease holds in place of a job that will not run. */
enum WithdrawnWork implements QueuedWork {
  INSTANCE;

  @Override
  public void run(Lease lease) {
    lease.giveBack();
  }

  @Override
  public void abandon(Throwable reason) {}

  @Override
  public String holder() {
    return "a withdrawn job";
  }
}
