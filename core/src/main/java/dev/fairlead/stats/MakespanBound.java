package dev.fairlead.stats;

/**
 * The shortest time in which devices could do all work, whatever the schedule: no less than the
 * longest unit on the device that is fastest at it, and no less than if units could be cut into
 * pieces of any size and spread as suits best, at what each kind of unit costs on each device.
 *
 * <p>The second is a linear programme: the least T such that x units of each kind on each device
 * add up to all units of the kind, and each device is busy for at most T. Solved in its dual form,
 * where the origin is allowed, by the simplex method with Bland's rule, which cannot cycle.
 */
public final class MakespanBound {
  private static final double EPSILON = 1e-12;

  private MakespanBound() {}

  /**
   * The bound in seconds; infinite if there is work that no device can do.
   *
   * @param units how many of each kind
   * @param seconds by kind and device, what one unit takes; infinite if the device cannot do it
   */
  public static double of(double[] units, double[][] seconds) {
    return Math.max(longestUnit(units, seconds), spread(units, seconds));
  }

  private static double longestUnit(double[] units, double[][] seconds) {
    double longest = 0;
    for (int kind = 0; kind < units.length; kind++) {
      if (units[kind] > 0) {
        double fastest = Double.POSITIVE_INFINITY;
        for (double each : seconds[kind]) {
          fastest = Math.min(fastest, each);
        }
        // Less than one unit is a part of one.
        longest = Math.max(longest, fastest * Math.min(1, units[kind]));
      }
    }
    return longest;
  }

  /** The greatest worth of all units at prices that no device finds too high. */
  private static double spread(double[] units, double[][] seconds) {
    int kinds = units.length;
    int devices = kinds == 0 ? 0 : seconds[0].length;
    int rows = 1;
    for (double[] each : seconds) {
      for (double cost : each) {
        rows += Double.isFinite(cost) ? 1 : 0;
      }
    }
    double[][] limits = new double[rows][kinds + devices];
    double[] most = new double[rows];
    int row = 0;
    for (int kind = 0; kind < kinds; kind++) {
      for (int device = 0; device < devices; device++) {
        if (Double.isFinite(seconds[kind][device])) {
          limits[row][kind] = 1;
          limits[row][kinds + device] = -seconds[kind][device];
          row++;
        }
      }
    }
    for (int device = 0; device < devices; device++) {
      limits[row][kinds + device] = 1;
    }
    most[row] = 1;
    double[] worth = new double[kinds + devices];
    System.arraycopy(units, 0, worth, 0, kinds);
    return maximise(limits, most, worth);
  }

  /** The maximum of worth·x with limits·x ≤ most and x ≥ 0; no {@code most} is negative. */
  private static double maximise(double[][] limits, double[] most, double[] worth) {
    int rows = limits.length;
    int columns = worth.length;
    int[] outside = new int[columns];
    int[] inside = new int[rows];
    for (int column = 0; column < columns; column++) {
      outside[column] = column;
    }
    for (int row = 0; row < rows; row++) {
      inside[row] = columns + row;
    }
    double value = 0;
    while (true) {
      int in = entering(worth, outside);
      if (in < 0) {
        return value;
      }
      int out = leaving(limits, most, in, inside);
      if (out < 0) {
        return Double.POSITIVE_INFINITY;
      }
      value += worth[in] * most[out] / limits[out][in];
      pivot(limits, most, worth, out, in);
      int changed = inside[out];
      inside[out] = outside[in];
      outside[in] = changed;
    }
  }

  private static int entering(double[] worth, int[] outside) {
    int best = -1;
    for (int column = 0; column < worth.length; column++) {
      if (worth[column] > EPSILON && (best < 0 || outside[column] < outside[best])) {
        best = column;
      }
    }
    return best;
  }

  private static int leaving(double[][] limits, double[] most, int in, int[] inside) {
    int best = -1;
    for (int row = 0; row < limits.length; row++) {
      if (limits[row][in] > EPSILON) {
        double here = most[row] / limits[row][in];
        double there = best < 0 ? Double.POSITIVE_INFINITY : most[best] / limits[best][in];
        if (best < 0 || here < there || (here == there && inside[row] < inside[best])) {
          best = row;
        }
      }
    }
    return best;
  }

  /** Exchanges the variable of a row for that of a column. */
  private static void pivot(double[][] limits, double[] most, double[] worth, int out, int in) {
    double[] line = limits[out];
    double pivot = line[in];
    line[in] = 1;
    for (int column = 0; column < line.length; column++) {
      line[column] /= pivot;
    }
    most[out] /= pivot;
    for (int row = 0; row < limits.length; row++) {
      if (row != out) {
        double factor = limits[row][in];
        limits[row][in] = 0;
        subtract(limits[row], line, factor);
        most[row] -= factor * most[out];
      }
    }
    double factor = worth[in];
    worth[in] = 0;
    subtract(worth, line, factor);
  }

  private static void subtract(double[] from, double[] line, double factor) {
    for (int column = 0; column < from.length; column++) {
      from[column] -= factor * line[column];
    }
  }
}
