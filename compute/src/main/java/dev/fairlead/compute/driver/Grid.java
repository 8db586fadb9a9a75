package dev.fairlead.compute.driver;

/**
 * How many work items a launch has in each of three dimensions, and how many of them form a group.
 * A group of zero leaves its size to the driver.
 *
 * <p>Items are whole groups: {@link #covering} rounds up, so that a kernel that is launched so has
 * to check whether its item exists.
 *
 * <p>{@link #of} runs exactly the items that were asked for. CUDA has whole groups only, so that
 * their size is then a divisor of the items: fast for widths that have some, slow for a large prime
 * in one dimension, which runs as groups of one. Kernels that check their item take any size at
 * full speed by {@link #covering}.
 */
public record Grid(Extent items, Extent group) {
  private static final Extent LEFT_TO_THE_DRIVER = new Extent(0, 0, 0);

  /** A size in three dimensions. */
  public record Extent(long x, long y, long z) {
    private boolean isMultipleOf(Extent unit) {
      return x % unit.x == 0 && y % unit.y == 0 && z % unit.z == 0;
    }
  }

  public Grid {
    if (items.x < 1 || items.y < 1 || items.z < 1) {
      throw new IllegalArgumentException("A launch has at least one item: " + items);
    }
    boolean chosen = !group.equals(LEFT_TO_THE_DRIVER);
    if (chosen && (group.x < 1 || group.y < 1 || group.z < 1 || !items.isMultipleOf(group))) {
      throw new IllegalArgumentException(
          "%s are not whole groups of %s; Grid.covering rounds up".formatted(items, group));
    }
  }

  public static Grid of(long x) {
    return of(x, 1);
  }

  public static Grid of(long x, long y) {
    return new Grid(new Extent(x, y, 1), LEFT_TO_THE_DRIVER);
  }

  /** At least {@code x} items, in whole groups. */
  public static Grid covering(long x, long group) {
    return covering(x, 1, group, 1);
  }

  /** At least {@code x} by {@code y} items, in whole groups. */
  public static Grid covering(long x, long y, long groupX, long groupY) {
    return new Grid(
        new Extent(roundedUp(x, groupX), roundedUp(y, groupY), 1), new Extent(groupX, groupY, 1));
  }

  public boolean leavesGroupToDriver() {
    return group.equals(LEFT_TO_THE_DRIVER);
  }

  private static long roundedUp(long items, long group) {
    return group < 1 ? items : Math.multiplyExact(Math.ceilDiv(items, group), group);
  }
}
