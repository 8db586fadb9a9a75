package dev.fairlead.ledger;

/** A ledger's answer to a lease that wants in. */
public enum Admission {
  /** It has its slot. */
  RUNNING,
  /** It waits in the device's queue, and no free device would take it over before others. */
  QUEUED,
  /** It waits in the device's queue, and a free device might take it over at once. */
  QUEUED_FIRST,
  /** Another lease was faster; look again. */
  LOST,
  /** Another thread has the lock; look again, or wait for that. */
  LOCKED,
  /** There is not enough of what the demand asks for. */
  UNFIT,
  /** It was withdrawn on its way. */
  WITHDRAWN;

  public boolean isIn() {
    return this == RUNNING || this == QUEUED || this == QUEUED_FIRST;
  }
}
