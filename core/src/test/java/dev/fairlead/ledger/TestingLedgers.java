package dev.fairlead.ledger;

import dev.fairlead.policy.Demand;

/** Does to a ledger what only its own room may. */
public final class TestingLedgers {
  private TestingLedgers() {}

  /** What happens while a ledger is locked. */
  public interface Body {
    void run() throws Exception;
  }

  /** Runs something while this thread holds the ledger's lock, as a section does. */
  public static void whileLocked(Ledger ledger, Body body) throws Exception {
    ledger.lock();
    try {
      body.run();
    } finally {
      ledger.unlock();
    }
  }

  /** A plain lease of the current thread. */
  public static HeldLease plain() {
    return new HeldLease(Demand.any(), Thread.currentThread(), true, 0);
  }

  /** Enters a lease; the caller holds the lock. */
  public static void enter(Ledger ledger, HeldLease lease) {
    ledger.enter(lease);
  }

  /** Takes a lease out that has not started; the caller holds the lock. */
  public static void leave(Ledger ledger, HeldLease lease) {
    ledger.leave(lease, false);
  }
}
