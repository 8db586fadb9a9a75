package dev.fairlead.simulator.rule;

import dev.fairlead.policy.Rank;
import java.util.Arrays;

/**
 * Devices by when they would be done with a task of one kind, of any size. For each node of a tree
 * it keeps the least finish of the devices below for tasks of some {@link #SIZES}, and the least
 * slope; those without and those with a backlog apart, since the finish of the latter comes nearer
 * as time passes. The least of some straight lines is concave, so that between two sizes it lies
 * above the line between the least finishes there: together, the figures of a node are a floor of
 * the finish of all below.
 *
 * <p>A device does no more than a second of work in a second, so that its backlog is never less
 * than what it was when it was last looked at, less the time since. It can be more, when work
 * overruns its prediction; then what is kept is put right when a search comes by.
 */
final class FinishIndex {
  /** Sizes have a mean of one, or are less. */
  private static final double[] SIZES = {0, 0.25, 1, 4};

  private static final int LAST = SIZES.length - 1;

  // A node has its figures side by side: finishes by size and the slope beyond, for devices
  // without a backlog in seconds from now, for others in seconds from the beginning.
  private static final int SLOPE = SIZES.length;
  private static final int BUSY = SLOPE + 1;
  private static final int FIGURES = 2 * BUSY;

  private static final double ABSENT = 1e200;
  private static final double LOOK_AT_IT = -1e100;

  /** Floors are worked out in another order than finishes; what differs by less is the same. */
  private static final double ROUNDING = 1e-9;

  private final PoolView view;
  private final boolean canBeFull;
  private final Rank.Finish rank;
  private final double floorWeight;
  private final int leaves;
  private final double[] figures;
  private final int[] path = new int[2 * Integer.SIZE];
  private final double[] floors = new double[path.length];

  // What is sought: so much of one figure and so much of another, less the time that has passed.
  private double passed;
  private int low;
  private int high;
  private double ofLow;
  private double ofHigh;

  /** What the kind of work costs on a device; NaN while that is not learned. */
  record Cost(double fixed, double perSize) {}

  /**
   * Where devices can be full, floors count backlogs once, as is right for those that have to be
   * waited for.
   */
  FinishIndex(PoolView view, Rank.Finish rank, boolean canBeFull) {
    this.view = view;
    this.canBeFull = canBeFull;
    this.rank = rank;
    floorWeight = canBeFull ? Math.min(1, rank.lineWeight()) : rank.lineWeight();
    leaves = RankIndex.leaves(view.size());
    figures = new double[2 * leaves * FIGURES];
    Arrays.fill(figures, ABSENT);
  }

  void remove(int device) {
    int at = (leaves + device) * FIGURES;
    Arrays.fill(figures, at, at + FIGURES, ABSENT);
    raiseAbove(device);
  }

  /**
   * What is ahead of new work on a device: a backlog, if it is full, and beside it {@code unheard}
   * items of whose end it is not known; these count as much as what is sought.
   */
  record Line(boolean full, double backlog, double unheard) {}

  /** Enters a device as it is now. */
  void put(int device, double now, Line line, Cost cost) {
    int at = (leaves + device) * FIGURES;
    Arrays.fill(figures, at, at + FIGURES, ABSENT);
    if (Double.isNaN(cost.fixed)) {
      Arrays.fill(figures, at, at + BUSY, LOOK_AT_IT);
    } else {
      double times = 1 + (line.full ? floorWeight : Math.min(1, floorWeight)) * line.unheard;
      boolean busy = line.backlog > 0;
      int from = busy ? at + BUSY : at;
      double base = times * cost.fixed + (busy ? floorWeight * (now + line.backlog) : 0);
      for (int i = 0; i <= LAST; i++) {
        figures[from + i] = base + times * cost.perSize * SIZES[i];
      }
      figures[from + SLOPE] = times * cost.perSize;
    }
    raiseAbove(device);
  }

  private void raiseAbove(int device) {
    boolean changed = true;
    for (int node = (leaves + device) >> 1; node > 0 && changed; node >>= 1) {
      int at = node * FIGURES;
      int left = 2 * at;
      changed = false;
      for (int i = 0; i < FIGURES; i++) {
        double least = Math.min(figures[left + i], figures[left + FIGURES + i]);
        changed |= figures[at + i] != least;
        figures[at + i] = least;
      }
    }
  }

  /** What is asked for from now on. */
  void seek(double now, double size) {
    passed = floorWeight * now;
    int upper = 1;
    while (upper < LAST && SIZES[upper] < size) {
      upper++;
    }
    if (size > SIZES[LAST]) {
      low = LAST;
      high = SLOPE;
      ofLow = 1;
      ofHigh = size - SIZES[LAST];
    } else {
      low = upper - 1;
      high = upper;
      ofHigh = (size - SIZES[low]) / (SIZES[high] - SIZES[low]);
      ofLow = 1 - ofHigh;
    }
  }

  private double floor(int node) {
    int at = node * FIGURES;
    double idle = ofLow * figures[at + low] + ofHigh * figures[at + high];
    double busy = ofLow * figures[at + BUSY + low] + ofHigh * figures[at + BUSY + high];
    return Math.min(idle, busy - passed);
  }

  /** The soonest finish of all that are available; infinity if none is, or is known. */
  double soonest() {
    double best = Double.POSITIVE_INFINITY;
    int depth = 0;
    push(depth++, 1, floor(1));
    while (depth > 0) {
      int node = path[--depth];
      if (!(floors[depth] < best - ROUNDING)) {
        continue;
      }
      if (node < leaves) {
        // The better half is looked at first, since what it holds may rule out the other.
        double left = floor(2 * node);
        double right = floor(2 * node + 1);
        int better = left <= right ? 0 : 1;
        push(depth++, 2 * node + 1 - better, Math.max(left, right));
        push(depth++, 2 * node + better, Math.min(left, right));
      } else if (node - leaves < view.size() && view.available(node - leaves)) {
        double finish = finish(node);
        best = finish < best ? finish : best;
      }
    }
    return best;
  }

  private void push(int depth, int node, double floor) {
    path[depth] = node;
    floors[depth] = floor;
  }

  /** The finish of the device of a leaf, which is put right where it overruns. */
  private double finish(int leaf) {
    double finish = rank.of(view, leaf - leaves);
    if (finish > floor(leaf) + ROUNDING) {
      view.refreshFinish(leaf - leaves);
    }
    return finish;
  }

  /** The first device from {@code from} on that is done before {@code found}, by a limit. */
  int next(int from, double found, double limit) {
    int node = from < view.size() ? leaves + from : 0;
    double most = Math.min(found - ROUNDING, limit + ROUNDING);
    if (found <= limit + ROUNDING && !canBeFull && floor(1) > LOOK_AT_IT / 2) {
      return view.size(); // the soonest has been found
    }
    while (node > 0) {
      if (!(floor(node) <= most)) {
        node = RankIndex.after(node);
      } else if (node < leaves) {
        node *= 2;
      } else if (node - leaves >= view.size()) {
        return view.size();
      } else {
        double finish = finish(node);
        if (!(finish >= found) && !(finish > limit)) {
          return node - leaves;
        }
        node = RankIndex.after(node);
      }
    }
    return view.size();
  }
}
