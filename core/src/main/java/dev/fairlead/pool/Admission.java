package dev.fairlead.pool;

/** A ledger's answer to a lease that wants in. */
enum Admission {
  /** It has its slot. */
  RUNNING,
  /** It is in line for a slot of this device. */
  QUEUED,
  /** Someone was faster; look again. */
  LOST,
  /** There is not enough of what the demand asks for. */
  UNFIT,
  /** It was withdrawn on its way. */
  WITHDRAWN;

  boolean isIn() {
    return this == RUNNING || this == QUEUED;
  }
}
