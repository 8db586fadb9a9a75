package dev.fairlead.policy;

/** A pure rule that says which waiting unit a free device takes. */
public interface ServicePolicy {
  /** Leave the device idle for now. */
  int NONE = -1;

  String name();

  /** The index of the unit that {@code device} should take, or {@link #NONE}. */
  int next(WaitingUnits units, int device);
}
