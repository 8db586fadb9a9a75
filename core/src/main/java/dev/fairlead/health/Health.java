package dev.fairlead.health;

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
  LOST;

  /** Takes work, perhaps one item at a time. */
  public boolean serves() {
    return switch (this) {
      case READY, SUSPECT, PROBING -> true;
      case QUARANTINED, LOST -> false;
    };
  }

  /** Takes no more while so much is outstanding. */
  public boolean isShut(int outstanding) {
    return !serves() || (this == PROBING && outstanding > 0);
  }
}
