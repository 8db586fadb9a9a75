package dev.fairlead.policy;

/**
 * Weighted fair queueing of single items. A device's pass is what it has had, divided by its
 * weight; the next item goes where its middle would lie lowest, which spreads a light device's
 * items evenly among those of heavy ones. Passes never lag behind the horizon by more than {@link
 * Policies#start} allows, so that a device that comes late, or comes back, gets its share from then
 * on instead of everything until it has caught up.
 */
record Weighted() implements PlacementPolicy {
  private static final Rank.Steady RANK =
      (candidates, index) -> middle(candidates, index, candidates.burden(index));

  @Override
  public String name() {
    return "weighted";
  }

  @Override
  public Memory memory() {
    return Memory.SHARES;
  }

  @Override
  public long place(Candidates candidates) {
    long best = Choice.NONE;
    double lowest = Double.POSITIVE_INFINITY;
    int size = candidates.size();
    for (int index = candidates.next(0, RANK, lowest);
        index < size;
        index = candidates.next(index + 1, RANK, lowest)) {
      if (candidates.available(index)) {
        int burden = candidates.burden(index);
        double middle = middle(candidates, index, burden);
        if (middle < lowest) {
          lowest = middle;
          best = Choice.of(index, burden);
        }
      }
    }
    return best;
  }

  private static double middle(Candidates candidates, int index, int burden) {
    double weight = candidates.weight(index);
    return Policies.start(candidates.pass(index), candidates.horizon(), weight)
        + (0.5 + burden) / weight;
  }

  @Override
  public String account(Candidates candidates, int index) {
    int burden = candidates.burden(index);
    return "weight %s, %s: its share is at %s, and the lowest is next"
        .formatted(
            Explanation.figure(candidates.weight(index)),
            Explanation.toDo(burden),
            Explanation.figure(middle(candidates, index, burden)));
  }
}
