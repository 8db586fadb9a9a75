package dev.fairlead.simulator.engine;

import dev.fairlead.simulator.fleet.Capacity;
import dev.fairlead.simulator.workload.Arrival;

/** Counts of one simulation: how long work took, what was moved and lost, what devices did. */
public final class Tally {
  private static final int PARTS = 64;
  private static final int PART_BITS = 6;

  private final Scenario scenario;
  private final double fastest;
  private final long warmUp;
  private final int[] histogram = new int[64 * PARTS];
  private double[] busyShares = new double[0];
  private long arrived;
  private long done;
  private long counted;
  private double sum;
  private double work;
  private double latestAlone;
  private long moved;
  private long lost;
  private long events;
  private double makespan;
  private long longest;

  Tally(Scenario scenario) {
    this.scenario = scenario;
    this.fastest = scenario.fleet().fastest();
    this.warmUp = scenario.conditions().warmUp();
  }

  void arrived(Arrival arrival) {
    arrived++;
    work += arrival.cost;
    latestAlone = Math.max(latestAlone, arrival.seconds + arrival.cost / fastest);
  }

  void done(long order, long nanos) {
    done++;
    if (order >= warmUp) {
      counted++;
      sum += nanos / 1e9;
      histogram[bucket(nanos)]++;
      longest = Math.max(longest, nanos);
    }
  }

  void countMoved() {
    moved++;
  }

  void countLost() {
    lost++;
  }

  void ended(Machines machines, long lastEnd, int left, long count) {
    makespan = lastEnd / 1e9;
    lost += left;
    events = count;
    busyShares = new double[machines.size()];
    for (int device = 0; device < busyShares.length; device++) {
      busyShares[device] = machines.busyNanos(device) / (double) Math.max(1, lastEnd);
    }
  }

  // ---- what came of it

  public double makespanSeconds() {
    return makespan;
  }

  /**
   * The shortest time in which this work could have been done by these devices: no less than each
   * item alone on the fastest of them, and no less than all work at all speed, mishaps included.
   */
  public double boundSeconds() {
    return Math.max(
        latestAlone, new Capacity(scenario.fleet(), scenario.mishaps()).secondsFor(work));
  }

  public double meanSeconds() {
    return counted == 0 ? Double.NaN : sum / counted;
  }

  /**
   * The time in system that a share of all work does not exceed, to one part in a hundred; never
   * more than the longest one.
   */
  public double percentile(double share) {
    long rank = Math.max(1, (long) Math.ceil(share * counted));
    long seen = 0;
    for (int bucket = 0; bucket < histogram.length; bucket++) {
      seen += histogram[bucket];
      if (seen >= rank) {
        return Math.min(middle(bucket), (double) longest) / 1e9;
      }
    }
    return Double.NaN;
  }

  public double busyShare(int device) {
    return busyShares[device];
  }

  public long arrived() {
    return arrived;
  }

  public long done() {
    return done;
  }

  /** How often work was taken away from a device that failed or stopped serving. */
  public long moved() {
    return moved;
  }

  public long lost() {
    return lost;
  }

  public long events() {
    return events;
  }

  public double work() {
    return work;
  }

  private static int bucket(long nanos) {
    if (nanos < PARTS) {
      return (int) Math.max(0, nanos);
    }
    int exponent = 63 - Long.numberOfLeadingZeros(nanos);
    int part = (int) (nanos >>> (exponent - PART_BITS)) & (PARTS - 1);
    return (exponent - PART_BITS + 1) * PARTS + part;
  }

  private static double middle(int bucket) {
    if (bucket < PARTS) {
      return bucket;
    }
    int shift = bucket / PARTS - 1;
    return ((long) (PARTS + bucket % PARTS) << shift) + (1L << shift) / 2.0;
  }
}
