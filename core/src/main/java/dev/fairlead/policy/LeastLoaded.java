package dev.fairlead.policy;

/** The device with the fewest items and foreign streams; equals take turns. */
record LeastLoaded() implements PlacementPolicy {
  @Override
  public String name() {
    return "least-loaded";
  }

  @Override
  public long place(Candidates candidates) {
    return candidates.leastBurdened();
  }
}
