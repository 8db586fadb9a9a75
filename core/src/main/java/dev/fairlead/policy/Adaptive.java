package dev.fairlead.policy;

import dev.fairlead.device.Timespan;

/**
 * Earliest finish by device rate. Unmeasured idle devices are tried first; a busy one that is not
 * measured counts as slow as the slowest. What the others have left idle is tried again, see {@link
 * Exploration}.
 */
record Adaptive() implements PlacementPolicy {
  private static final Rank.Steady RANK =
      (candidates, index) -> (candidates.burden(index) + 1) / candidates.rate(index);

  @Override
  public String name() {
    return "adaptive";
  }

  @Override
  public long place(Candidates candidates) {
    double unmeasured = Double.NaN;
    long best = Choice.NONE;
    double soonest = Double.POSITIVE_INFINITY;
    int size = candidates.size();
    int first = size == 0 ? 0 : candidates.rotation() % size;
    for (int step = 0; step < size; step++) {
      int index = first + step < size ? first + step : first + step - size;
      int next = candidates.next(index, RANK, soonest);
      if (next > index) {
        step += next - index - 1;
        continue;
      }
      if (!candidates.available(index)) {
        continue;
      }
      double rate = candidates.rate(index);
      int burden = candidates.burden(index);
      if (Double.isNaN(rate)) {
        if (burden == 0) {
          return Choice.of(index, 0);
        }
        unmeasured = Double.isNaN(unmeasured) ? slowest(candidates) : unmeasured;
        rate = unmeasured;
      }
      double finish = (burden + 1) / rate;
      if (finish < soonest) {
        soonest = finish;
        best = Choice.of(index, burden);
      }
    }
    int idle = Exploration.draw(candidates, index -> 1 / candidates.rate(index));
    return idle < 0 ? best : Choice.of(idle, 0);
  }

  @Override
  public boolean weighsQueues() {
    return true;
  }

  @Override
  public boolean takes(Candidates candidates, int free, int busy) {
    return finishesFirst(candidates, free, busy);
  }

  /** The least measured rate; 1 if none is. */
  private static double slowest(Candidates candidates) {
    double slowest = Double.POSITIVE_INFINITY;
    for (int index = 0; index < candidates.size(); index++) {
      if (candidates.eligible(index) && candidates.rate(index) < slowest) {
        slowest = candidates.rate(index);
      }
    }
    return Double.isInfinite(slowest) ? 1 : slowest;
  }

  @Override
  public String account(Candidates candidates, int index) {
    double rate = candidates.rate(index);
    return Double.isNaN(rate)
        ? Explanation.toDo(candidates.burden(index)) + ", speed not measured yet"
        : "%s, does %s a second: would finish in %s"
            .formatted(
                Explanation.toDo(candidates.burden(index)),
                Explanation.figure(rate),
                Timespan.ofSeconds((candidates.burden(index) + 1) / rate));
  }

  /**
   * Whether a free device would be done with one item before a busy one is with all it has, by
   * their measured rates; true where one of them is not measured.
   */
  static boolean finishesFirst(Candidates candidates, int free, int busy) {
    return !(candidates.burden(busy) / candidates.rate(busy)
        < (candidates.burden(free) + 1) / candidates.rate(free));
  }
}
