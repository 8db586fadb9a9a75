package dev.fairlead.cuda;

import dev.fairlead.compute.driver.ComputeException;
import dev.fairlead.compute.driver.Grid;
import java.util.function.IntSupplier;

/** A grid as CUDA counts it: blocks, and the threads of each. */
record CudaGrid(int x, int y, int z, int threadsX, int threadsY, int threadsZ) {
  /** Enough to keep a multiprocessor busy. */
  private static final int USUAL_THREADS = 256;

  /**
   * Counts a grid in blocks. Where the size of a block is left open, it is the largest that divides
   * the items in the first dimension, since no more items may run than were asked for.
   *
   * @param mostThreads how many threads a block may have; asked only where the size is left open
   */
  static CudaGrid of(Grid grid, IntSupplier mostThreads) {
    Grid.Extent items = grid.items();
    Grid.Extent group =
        grid.leavesGroupToDriver()
            ? new Grid.Extent(
                largestDivisor(items.x(), Math.min(USUAL_THREADS, mostThreads.getAsInt())), 1, 1)
            : grid.group();
    return new CudaGrid(
        fitting(items.x() / group.x(), grid),
        fitting(items.y() / group.y(), grid),
        fitting(items.z() / group.z(), grid),
        fitting(group.x(), grid),
        fitting(group.y(), grid),
        fitting(group.z(), grid));
  }

  private static long largestDivisor(long items, int most) {
    long divisor = Math.max(1, Math.min(items, most));
    while (items % divisor != 0) {
      divisor--;
    }
    return divisor;
  }

  private static int fitting(long count, Grid grid) {
    if (count > Integer.MAX_VALUE) {
      throw new ComputeException.BadArgument("The grid is larger than CUDA can count: " + grid);
    }
    return (int) count;
  }
}
