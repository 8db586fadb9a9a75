package dev.fairlead.cuda;

import dev.fairlead.compute.driver.ComputeException;
import dev.fairlead.compute.driver.Grid;
import java.util.function.IntSupplier;

/** A grid as CUDA counts it: blocks, and the threads of each. */
record CudaGrid(int x, int y, int z, int threadsX, int threadsY, int threadsZ) {
  /** Enough to keep a multiprocessor busy. */
  private static final int USUAL_THREADS = 256;

  /** Threads that a device runs in step; a block of fewer leaves the rest of them idle. */
  private static final int IN_STEP = 32;

  /**
   * Counts a grid in blocks. Where the size of a block is left open, it divides the items, since no
   * more items may run than were asked for.
   *
   * @param mostThreads how many threads a block may have; asked only where the size is left open
   */
  static CudaGrid of(Grid grid, IntSupplier mostThreads) {
    Grid.Extent items = grid.items();
    Grid.Extent group =
        grid.leavesGroupToDriver() ? group(items, mostThreads.getAsInt()) : grid.group();
    return new CudaGrid(
        fitting(items.x() / group.x(), grid),
        fitting(items.y() / group.y(), grid),
        fitting(items.z() / group.z(), grid),
        fitting(group.x(), grid),
        fitting(group.y(), grid),
        fitting(group.z(), grid));
  }

  /**
   * The block for so many items: as wide as usual; where the width has no such divisor, wider than
   * usual, or else as high as is left. A width that is a large prime, and one item high, can only
   * run as blocks of one thread.
   */
  private static Grid.Extent group(Grid.Extent items, int most) {
    int usual = Math.min(USUAL_THREADS, most);
    long x = largestDivisor(items.x(), usual);
    if (x < IN_STEP) {
      x = largestDivisor(items.x(), most);
    }
    long y = x < IN_STEP ? largestDivisor(items.y(), (int) (usual / Math.min(x, usual))) : 1;
    return new Grid.Extent(x, y, 1);
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
