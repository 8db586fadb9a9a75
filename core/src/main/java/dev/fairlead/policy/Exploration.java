package dev.fairlead.policy;

import java.util.function.IntToDoubleFunction;

/** Tries devices again that a policy has left idle because they were slow once. */
final class Exploration {
  private static final double AFTER_ITEMS = 20;
  private static final double SHARE = 0.05;
  private static final int AMONG = 64;

  private Exploration() {}

  /** {@link #neglected} for a {@link #SHARE} of what comes, -1 for the rest. */
  static int draw(Candidates candidates, IntToDoubleFunction itemSeconds) {
    return candidates.draw(0) < SHARE ? neglected(candidates, itemSeconds) : -1;
  }

  /**
   * A device that the others have left idle for as long as {@link #AFTER_ITEMS} of such items take
   * there; -1 if there is none. {@link #SHARE} of what comes goes there, so that a device that was
   * slow once is not shut out, and exploring costs neither much of a slow device's time nor many of
   * the items. Of many devices {@link #AMONG} are looked at.
   */
  private static int neglected(Candidates candidates, IntToDoubleFunction itemSeconds) {
    double everybody = Double.NaN;
    int size = candidates.size();
    int first = (int) (candidates.draw(1) * size);
    for (int step = 0; step < Math.min(size, AMONG); step++) {
      int index = first + step < size ? first + step : first + step - size;
      double enough = AFTER_ITEMS * itemSeconds.applyAsDouble(index);
      if (candidates.idleSeconds(index) > enough
          && candidates.burden(index) == 0
          && candidates.available(index)) {
        everybody = Double.isNaN(everybody) ? idleOfAll(candidates) : everybody;
        if (candidates.idleSeconds(index) - everybody > enough) {
          return index;
        }
      }
    }
    return -1;
  }

  /** For how long no device has done anything. */
  private static double idleOfAll(Candidates candidates) {
    double least = Double.POSITIVE_INFINITY;
    for (int index = 0; index < candidates.size() && least > 0; index++) {
      if (candidates.eligible(index)) {
        least = Math.min(least, candidates.idleSeconds(index));
      }
    }
    return least;
  }
}
