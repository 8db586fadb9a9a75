package dev.fairlead.cli;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * How fast the devices of a run were, the fastest 1: a chunk of a rung costs about the same
 * wherever it is encoded, and takes that cost ÷ speed. Costs and speeds are found by turns. A
 * device that encoded nothing is as fast as its weight says, beside those that did.
 */
final class RecordedSpeeds {
  private static final int TURNS = 50;

  /** A device that is no slower than this part of another is taken to be like it. */
  private static final double ALIKE = 0.8;

  private final double[][] seconds;
  private final int[][] chunks;

  private final double[] weights;

  RecordedSpeeds(double[] weights, int rungs) {
    this.weights = weights.clone();
    seconds = new double[weights.length][rungs];
    chunks = new int[weights.length][rungs];
  }

  void add(int device, int rung, double taken) {
    seconds[device][rung] += taken;
    chunks[device][rung]++;
  }

  double[] estimate() {
    double[] speeds = new double[seconds.length];
    Arrays.fill(speeds, 1);
    int[] worked = IntStream.range(0, speeds.length).filter(device -> taken(device) > 0).toArray();
    for (int turn = 0; turn < TURNS; turn++) {
      double[] costs = costs(speeds);
      for (int device : worked) {
        double expected = 0;
        for (int rung = 0; rung < costs.length; rung++) {
          expected += chunks[device][rung] * costs[rung];
        }
        speeds[device] = expected / taken(device);
      }
    }
    return alike(speeds, worked);
  }

  private double taken(int device) {
    return Arrays.stream(seconds[device]).sum();
  }

  /** What a chunk of each rung costs at speed 1. */
  private double[] costs(double[] speeds) {
    double[] costs = new double[seconds[0].length];
    for (int rung = 0; rung < costs.length; rung++) {
      int count = 0;
      for (int device = 0; device < speeds.length; device++) {
        costs[rung] += seconds[device][rung] * speeds[device];
        count += chunks[device][rung];
      }
      costs[rung] /= count;
    }
    return costs;
  }

  /** Evens out what differs by chance: from the fastest on, those that are alike. */
  private double[] alike(double[] speeds, int[] worked) {
    int[] order =
        Arrays.stream(worked)
            .boxed()
            .sorted((one, other) -> Double.compare(speeds[other], speeds[one]))
            .mapToInt(Integer::intValue)
            .toArray();
    double[] even = new double[speeds.length];
    int from = 0;
    while (from < order.length) {
      double least = ALIKE * speeds[order[from]];
      int to = from;
      double sum = 0;
      while (to < order.length && speeds[order[to]] >= least) {
        sum += speeds[order[to++]];
      }
      for (int i = from; i < to; i++) {
        even[order[i]] = sum / (to - from);
      }
      from = to;
    }
    double fastest = even[order[0]];
    double heaviest = Arrays.stream(worked).mapToDouble(each -> weights[each]).max().orElseThrow();
    return IntStream.range(0, even.length)
        .mapToDouble(
            each -> taken(each) > 0 ? even[each] / fastest : Math.min(1, weights[each] / heaviest))
        .toArray();
  }
}
