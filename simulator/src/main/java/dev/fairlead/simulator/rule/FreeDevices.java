package dev.fairlead.simulator.rule;

import org.jspecify.annotations.Nullable;

/** Who has a free slot, and who of these is ready: has not failed lately. */
final class FreeDevices {
  private static final byte NOT_FREE = 0;
  private static final byte FREE = 1;
  private static final byte READY = 2;

  private final long[] set;
  private final byte[] states;
  private int count;
  private int readyCount;
  private @Nullable BurdenIndex burdens;

  FreeDevices(int size) {
    set = new long[(size + 63) >> 6];
    states = new byte[size];
  }

  /** Enters a device as it is now; one that is ready carries {@code items}. */
  void put(int device, boolean free, boolean ready, int items) {
    byte state = ready ? READY : free ? FREE : NOT_FREE;
    byte before = states[device];
    if (state != before) {
      states[device] = state;
      readyCount += (state == READY ? 1 : 0) - (before == READY ? 1 : 0);
      if (state == NOT_FREE || before == NOT_FREE) {
        set[device >> 6] ^= 1L << device;
        count += state == NOT_FREE ? -1 : 1;
      }
    }
    if (burdens != null) {
      enter(device, items, burdens);
    }
  }

  private void enter(int device, int items, BurdenIndex index) {
    if (states[device] == READY) {
      index.put(device, items);
    } else {
      index.remove(device);
    }
  }

  int count() {
    return count;
  }

  boolean has(int device) {
    return states[device] != NOT_FREE;
  }

  boolean anyReady() {
    return readyCount > 0;
  }

  boolean isReady(int device) {
    return states[device] == READY;
  }

  /** The first that is free from {@code from} on, round the end; there is one. */
  int next(int from) {
    int start = from < states.length ? from : 0;
    int word = start >> 6;
    long bits = set[word] & (-1L << start);
    while (bits == 0) {
      word = word + 1 == set.length ? 0 : word + 1;
      bits = set[word];
    }
    return (word << 6) + Long.numberOfTrailingZeros(bits);
  }

  /** Those that are ready by what they carry; kept from its first use on. */
  BurdenIndex readyByBurden(int[] items) {
    BurdenIndex index = burdens;
    if (index == null) {
      index = new BurdenIndex(states.length);
      burdens = index;
      for (int device = 0; device < states.length; device++) {
        enter(device, items[device], index);
      }
    }
    return index;
  }
}
