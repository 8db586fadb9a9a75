package dev.fairlead.pool;

/** The horizon of weighted placement: the highest share at which an item was placed. */
final class ShareHorizon {
  private volatile boolean kept;
  private volatile double horizon;

  /** Shares cost a shared write for each placement, so they are kept only for policies that ask. */
  void keep(boolean value) {
    kept = value;
  }

  boolean areKept() {
    return kept;
  }

  double horizon() {
    return horizon;
  }

  /** Racy on purpose: a horizon that lags by one item changes nothing that matters. */
  void reached(double start) {
    if (start > horizon) {
      horizon = start;
    }
  }
}
