package dev.fairlead.range;

import java.util.List;

/**
 * A rule that cuts the indices from 0 up to a total into units, each with a home device.
 *
 * <p>A splitter is pure: the same arguments give the same units, it has no state, and threads may
 * share it. The units cover the total exactly, in order, and none is empty. Homes are within {@code
 * 0..devices-1}, in pool order.
 *
 * <p>Weights are relative speeds, one a device, around 1 for an ordinary device. One below {@value
 * #SMALLEST_WEIGHT} counts as {@value #SMALLEST_WEIGHT}, so that no device is shut out for good.
 */
@FunctionalInterface
public interface Splitter {

  /** How many units {@link #uniform} makes for each device, at least, if there is enough to cut. */
  int UNITS_PER_DEVICE = 4;

  /** The weight that lower ones are raised to. */
  double SMALLEST_WEIGHT = 0.01;

  /**
   * Replaces what {@code units} holds by the units of this split.
   *
   * @throws IllegalArgumentException for a negative total or number of devices, and where weights
   *     were given for another number of devices
   * @throws SplitException if there is something to split and no device, or if the units do not fit
   */
  void split(long total, int devices, UnitBuffer units);

  /** The units of this split, in a list of their own. */
  default List<Unit> split(long total, int devices) {
    UnitBuffer units = UnitBuffer.growing();
    split(total, devices, units);
    return units.toList();
  }

  /**
   * Units of one length, {@code max(1, total / (4 * devices))}, the last one shorter where that
   * does not divide the total; homes in turn. Allocates nothing when the buffer has room.
   */
  static Splitter uniform() {
    return Splitter::splitUniformly;
  }

  /**
   * One unit a device, in proportion to its weight and less than one index away from it; a device
   * whose share rounds to nothing has no unit. The indices lost to rounding go to the devices with
   * the largest remainders, the first in pool order among equals.
   */
  static Splitter weighted(List<Double> weights) {
    Weights exact = Weights.of(weights);
    return (total, devices, units) -> splitByWeight(exact, total, devices, units);
  }

  /**
   * Units that shrink towards the end: each round deals half of what remains, in proportion to the
   * weights. No unit is shorter than {@code minimumLength} but the last one.
   *
   * <p>If each device is as fast as its weight says and runs its own units, then any two devices
   * finish within the time that the earlier one would need for one unit of the minimum length.
   */
  static Splitter factoring(List<Double> weights, long minimumLength) {
    return new Factoring(Weights.of(weights), minimumLength);
  }

  private static void splitUniformly(long total, int devices, UnitBuffer units) {
    units.clearFor(total, devices);
    if (total == 0) {
      return;
    }
    long length = Math.max(1, total / ((long) UNITS_PER_DEVICE * devices));
    // Rounded up without adding the length to the total, which could overflow.
    long count = (total - 1) / length + 1;
    units.reserve(count);
    for (long unit = 0; unit < count; unit++) {
      units.add(Math.min(length, total - units.covered()), (int) (unit % devices));
    }
  }

  private static void splitByWeight(Weights weights, long total, int devices, UnitBuffer units) {
    units.clearFor(total, devices);
    weights.checkCount(devices);
    long[] lengths = weights.apportion(total);
    long count = 0;
    for (long length : lengths) {
      count += length > 0 ? 1 : 0;
    }
    units.reserve(count);
    for (int home = 0; home < devices; home++) {
      if (lengths[home] > 0) {
        units.add(lengths[home], home);
      }
    }
  }
}
