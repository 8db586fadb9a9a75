package dev.fairlead.policy;

/**
 * The view that a service policy decides on: units that wait, and the devices that could take them.
 * Units and devices are indices; a group is what belongs together, such as a rung of a ladder.
 */
public interface WaitingUnits {
  /** How many units wait. */
  int size();

  /** How many wait besides, for which a device that is left idle here could be used. */
  default int others() {
    return 0;
  }

  int group(int unit);

  /** The place of the unit in its job: smaller is older. Units of several groups may share it. */
  long order(int unit);

  boolean mayRun(int unit, int device);

  /** Predicted seconds of a unit on a device, at any common scale; what it reads comes first. */
  double seconds(int unit, int device);

  /** How many of these seconds bring what the unit reads to the device; zero where that is. */
  default double moveSeconds(int unit, int device) {
    return 0;
  }

  /** Whether {@link #moveSeconds} may be more than zero for any of the units. */
  default boolean moves() {
    return false;
  }

  int groups();

  int devices();

  /** Whether the device serves at present. */
  boolean serves(int device);

  /** How many units the device runs at a time, each of which then takes its {@link #seconds}. */
  default int slots(int device) {
    return 1;
  }

  /**
   * Whether units are numbered from the oldest to the youngest, so that a search that has found one
   * need not look at younger ones.
   */
  default boolean isOldestFirst() {
    return false;
  }

  /**
   * Whether neither this unit nor any after it can be as old as {@code best}, which may be none.
   */
  default boolean isYounger(int unit, int best) {
    return best != ServicePolicy.NONE && isOldestFirst() && !moves() && order(unit) > order(best);
  }

  /** How many devices serve at present. */
  default int serving() {
    int serving = 0;
    for (int device = 0; device < devices(); device++) {
      serving += serves(device) ? 1 : 0;
    }
    return serving;
  }

  /** How many of the devices before {@code end} serve at present and may run the unit. */
  default int able(int unit, int end) {
    int able = 0;
    for (int device = 0; device < end; device++) {
      able += serves(device) && mayRun(unit, device) ? 1 : 0;
    }
    return able;
  }

  /** Predicted seconds until the device is done with what it has, and could begin with another. */
  double backlogSeconds(int device);
}
