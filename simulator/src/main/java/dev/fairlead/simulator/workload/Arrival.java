package dev.fairlead.simulator.workload;

/**
 * One piece of work as it comes. A carrier that is filled anew for each, so nothing is allocated.
 */
public final class Arrival {
  /** When it comes. */
  public double seconds;

  /** What belongs together, such as a rung; also its kind. */
  public int group;

  /** The job that it belongs to, where there are several. */
  public int job;

  /** Its place in the job: smaller is older. */
  public long order;

  /** How large it says it is; what is learned is learned for this. */
  public double size;

  /** What it really costs: seconds on a device of speed 1. */
  public double cost;

  /** Memory that it holds from when it is placed. */
  public long memoryBytes;
}
