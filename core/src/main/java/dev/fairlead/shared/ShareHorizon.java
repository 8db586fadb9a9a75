package dev.fairlead.shared;

/** The horizon of weighted placement: the highest share at which an item was placed. */
public final class ShareHorizon {
  private volatile boolean kept;
  private volatile double horizon;

  /** Shares cost a shared write for each placement, so they are kept only for policies that ask. */
  public void keep(boolean value) {
    kept = value;
  }

  public boolean areKept() {
    return kept;
  }

  public double horizon() {
    return horizon;
  }

  /** Racy on purpose: a horizon that lags by one item changes nothing that matters. */
  public void reached(double start) {
    if (start > horizon) {
      horizon = start;
    }
  }
}
