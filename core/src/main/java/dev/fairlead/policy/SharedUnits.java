package dev.fairlead.policy;

/** A view whose units belong to jobs of tenants. */
public interface SharedUnits extends WaitingUnits {
  /** Whose turn it is. */
  FairBooks books();

  /**
   * The units of one job, on the same devices with the same backlogs.
   *
   * @param whole those whose input is there, or those whose input is still in the making
   * @param others what {@link WaitingUnits#others} answers
   */
  Part of(FairJob job, boolean whole, int others);

  /** Some of the units of a view. */
  interface Part extends WaitingUnits {
    /** The index that a unit of this part has in the whole view. */
    int outer(int unit);
  }
}
