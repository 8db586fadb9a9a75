package dev.fairlead.policy;

import java.util.List;

/** The service policies that come with Fairlead. */
public final class ServicePolicies {
  private static final ServicePolicy ANY_RUNG = new AnyRung();
  private static final ServicePolicy HELPERS = new Helpers();
  private static final ServicePolicy PER_RUNG = new PerRung();

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
   * the longest, since the last of them to finish decides. Towards the end, when there are fewer
   * units than devices, a slow device leaves a unit alone that a busy one will still finish sooner.
   */
  private record AnyRung() implements ServicePolicy {
    @Override
    public String name() {
      return "any-rung";
    }

    @Override
    public int next(WaitingUnits units, int device) {
      int best = NONE;
      for (int unit = 0; unit < units.size(); unit++) {
        if (units.mayRun(unit, device)
            && (best == NONE || precedes(units, unit, best, device))
            && !finishesSoonerElsewhere(units, unit, device)) {
          best = unit;
        }
      }
      return best;
    }

    private static boolean precedes(WaitingUnits units, int unit, int best, int device) {
      return units.order(unit) != units.order(best)
          ? units.order(unit) < units.order(best)
          : units.seconds(unit, device) > units.seconds(best, device);
    }

    private static boolean finishesSoonerElsewhere(WaitingUnits units, int unit, int device) {
      int serving = 0;
      double soonest = Double.POSITIVE_INFINITY;
      for (int other = 0; other < units.devices(); other++) {
        if (units.serves(other)) {
          serving++;
          if (other != device && units.mayRun(unit, other)) {
            soonest = Math.min(soonest, units.backlogSeconds(other) + units.seconds(unit, other));
          }
        }
      }
      return units.size() < serving && soonest < units.seconds(unit, device);
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
          remaining[units.group(unit)] += units.seconds(unit, device);
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
   * Groups are dealt to the devices that serve, in turn: with more groups than devices a device has
   * several, with more devices than groups a group has several. A device that stops serving leaves
   * its groups to the others.
   */
  private record PerRung() implements ServicePolicy {
    @Override
    public String name() {
      return "per-rung";
    }

    @Override
    public int next(WaitingUnits units, int device) {
      int rank = 0;
      int serving = 0;
      for (int other = 0; other < units.devices(); other++) {
        if (units.serves(other)) {
          rank += other < device ? 1 : 0;
          serving++;
        }
      }
      int best = NONE;
      for (int group = 0; group < units.groups() && serving > 0; group++) {
        if (units.groups() >= serving ? group % serving == rank : rank % units.groups() == group) {
          int unit = oldest(units, device, group);
          if (unit != NONE && (best == NONE || units.order(unit) < units.order(best))) {
            best = unit;
          }
        }
      }
      return best;
    }
  }

  private static int oldest(WaitingUnits units, int device, int group) {
    int best = ServicePolicy.NONE;
    for (int unit = 0; unit < units.size(); unit++) {
      if (units.group(unit) == group
          && units.mayRun(unit, device)
          && (best == ServicePolicy.NONE || units.order(unit) < units.order(best))) {
        best = unit;
      }
    }
    return best;
  }
}
