package dev.fairlead.pool;

/**
 * Whether a device can be trusted with work: READY → SUSPECT → QUARANTINED → PROBING → READY, and
 * from anywhere to LOST.
 */
public enum Health {
  READY,
  /** Failed lately, still serves. */
  SUSPECT,
  /** Failed too often: serves nothing until it has been probed. */
  QUARANTINED,
  /** Passed its probe, and serves one item at a time until one succeeds. */
  PROBING,
  /** Gone for good. */
  LOST
}
