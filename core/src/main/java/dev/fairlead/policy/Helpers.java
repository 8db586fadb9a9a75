package dev.fairlead.policy;

/** Each group has its devices; one that has nothing left joins the group with most to do. */
record Helpers() implements ServicePolicy {
  private static final ServicePolicy OWN = new PerRung();
  private static final double LEAST_SECONDS = 1e-3;

  @Override
  public String name() {
    return "helpers";
  }

  @Override
  public int next(WaitingUnits units, int device) {
    int own = OWN.next(units, device);
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

  private static int oldest(WaitingUnits units, int device, int group) {
    int best = ServicePolicy.NONE;
    for (int unit = 0; unit < units.size() && !units.isYounger(unit, best); unit++) {
      if (units.group(unit) == group
          && units.mayRun(unit, device)
          && (best == ServicePolicy.NONE || units.order(unit) < units.order(best))) {
        best = unit;
      }
    }
    return best;
  }
}
