package dev.fairlead.policy;

import dev.fairlead.device.Timespan;

/**
 * Earliest finish by learned cost. The backlog of a device whose queue would be joined counts
 * {@link #LINE} times: work that joins a queue delays everything behind it, and on an idle slow
 * device would have delayed nothing. While nothing is known of the kind of work, or all that is not
 * known is busy, adaptive decides; an idle device whose cost is not known is tried. What the others
 * have left idle is tried again, see {@link Exploration}.
 */
record EarliestFinish() implements PlacementPolicy {
  private static final PlacementPolicy ADAPTIVE = new Adaptive();
  private static final double LINE = 5;
  private static final Rank.Finish RANK = new Rank.Finish(LINE);

  @Override
  public String name() {
    return "earliest-finish";
  }

  @Override
  public long place(Candidates candidates) {
    long free = Choice.NONE;
    int busy = -1;
    double soonest = Double.POSITIVE_INFINITY;
    double soonestBusy = Double.POSITIVE_INFINITY;
    int untried = -1;
    int unknown = 0;
    int known = 0;
    int size = candidates.size();
    int first = size == 0 ? 0 : candidates.rotation() % size;
    for (int step = 0; step < size; step++) {
      int index = first + step < size ? first + step : first + step - size;
      int next = candidates.next(index, RANK, soonest);
      if (next > index) {
        step += next - index - 1;
        continue;
      }
      if (!candidates.eligible(index)) {
        continue;
      }
      // Read before the backlog: what comes in between is refused, not overlooked.
      int burden = candidates.burden(index);
      boolean available = candidates.available(index);
      double finish = RANK.of(candidates, index);
      if (Double.isNaN(finish)) {
        unknown++;
        untried = burden == 0 && available ? index : untried;
        continue;
      }
      known++;
      if (available && finish < soonest) {
        soonest = finish;
        free = Choice.of(index, burden);
      } else if (!available && finish < soonestBusy) {
        soonestBusy = finish;
        busy = index;
      }
    }
    if (unknown > 0) {
      return known > 0 && untried >= 0 ? Choice.of(untried, 0) : ADAPTIVE.place(candidates);
    }
    int idle = Exploration.draw(candidates, candidates::predictedSeconds);
    if (idle >= 0) {
      return Choice.of(idle, 0);
    }
    if (busy >= 0 && soonestBusy < soonest) {
      return Choice.waitFor(busy);
    }
    return free;
  }

  @Override
  public boolean weighsQueues() {
    return true;
  }

  /** A busy device that would be done with all it has before the free one with this keeps it. */
  @Override
  public boolean takes(Candidates candidates, int free, int busy) {
    double seconds = candidates.predictedSeconds(free);
    return Double.isNaN(seconds)
        ? Adaptive.finishesFirst(candidates, free, busy)
        : seconds <= candidates.backlogSeconds(busy);
  }

  private static double finish(Candidates candidates, int index) {
    return candidates.backlogSeconds(index) + candidates.predictedSeconds(index);
  }

  @Override
  public String account(Candidates candidates, int index) {
    double finish = finish(candidates, index);
    return Double.isNaN(finish)
        ? "cost not learned yet; " + ADAPTIVE.account(candidates, index)
        : "free in %s, takes %s for this"
            .formatted(
                Timespan.ofSeconds(candidates.backlogSeconds(index)),
                Timespan.ofSeconds(candidates.predictedSeconds(index)));
  }
}
