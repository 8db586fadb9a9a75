package dev.fairlead.simulator.rule;

/**
 * Devices by burden: for each burden a set of bits, so that the least burdened after a given one is
 * found without a look at the others. Burdens from {@link #LEVELS} on share the last set.
 */
final class BurdenIndex {
  static final int LEVELS = 64;
  private static final int ABSENT = -1;

  private final long[][] sets;
  private final int[] counts = new int[LEVELS];
  private final int[] levels;
  private final int size;

  BurdenIndex(int size) {
    this.size = size;
    sets = new long[LEVELS][(size + 63) >> 6];
    levels = new int[size];
    java.util.Arrays.fill(levels, ABSENT);
  }

  /** Enters a device, or moves it. */
  void put(int device, int burden) {
    int level = Math.min(burden, LEVELS - 1);
    if (levels[device] != level) {
      remove(device);
      levels[device] = level;
      counts[level]++;
      sets[level][device >> 6] |= 1L << device;
    }
  }

  void remove(int device) {
    int level = levels[device];
    if (level != ABSENT) {
      levels[device] = ABSENT;
      counts[level]--;
      sets[level][device >> 6] &= ~(1L << device);
    }
  }

  /** The first level that is not empty; {@link #LEVELS} if all are. */
  int lowest() {
    int level = 0;
    while (level < LEVELS && counts[level] == 0) {
      level++;
    }
    return level;
  }

  /** The first device of a level from {@code from} on, round the end; the level is not empty. */
  int first(int level, int from) {
    long[] set = sets[level];
    int start = from < size ? from : 0;
    int word = start >> 6;
    long bits = set[word] & (-1L << start);
    while (bits == 0) {
      word = word + 1 == set.length ? 0 : word + 1;
      bits = set[word];
    }
    return (word << 6) + Long.numberOfTrailingZeros(bits);
  }
}
