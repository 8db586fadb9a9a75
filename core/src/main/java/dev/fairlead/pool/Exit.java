package dev.fairlead.pool;

/** A ledger's answer to a lease that wants out. */
enum Exit {
  /** All that it held is free. */
  SETTLED,
  /** Its work still runs; it is settled when that has ended. */
  DEFERRED,
  /** It had ended before. */
  ENDED_BEFORE
}
