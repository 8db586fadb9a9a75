package dev.fairlead.placing;

import dev.fairlead.ledger.LedgerWord;

/** How a demand wants to get in on a device. */
public enum EntryMode {
  /** A running slot, at once, behind all that wait. */
  LEASE(LedgerWord.FULL | LedgerWord.SHUT | LedgerWord.AWAITED),
  /** A running slot, for the demand that has waited longest. */
  SERVE(LedgerWord.FULL | LedgerWord.SHUT),
  /** A running slot or a place in a device's queue, behind all that wait. */
  QUEUE(LedgerWord.SHUT | LedgerWord.AWAITED),
  /** A running slot for submitted work, of a device that nothing is held against. */
  START(LedgerWord.FULL | LedgerWord.SHUT | LedgerWord.AWAITED | LedgerWord.QUEUED);

  private final long refusals;

  EntryMode(long refusals) {
    this.refusals = refusals;
  }

  /** The flags of a device's word that keep the demand out. */
  long refusals() {
    return refusals;
  }
}
