package dev.fairlead.range;

import java.math.BigInteger;
import java.util.PriorityQueue;

/** The splitter whose units shrink towards the end: weighted factoring. */
record Factoring(Weights weights, long minimumLength) implements Splitter {
  /*
   * Each round makes half of what remains due, and a device is dealt its share of all that is due
   * so far less what it has been dealt. A share below the minimum waits for a later round: a slow
   * device that was given the minimum in every round would finish long after the others. At the
   * end at most one minimum a device is left; it is dealt in units of the minimum, each to the
   * device that would finish it first.
   *
   * The halves still to become due sum to no more than the one that just did, so that no unit of a
   * device is longer than an earlier one by more than the one index of rounding.
   *
   * Let T(i) be the indices dealt to device i over its weight, m the minimum and w the weights.
   * Claim: T(i) <= T(j) + m / w(j) for all i and j.
   *   - If i was dealt one of the last units, then it would have finished that one, at full length,
   *     no later than j would have finished one more, and j has not been dealt less since.
   *   - If not, then T(i) <= due / sum(w), shares being rounded down, and due is below the total.
   *     The mean of all T, weighted by w, is total / sum(w). So some k has T(k) >= total / sum(w),
   *     which is above T(i); k was dealt one of the last units, so T(i) < T(k) <= T(j) + m / w(j).
   *
   * Hummel, Schonberg and Flynn, "Factoring: a method for scheduling parallel loops",
   * CACM 35(8), 1992. Hummel, Schmidt, Uma and Wein, "Load-sharing in heterogeneous systems via
   * weighted factoring", SPAA 1996.
   */

  Factoring {
    if (minimumLength < 1) {
      throw new IllegalArgumentException("minimumLength is not positive: " + minimumLength);
    }
  }

  @Override
  public void split(long total, int devices, UnitBuffer units) {
    units.clearFor(total, devices);
    weights.checkCount(devices);
    // Dealt aside, since the count is known at the end only and the error has to name it.
    UnitBuffer dealt = UnitBuffer.growing();
    long[] lengths = new long[devices];
    dealRounds(total, lengths, dealt);
    dealRest(total, lengths, dealt);
    units.copy(dealt);
  }

  private void dealRounds(long total, long[] lengths, UnitBuffer dealt) {
    long due = 0;
    for (long half = total / 2; half > 0; half = (total - due) / 2) {
      due += half;
      for (int home = 0; home < lengths.length; home++) {
        long length = weights.share(due, home) - lengths[home];
        if (length >= minimumLength) {
          lengths[home] += length;
          dealt.add(length, home);
        }
      }
    }
  }

  private void dealRest(long total, long[] lengths, UnitBuffer dealt) {
    PriorityQueue<Lane> earliest = new PriorityQueue<>(this::compareNextFinish);
    for (int home = 0; home < lengths.length; home++) {
      earliest.add(new Lane(home, lengths[home]));
    }
    while (dealt.covered() < total) {
      Lane lane = earliest.remove();
      long length = Math.min(minimumLength, total - dealt.covered());
      dealt.add(length, lane.home);
      earliest.add(new Lane(lane.home, lane.length + length));
    }
  }

  /** Orders by the time at which a device would finish one more unit, then by pool order. */
  private int compareNextFinish(Lane a, Lane b) {
    int times = weights.compareTimes(withOneMore(a), a.home, withOneMore(b), b.home);
    return times != 0 ? times : Integer.compare(a.home, b.home);
  }

  private BigInteger withOneMore(Lane lane) {
    return BigInteger.valueOf(lane.length).add(BigInteger.valueOf(minimumLength));
  }

  /** A device and the number of indices that it has been dealt. */
  private record Lane(int home, long length) {}
}
