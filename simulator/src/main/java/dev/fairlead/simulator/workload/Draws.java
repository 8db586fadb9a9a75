package dev.fairlead.simulator.workload;

import java.util.SplittableRandom;

/** Random quantities from one seed. */
final class Draws {
  private final SplittableRandom random;

  Draws(long seed, int stream) {
    this.random = new SplittableRandom(seed * 31 + stream);
  }

  /** Evenly in [0, 1). */
  double uniform() {
    return random.nextDouble();
  }

  double exponential(double mean) {
    return -mean * Math.log(1 - random.nextDouble());
  }

  /** Of mean one; {@code spread} is the deviation of its logarithm. */
  double lognormal(double spread) {
    return spread == 0 ? 1 : Math.exp(spread * random.nextGaussian() - spread * spread / 2);
  }

  /** A Pareto law of mean one, cut off at {@code most} times its least value. */
  double boundedPareto(double shape, double most) {
    double tail = Math.pow(most, -shape);
    double mean = shape / (shape - 1) * (1 - Math.pow(most, 1 - shape)) / (1 - tail);
    return Math.pow(1 - random.nextDouble() * (1 - tail), -1 / shape) / mean;
  }
}
