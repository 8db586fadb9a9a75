package dev.fairlead.policy;

import java.util.List;

/** The service policies that come with Fairlead. */
public final class ServicePolicies {
  private static final ServicePolicy ANY_RUNG = new AnyRung();
  private static final ServicePolicy HELPERS = new Helpers();
  private static final ServicePolicy PER_RUNG = new PerRung();

  private static final double LEAST_SECONDS = 1e-3;

  /** Pairs of unit and device; to plan more of them takes longer than it gains. */
  private static final long PLANNABLE = 1_000_000;

  private ServicePolicies() {}

  /** Every device serves every group: oldest unit first, then the one that takes longest. */
  public static ServicePolicy anyRung() {
    return ANY_RUNG;
  }

  /** Each group has its devices; one that has nothing left joins the group with most to do. */
  public static ServicePolicy helpers() {
    return HELPERS;
  }

  /** Each group has its devices, and they do nothing else. */
  public static ServicePolicy perRung() {
    return PER_RUNG;
  }

  public static List<ServicePolicy> all() {
    return List.of(ANY_RUNG, HELPERS, PER_RUNG);
  }

  /**
   * The oldest unit goes first, since it is what stalls the producer; among units of the same age
   * the longest, since the last of them to finish decides. Where what units read has to be brought
   * to devices, the unit goes before both that would suffer most if another device took it: what
   * that device would have to bring to itself, less what this one has to. So a device takes what is
   * near others only while nothing else waits, and then goes on with what it has brought. That is
   * the sufferage of Maheswaran and others (1999), as Casanova and others (2000) use it for files.
   * A unit that is passed over so is near a device that takes it as soon as it is free. Towards the
   * end, when there are fewer units than devices, all that waits is planned, each unit in turn for
   * the device that would finish it first after what it has and gets by the plan; a device that
   * gets nothing by the plan stays idle. With more than {@link #PLANNABLE} pairs of unit and
   * device, nothing is planned.
   */
  private record AnyRung() implements ServicePolicy {
    private static final boolean[] NOTHING_DONE = {};

    @Override
    public String name() {
      return "any-rung";
    }

    @Override
    public int next(WaitingUnits units, int device) {
      return units.size() < units.serving() && (long) units.size() * units.devices() <= PLANNABLE
          ? planned(units, device)
          : first(units, device, NOTHING_DONE);
    }

    /** The unit that goes first of those that the device may run and that are not done with. */
    private static int first(WaitingUnits units, int device, boolean[] done) {
      int best = NONE;
      double most = 0;
      for (int unit = 0; unit < units.size() && !isYounger(units, unit, best); unit++) {
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

    private static int planned(WaitingUnits units, int device) {
      double[] busy = new double[units.devices()];
      for (int other = 0; other < busy.length; other++) {
        busy[other] = other == device ? 0 : units.backlogSeconds(other);
      }
      boolean[] done = new boolean[units.size()];
      for (int unit = first(units, device, done); unit != NONE; unit = first(units, device, done)) {
        int soonest = device;
        for (int other = 0; other < busy.length; other++) {
          if (units.serves(other)
              && units.mayRun(unit, other)
              && busy[other] + units.seconds(unit, other)
                  < busy[soonest] + units.seconds(unit, soonest)) {
            soonest = other;
          }
        }
        if (soonest == device) {
          return unit;
        }
        busy[soonest] += units.seconds(unit, soonest);
        done[unit] = true;
      }
      return NONE;
    }
  }

  private record Helpers() implements ServicePolicy {
    @Override
    public String name() {
      return "helpers";
    }

    @Override
    public int next(WaitingUnits units, int device) {
      int own = PER_RUNG.next(units, device);
      if (own != NONE) {
        return own;
      }
      double[] remaining = new double[units.groups()];
      for (int unit = 0; unit < units.size(); unit++) {
        if (units.mayRun(unit, device)) {
          // A unit counts for something even where nothing is predicted.
          double seconds = units.seconds(unit, device);
          remaining[units.group(unit)] += seconds > 0 ? seconds : LEAST_SECONDS;
        }
      }
      int busiest = NONE;
      for (int group = 0; group < remaining.length; group++) {
        if (remaining[group] > 0 && (busiest == NONE || remaining[group] > remaining[busiest])) {
          busiest = group;
        }
      }
      return busiest == NONE ? NONE : oldest(units, device, busiest);
    }
  }

  /**
   * Groups are dealt to the devices that serve and may run them, in turn: with more groups than
   * devices a device has several, with more devices than groups a group has several. A device that
   * stops serving leaves its groups to the others.
   */
  private record PerRung() implements ServicePolicy {
    @Override
    public String name() {
      return "per-rung";
    }

    @Override
    public int next(WaitingUnits units, int device) {
      int best = NONE;
      for (int unit = 0; unit < units.size() && !isYounger(units, unit, best); unit++) {
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

  /** Whether neither this unit nor any after it can be as old as {@code best}. */
  private static boolean isYounger(WaitingUnits units, int unit, int best) {
    return best != ServicePolicy.NONE
        && units.isOldestFirst()
        && !units.moves()
        && units.order(unit) > units.order(best);
  }

  private static int oldest(WaitingUnits units, int device, int group) {
    int best = ServicePolicy.NONE;
    for (int unit = 0; unit < units.size() && !isYounger(units, unit, best); unit++) {
      if (units.group(unit) == group
          && units.mayRun(unit, device)
          && (best == ServicePolicy.NONE || units.order(unit) < units.order(best))) {
        best = unit;
      }
    }
    return best;
  }
}
