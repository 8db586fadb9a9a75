package dev.fairlead.policy;

/**
 * The oldest unit goes first, since it is what stalls the producer; among units of the same age the
 * longest, since the last of them to finish decides. Where what units read has to be brought to
 * devices, the unit goes before both that would suffer most if another device took it: what that
 * device would have to bring to itself, less what this one has to. So a device takes what is near
 * others only while nothing else waits, and then goes on with what it has brought. That is the
 * sufferage of Maheswaran and others (1999), as Casanova and others (2000) use it for files. A unit
 * that is passed over so is near a device that takes it as soon as it is free. Towards the end,
 * when all that waits could be done before the device would be done with one unit of it, or when
 * there are fewer units than devices, all that waits is planned, each unit in turn for the device
 * that would finish it first after what it has and gets by the plan; a device that gets nothing by
 * the plan stays idle. With more than {@link #PLANNABLE} pairs of unit and device, nothing is
 * planned; with more than {@link #SUMMABLE}, nothing is summed up.
 */
record AnyRung() implements ServicePolicy {
  /** Pairs of unit and device; to plan more of them takes longer than it gains. */
  private static final long PLANNABLE = 1_000_000;

  /** The same for what is asked of every unit, and not of the last few. */
  private static final long SUMMABLE = 10_000;

  private static final boolean[] NOTHING_DONE = {};

  @Override
  public String name() {
    return "any-rung";
  }

  @Override
  public int next(WaitingUnits units, int device) {
    int first = first(units, device, NOTHING_DONE);
    long pairs = (long) units.size() * units.devices();
    boolean ends =
        first != NONE
            && (units.size() + units.others() < units.serving()
                ? pairs <= PLANNABLE
                : units.others() == 0
                    && pairs <= SUMMABLE
                    && outlasts(units, units.seconds(first, device)));
    return ends ? planned(units, device) : first;
  }

  /** Whether all devices together would be done with all that waits in less time. */
  private static boolean outlasts(WaitingUnits units, double seconds) {
    double all = 0;
    for (int unit = 0; unit < units.size() && all < seconds; unit++) {
      double eachSecond = 0;
      for (int device = 0; device < units.devices(); device++) {
        if (units.serves(device) && units.mayRun(unit, device)) {
          eachSecond += units.slots(device) / units.seconds(unit, device);
        }
      }
      all += eachSecond == 0 ? 0 : 1 / eachSecond;
    }
    return all < seconds;
  }

  /** The unit that goes first of those that the device may run and that are not done with. */
  private static int first(WaitingUnits units, int device, boolean[] done) {
    int best = NONE;
    double most = 0;
    for (int unit = 0; unit < units.size() && !units.isYounger(unit, best); unit++) {
      if (!(unit < done.length && done[unit]) && units.mayRun(unit, device)) {
        double suffers = units.moves() ? sufferage(units, unit, device) : 0;
        if (best == NONE
            || suffers > most
            || (suffers == most && precedes(units, unit, best, device))) {
          best = unit;
          most = suffers;
        }
      }
    }
    return best;
  }

  /** How much more the next best device would have to bring to itself; negative if less. */
  private static double sufferage(WaitingUnits units, int unit, int device) {
    double own = units.moveSeconds(unit, device);
    double others = Double.POSITIVE_INFINITY;
    for (int other = 0; other < units.devices(); other++) {
      if (other != device && units.serves(other) && units.mayRun(unit, other)) {
        others = Math.min(others, units.moveSeconds(unit, other));
      }
    }
    return Double.isInfinite(others) ? 0 : others - own;
  }

  private static boolean precedes(WaitingUnits units, int unit, int best, int device) {
    if (units.order(unit) != units.order(best)) {
      return units.order(unit) < units.order(best);
    }
    return units.seconds(unit, device) > units.seconds(best, device);
  }

  /**
   * A device's slots are one more than what works there, so that something is at hand whenever a
   * unit is done; so what is left at the end is done sooner than while all slots were in use.
   */
  private static double seconds(WaitingUnits units, int unit, int device) {
    int slots = units.slots(device);
    return units.seconds(unit, device) * Math.max(1, slots - 1) / slots;
  }

  private static int planned(WaitingUnits units, int device) {
    double[] busy = new double[units.devices()];
    for (int other = 0; other < busy.length; other++) {
      busy[other] = units.backlogSeconds(other);
    }
    boolean[] done = new boolean[units.size()];
    for (int unit = first(units, device, done); unit != NONE; unit = first(units, device, done)) {
      int soonest = device;
      for (int other = 0; other < busy.length; other++) {
        if (units.serves(other)
            && units.mayRun(unit, other)
            && busy[other] + seconds(units, unit, other)
                < busy[soonest] + seconds(units, unit, soonest)) {
          soonest = other;
        }
      }
      if (soonest == device) {
        return unit;
      }
      busy[soonest] += units.seconds(unit, soonest) / units.slots(soonest);
      done[unit] = true;
    }
    return NONE;
  }
}
