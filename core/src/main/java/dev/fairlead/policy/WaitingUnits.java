package dev.fairlead.policy;

/**
 * The view that a service policy decides on: units that wait, and the devices that could take them.
 * Units and devices are indices; a group is what belongs together, such as a rung of a ladder.
 */
public interface WaitingUnits {
  /** How many units wait. */
  int size();

  int group(int unit);

  /** The place of the unit in its job: smaller is older. Units of several groups may share it. */
  long order(int unit);

  boolean mayRun(int unit, int device);

  /** Predicted seconds of a unit on a device, at any common scale. */
  double seconds(int unit, int device);

  int groups();

  int devices();

  /** Whether the device serves at present. */
  boolean serves(int device);

  /** Predicted seconds until the device is done with what it has. */
  double backlogSeconds(int device);
}
