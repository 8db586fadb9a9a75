package dev.fairlead.simulator.rule;

/**
 * Devices laid end to end by speed: Fenwick trees over measured rates, over those that have none,
 * and over weights, so that a device is drawn in proportion to speed without a look at all.
 */
final class SpeedIndex {
  private final int size;
  private final int top;
  private final double[] rateTree;
  private final double[] coldTree;
  private final double[] weightTree;
  private final double[] rate;
  private final double[] cold;
  private final double[] weight;
  private double rates;
  private int measured;
  private int unmeasured;
  private double weights;

  SpeedIndex(int size) {
    this.size = size;
    top = Integer.highestOneBit(Math.max(1, size));
    rateTree = new double[size + 1];
    coldTree = new double[size + 1];
    weightTree = new double[size + 1];
    rate = new double[size];
    cold = new double[size];
    weight = new double[size];
  }

  /** Enters what is known of a device; not available is as if it were not there. */
  void put(int device, boolean available, double newRate, double newWeight) {
    boolean known = !Double.isNaN(newRate);
    double nowRate = available && known ? newRate : 0;
    double nowCold = available && !known ? 1 : 0;
    double nowWeight = available ? newWeight : 0;
    if (nowRate != rate[device]) {
      measured += (nowRate > 0 ? 1 : 0) - (rate[device] > 0 ? 1 : 0);
      rates += nowRate - rate[device];
      add(rateTree, device, nowRate - rate[device]);
      rate[device] = nowRate;
    }
    if (nowCold != cold[device]) {
      unmeasured += (int) (nowCold - cold[device]);
      add(coldTree, device, nowCold - cold[device]);
      cold[device] = nowCold;
    }
    if (nowWeight != weight[device]) {
      weights += nowWeight - weight[device];
      add(weightTree, device, nowWeight - weight[device]);
      weight[device] = nowWeight;
    }
  }

  double typical() {
    return measured == 0 ? Double.NaN : rates / measured;
  }

  double total(double typical) {
    return Double.isNaN(typical) ? weights : rates + unmeasured * typical;
  }

  /** The device at a point of the line; -1 if nobody is there. */
  int at(double point, double typical) {
    if (measured + unmeasured == 0) {
      return -1;
    }
    boolean byWeight = Double.isNaN(typical);
    double rest = point;
    int position = 0;
    for (int step = top; step > 0; step >>= 1) {
      int next = position + step;
      if (next <= size) {
        double length = byWeight ? weightTree[next] : rateTree[next] + coldTree[next] * typical;
        if (length <= rest) {
          rest -= length;
          position = next;
        }
      }
    }
    // Rounding can point past the last, or at one that is not available.
    int device = Math.min(position, size - 1);
    for (int tried = 0; tried < size && weight[device] == 0; tried++) {
      device = device == 0 ? size - 1 : device - 1;
    }
    return device;
  }

  private void add(double[] tree, int device, double change) {
    for (int node = device + 1; node <= size; node += node & -node) {
      tree[node] += change;
    }
  }
}
