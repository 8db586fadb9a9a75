package dev.fairlead.examples;

import dev.fairlead.device.Discovery;
import dev.fairlead.dispatch.Dispatcher;
import dev.fairlead.dispatch.RangeReport;
import dev.fairlead.policy.Demand;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.PoolOptions;
import java.util.SplittableRandom;

/**
 * Many independent simulations, done by all devices: those that are done with their part steal from
 * those that are not. Each simulation walks at random and tells how far it came.
 */
public final class Simulations {
  private static final int STEPS = 1_000;
  private static final int GRAIN = 64;

  private Simulations() {}

  /** Walks ten thousand times and prints how far on average. */
  public static void main(String[] none) throws InterruptedException {
    double[] distances = new double[10_000];
    RangeReport report = simulate("cpu", distances);
    double sum = 0;
    for (double distance : distances) {
      sum += distance;
    }
    IO.println("On average " + sum / distances.length + " from where they began");
    report.shares().forEach((device, share) -> IO.println(device + " did " + share));
  }

  /** Fills in the distance of each simulation; its number is its seed, so that runs repeat. */
  public static RangeReport simulate(String devices, double[] distances)
      throws InterruptedException {
    try (DevicePool pool = DevicePool.open(Discovery.find(devices), PoolOptions.usual());
        Dispatcher dispatcher = Dispatcher.on(pool)) {
      return dispatcher
          .overRange(
              distances.length,
              GRAIN,
              Demand.of("walk", 1),
              (part, slot) -> {
                for (long number = part.start(); number < part.end(); number++) {
                  distances[(int) number] = walk(number);
                }
              })
          .orThrow();
    }
  }

  /** How far one walk goes. */
  public static double walk(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double x = 0;
    double y = 0;
    for (int step = 0; step < STEPS; step++) {
      double angle = random.nextDouble(2 * Math.PI);
      x += Math.cos(angle);
      y += Math.sin(angle);
    }
    return Math.hypot(x, y);
  }
}
