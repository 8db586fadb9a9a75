package dev.fairlead.range;

/**
 * A piece of a split total: a range that is never empty, and the device it is meant for.
 *
 * @param home the device's position among those of the split, from 0; a pool's stand in the order
 *     of its devices, which is not their index where some were removed
 */
public record Unit(Range range, int home) {

  public Unit {
    if (range.isEmpty()) {
      throw new IllegalArgumentException("the range of a unit is empty: " + range);
    }
    if (home < 0) {
      throw new IllegalArgumentException("home is negative: " + home);
    }
  }
}
