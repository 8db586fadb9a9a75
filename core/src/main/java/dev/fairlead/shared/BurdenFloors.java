package dev.fairlead.shared;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * An index of devices by burden: for each group of {@link #GROUP} devices a floor that none of them
 * lies below. It lets the least burdened of a thousand devices be found by reading some sixty
 * floors and one group.
 *
 * <p>BurdenFloors are hints. A thread that lowers a burden lowers the floor; one that has read a
 * whole group and found nothing at its floor raises it. A raise can cross a lowering and leave a
 * floor too high, so that a device is overlooked; the maintenance thread therefore resets all
 * floors now and then, and no thread concludes from floors alone that no device is free.
 */
public final class BurdenFloors {
  public static final int GROUP_BITS = 4;
  public static final int GROUP = 1 << GROUP_BITS;

  private static final VarHandle FLOOR = MethodHandles.arrayElementVarHandle(int[].class);

  private volatile int[] floors = new int[0];

  public void cover(int devices) {
    int groups = (devices + GROUP - 1) >> GROUP_BITS;
    if (groups > floors.length) {
      // Not copied: a floor of zero is always true.
      floors = new int[groups];
    }
  }

  public int floor(int group) {
    return (int) FLOOR.getOpaque(floors, group);
  }

  public void lower(int index, int burden) {
    int[] all = floors;
    int group = index >> GROUP_BITS;
    if (group < all.length && burden < (int) FLOOR.getOpaque(all, group)) {
      FLOOR.setOpaque(all, group, burden);
    }
  }

  public void raise(int group, int burden) {
    FLOOR.setOpaque(floors, group, burden);
  }

  public void reset() {
    int[] all = floors;
    for (int group = 0; group < all.length; group++) {
      FLOOR.setOpaque(all, group, 0);
    }
  }
}
