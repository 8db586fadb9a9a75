package dev.fairlead.policy;

/**
 * Groups are dealt to the devices that serve and may run them, in turn: with more groups than
 * devices a device has several, with more devices than groups a group has several. A device that
 * stops serving leaves its groups to the others.
 */
record PerRung() implements ServicePolicy {
  @Override
  public String name() {
    return "per-rung";
  }

  @Override
  public int next(WaitingUnits units, int device) {
    int best = NONE;
    for (int unit = 0; unit < units.size() && !units.isYounger(unit, best); unit++) {
      // Which device a unit belongs to depends on every device, so this is asked last.
      if ((best == NONE || units.order(unit) < units.order(best))
          && units.mayRun(unit, device)
          && isPinned(units, unit, device)) {
        best = unit;
      }
    }
    return best;
  }

  private static boolean isPinned(WaitingUnits units, int unit, int device) {
    int rank = units.able(unit, device);
    int able = units.able(unit, units.devices());
    int group = units.group(unit);
    if (able == 0) {
      return false;
    }
    return units.groups() >= able ? group % able == rank : rank % units.groups() == group;
  }
}
