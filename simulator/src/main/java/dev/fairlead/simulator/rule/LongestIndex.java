package dev.fairlead.simulator.rule;

/** Devices by how much they have: a tree of the most below each node. */
final class LongestIndex {
  /** No device. */
  static final int NONE = -1;

  private final int leaves;
  private final int[] most;

  LongestIndex(int size) {
    leaves = RankIndex.leaves(size);
    most = new int[2 * leaves];
  }

  /** Enters how much a device has; zero takes it out. */
  void put(int device, int count) {
    int node = leaves + device;
    if (most[node] == count) {
      return;
    }
    most[node] = count;
    for (node >>= 1; node > 0; node >>= 1) {
      int now = Math.max(most[2 * node], most[2 * node + 1]);
      if (most[node] == now) {
        return;
      }
      most[node] = now;
    }
  }

  boolean isEmpty() {
    return most[1] == 0;
  }

  /** The first of those that have most; {@link #NONE} if none has anything. */
  int longest() {
    if (isEmpty()) {
      return NONE;
    }
    int node = 1;
    while (node < leaves) {
      node = 2 * node + (most[2 * node] >= most[2 * node + 1] ? 0 : 1);
    }
    return node - leaves;
  }
}
