package dev.fairlead.range;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;

/** A seeded source of random inputs for property tests, with the edges drawn often. */
final class TestingCases {
  private static final long SEED = Long.getLong("fairlead.seed", 7_919);
  private static final int COUNT = Boolean.getBoolean("fairlead.full") ? 200_000 : 2_000;

  private final long seed;
  private final SplittableRandom random;

  private TestingCases(long seed) {
    this.seed = seed;
    this.random = new SplittableRandom(seed);
  }

  /** A property that is checked for inputs drawn from {@code cases}. */
  interface Property {
    void check(TestingCases cases);
  }

  /** Checks many cases, each with a seed of its own, so that a failing one can be run first. */
  static void check(Property property) {
    for (int i = 0; i < COUNT; i++) {
      property.check(new TestingCases(SEED + i));
    }
  }

  /** For assertion messages: how to run this case again. */
  String hint() {
    return "run again with -Dfairlead.seed=" + seed;
  }

  /** A number from {@code 0} to {@code largest}, of any magnitude with the same chance. */
  long upTo(long largest) {
    return switch (random.nextInt(12)) {
      case 0 -> 0;
      case 1 -> Math.min(1, largest);
      case 2 -> largest;
      case 3 -> Math.max(0, largest - 1);
      default -> {
        long value = random.nextLong() >>> (1 + random.nextInt(63));
        yield value <= largest ? value : value % largest;
      }
    };
  }

  int devices(int most) {
    return 1 + (int) upTo(most - 1);
  }

  /** A total near a multiple of {@code 4 * devices}, where the uniform length changes, or any. */
  long totalFor(int devices) {
    long step = 4L * devices;
    return random.nextBoolean()
        ? upTo(Long.MAX_VALUE)
        : Math.max(0, step * random.nextLong(1, 10) + random.nextLong(-1, 2));
  }

  /** Weights over many magnitudes, some equal, some below the smallest. */
  List<Double> weights(int devices) {
    return DoubleStream.generate(this::weight).limit(devices).boxed().toList();
  }

  private double weight() {
    return switch (random.nextInt(10)) {
      case 0, 1, 2 -> random.nextInt(1, 5);
      case 3 -> random.nextDouble(-1, 0.01);
      case 4 -> Double.MAX_VALUE;
      default -> Math.scalb(random.nextDouble(), random.nextInt(-6, 12));
    };
  }
}
