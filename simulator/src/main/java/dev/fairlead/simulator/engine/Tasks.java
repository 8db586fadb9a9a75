package dev.fairlead.simulator.engine;

import dev.fairlead.simulator.workload.Arrival;
import java.util.Arrays;

/**
 * The work that has come and has not ended, in arrays by number. A number is used again when its
 * work has ended, so that memory grows with what is in flight, not with what comes.
 */
public final class Tasks {
  /** No task. */
  public static final int NONE = -1;

  private static final int FIRST = 1024;

  private long[] arrived = new long[FIRST];
  private long[] orders = new long[FIRST];
  private long[] memory = new long[FIRST];
  private double[] sizes = new double[FIRST];
  private double[] costs = new double[FIRST];
  private double[] lineSeconds = new double[FIRST];
  private int[] groups = new int[FIRST];
  private int[] jobs = new int[FIRST];
  private int[] nexts = new int[FIRST];
  private int[] failures = new int[FIRST];
  private int[] failedOn = new int[FIRST];
  private int[] copies = new int[FIRST];
  private int free = NONE;
  private int used;
  private int live;

  int add(Arrival arrival, long nanos) {
    int task = free;
    if (task != NONE) {
      free = nexts[task];
    } else {
      task = used++;
      if (task == arrived.length) {
        grow(2 * task);
      }
    }
    live++;
    arrived[task] = nanos;
    orders[task] = arrival.order;
    memory[task] = arrival.memoryBytes;
    sizes[task] = arrival.size;
    costs[task] = arrival.cost;
    groups[task] = arrival.group;
    jobs[task] = arrival.job;
    nexts[task] = NONE;
    failures[task] = 0;
    failedOn[task] = NONE;
    copies[task] = 0;
    return task;
  }

  private void grow(int length) {
    arrived = Arrays.copyOf(arrived, length);
    orders = Arrays.copyOf(orders, length);
    memory = Arrays.copyOf(memory, length);
    sizes = Arrays.copyOf(sizes, length);
    costs = Arrays.copyOf(costs, length);
    lineSeconds = Arrays.copyOf(lineSeconds, length);
    groups = Arrays.copyOf(groups, length);
    jobs = Arrays.copyOf(jobs, length);
    nexts = Arrays.copyOf(nexts, length);
    failures = Arrays.copyOf(failures, length);
    failedOn = Arrays.copyOf(failedOn, length);
    copies = Arrays.copyOf(copies, length);
  }

  void remove(int task) {
    live--;
    nexts[task] = free;
    free = task;
  }

  /** How many have not ended. */
  public int live() {
    return live;
  }

  long arrived(int task) {
    return arrived[task];
  }

  public long order(int task) {
    return orders[task];
  }

  public long memoryBytes(int task) {
    return memory[task];
  }

  public double size(int task) {
    return sizes[task];
  }

  /** What it really costs: seconds on a device of speed 1. */
  public double cost(int task) {
    return costs[task];
  }

  public int group(int task) {
    return groups[task];
  }

  public int job(int task) {
    return jobs[task];
  }

  /** The task after this one in the line that it stands in. */
  public int next(int task) {
    return nexts[task];
  }

  public void next(int task, int value) {
    nexts[task] = value;
  }

  /** What was predicted for the task when it joined the line that it stands in. */
  public double lineSeconds(int task) {
    return lineSeconds[task];
  }

  public void lineSeconds(int task, double value) {
    lineSeconds[task] = value;
  }

  int failures(int task) {
    return failures[task];
  }

  /** The device that failed it last, {@link #NONE} if none has. */
  public int failedOn(int task) {
    return failedOn[task];
  }

  void failed(int task, int device) {
    failures[task]++;
    failedOn[task] = device;
  }

  /** In how many slots it runs. */
  public int copies(int task) {
    return copies[task];
  }

  void copies(int task, int value) {
    copies[task] = value;
  }
}
