package dev.fairlead.ledger;

/** A ledger's answer to a lease that wants out. */
public enum Release {
  /** All that it held is free, or went to those behind it. */
  SETTLED,
  /** The same, and there may be something to do: a slot is free, or a demand waits. */
  SETTLED_OPEN,
  /** Its work still runs; it is settled when that has ended. */
  DEFERRED,
  /** It had ended before. */
  ENDED_BEFORE
}
