package dev.fairlead.simulator.rule;

import dev.fairlead.simulator.engine.Machines;

/** Which devices serve, so that those before one are counted without looking at each. */
final class ServingDevices {
  private final Machines machines;
  private final long[] bits;
  private int count;

  ServingDevices(Machines machines) {
    this.machines = machines;
    this.bits = new long[(machines.size() + 63) >> 6];
    for (int device = 0; device < machines.size(); device++) {
      refresh(device);
    }
  }

  /** The device serves, or no longer does. */
  void refresh(int device) {
    long bit = 1L << device;
    boolean before = (bits[device >> 6] & bit) != 0;
    if (machines.serves(device) != before) {
      bits[device >> 6] ^= bit;
      count += before ? -1 : 1;
    }
  }

  int count() {
    return count;
  }

  /** How many serve of those before {@code end}. */
  int before(int end) {
    int some = Long.bitCount(end % 64 == 0 ? 0 : bits[end >> 6] & ~(-1L << end));
    for (int word = 0; word < end >> 6; word++) {
      some += Long.bitCount(bits[word]);
    }
    return some;
  }
}
