package dev.fairlead.simulator.rule;

import dev.fairlead.policy.Rank;
import java.util.Arrays;

/**
 * Devices by a steady rank: a tree of the least rank below each node, so that the device of the
 * least is found without a look at the others. Between changes of a device its rank may have risen;
 * what is kept of it is then too low, and is put right when a search comes by.
 */
final class RankIndex {
  private static final double ABSENT = Double.POSITIVE_INFINITY;
  private static final double LOOK_AT_IT = Double.NEGATIVE_INFINITY;

  private final Rank.Steady rank;
  private final PoolView view;
  private final int leaves;
  private final double[] least;

  RankIndex(PoolView view, Rank.Steady rank) {
    this.view = view;
    this.rank = rank;
    leaves = leaves(view.size());
    least = new double[2 * leaves];
    Arrays.fill(least, ABSENT);
  }

  /** The leaves of a binary tree that has room for so many devices. */
  static int leaves(int size) {
    return Integer.highestOneBit(Math.max(1, size - 1)) << (size > 1 ? 1 : 0);
  }

  /** The node after all below {@code node}, in order; 0 if there is none. */
  static int after(int node) {
    int up = node >> Integer.numberOfTrailingZeros(~node);
    return up == 0 ? 0 : up + 1;
  }

  boolean isBy(Rank other) {
    return rank.equals(other);
  }

  /** Something has happened to the device. */
  void refresh(int device, boolean open) {
    put(device, open ? current(device) : ABSENT);
  }

  private double current(int device) {
    double now = rank.of(view, device);
    return Double.isNaN(now) ? LOOK_AT_IT : now;
  }

  private void put(int device, double value) {
    int node = leaves + device;
    least[node] = value;
    for (node >>= 1; node > 0; node >>= 1) {
      double now = Math.min(least[2 * node], least[2 * node + 1]);
      if (least[node] == now) {
        return;
      }
      least[node] = now;
    }
  }

  /** The least rank of all, if who has it is available; else infinity. */
  double least() {
    while (true) {
      int node = 1;
      while (node < leaves) {
        node = 2 * node + (least[2 * node] <= least[2 * node + 1] ? 0 : 1);
      }
      double known = least[node];
      if (known == ABSENT || known == LOOK_AT_IT) {
        return Double.POSITIVE_INFINITY;
      }
      double now = current(node - leaves);
      if (now == known) {
        return view.available(node - leaves) ? now : Double.POSITIVE_INFINITY;
      }
      put(node - leaves, now);
    }
  }

  /** The first device from {@code from} on of a rank below {@code found}, and not above a limit. */
  int next(int from, double found, double limit) {
    int node = from < view.size() ? leaves + from : 0;
    while (node > 0) {
      if (!(least[node] <= limit && least[node] < found)) {
        node = after(node);
      } else if (node < leaves) {
        node *= 2;
      } else {
        double now = current(node - leaves);
        if (now == least[node]) {
          return node - leaves;
        }
        put(node - leaves, now);
      }
    }
    return view.size();
  }
}
