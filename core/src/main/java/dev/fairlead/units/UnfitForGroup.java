package dev.fairlead.units;

/**
 * Thrown by the work of a unit when it finds that the device must not serve the unit's group, say
 * because its encoder cannot keep what the group's other chunks have. The device is struck off the
 * group, the unit goes elsewhere, and neither the unit nor the device has failed.
 */
public final class UnfitForGroup extends RuntimeException {
  public UnfitForGroup(String reason) {
    super(reason);
  }
}
