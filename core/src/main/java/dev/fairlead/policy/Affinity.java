package dev.fairlead.policy;

import dev.fairlead.device.DeviceId;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Weighted rendezvous hashing with bounded load: a key prefers the devices in an order of its own,
 * and takes the first that is not overloaded. When a device comes or goes, only about its share of
 * the keys move.
 *
 * <p>The hash is part of the contract, so that machines agree: FNV-1a (64 bit) over the UTF-8 bytes
 * of the key, a zero byte and the device id, finished by the mixer of SplitMix64. A device's score
 * is weight ÷ −ln(u) with u the hash as a fraction of its range; highest first (Thaler and
 * Ravishankar; the weighted form is by Schindelhauer and Schomaker). The bound is that of Mirrokni,
 * Thorup and Zadimoghaddam: no device carries more than {@link #BALANCE} times its fair part.
 */
public final class Affinity {
  private static final double BALANCE = 1.25;

  private Affinity() {}

  /** Indices into {@code ids}, most preferred first. */
  public static int[] order(String key, List<DeviceId> ids, List<Double> weights) {
    double[] scores =
        IntStream.range(0, ids.size())
            .mapToDouble(
                index -> weights.get(index) / -StrictMath.log(fraction(key, ids.get(index))))
            .toArray();
    return IntStream.range(0, ids.size())
        .boxed()
        .sorted(Comparator.<Integer>comparingDouble(index -> -scores[index]))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  /** The first in {@code order} that is available and within its bound. */
  public static long place(Candidates candidates, int[] order) {
    double weight = 0;
    double burden = 1;
    for (int index : order) {
      if (candidates.eligible(index)) {
        weight += candidates.weight(index);
        burden += candidates.burden(index);
      }
    }
    long fallback = Choice.NONE;
    for (int index : order) {
      if (candidates.available(index)) {
        double bound = Math.ceil(BALANCE * burden * candidates.weight(index) / weight);
        int its = candidates.burden(index);
        if (its < bound) {
          return Choice.of(index, its);
        }
        fallback = fallback == Choice.NONE ? Choice.of(index) : fallback;
      }
    }
    return fallback;
  }

  /**
   * Whether an item that {@code busy} carries may go to {@code free}: its key prefers that one, or
   * the busy one is over its bound.
   */
  public static boolean lets(Candidates candidates, int[] order, int free, int busy) {
    double weight = 0;
    double burden = 0;
    boolean preferred = false;
    boolean passed = false;
    for (int index : order) {
      passed |= index == busy;
      preferred |= index == free && !passed;
      if (candidates.eligible(index) || index == busy) {
        weight += candidates.weight(index);
        burden += candidates.burden(index);
      }
    }
    double bound = Math.ceil(BALANCE * burden * candidates.weight(busy) / weight);
    return preferred || candidates.burden(busy) > bound;
  }

  private static double fraction(String key, DeviceId id) {
    long hash = 0xcbf29ce484222325L;
    for (byte each : (key + "\0" + id).getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (each & 0xff)) * 0x100000001b3L;
    }
    hash = (hash ^ (hash >>> 30)) * 0xbf58476d1ce4e5b9L;
    hash = (hash ^ (hash >>> 27)) * 0x94d049bb133111ebL;
    hash ^= hash >>> 31;
    return ((hash >>> 11) + 0.5) * 0x1p-53;
  }
}
