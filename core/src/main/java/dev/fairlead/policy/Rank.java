package dev.fairlead.policy;

/**
 * What a policy compares candidates by; the least is the best. It lets an implementor of {@link
 * Candidates} that has many devices keep them in an index, see {@link Candidates#next}.
 */
public sealed interface Rank {
  /**
   * A figure that does not fall unless something happens to the candidate itself: time that passes,
   * and what is placed on others, leave it alone or raise it.
   */
  @FunctionalInterface
  non-sealed interface Steady extends Rank {
    /** NaN for a candidate that has to be looked at in any case. */
    double of(Candidates candidates, int index);
  }

  /**
   * When the candidate would be done with the demand: its backlog and the predicted seconds. The
   * backlog counts {@code lineWeight} times where the demand would join a queue. One whose cost is
   * not learned has to be looked at in any case.
   */
  record Finish(double lineWeight) implements Rank {
    /** NaN while the cost is not learned. */
    public double of(Candidates candidates, int index) {
      boolean inLine = candidates.full(index) && candidates.available(index);
      return (inLine ? lineWeight : 1) * candidates.backlogSeconds(index)
          + candidates.predictedSeconds(index);
    }
  }
}
