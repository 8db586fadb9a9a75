package dev.fairlead.simulator.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Indexes answer as a look at all devices would. */
class IndexesTest {
  private static final int SIZE = 137;

  @Test
  void theLeastBurdenedIsTheFirstInRotationOfTheLowestLevel() {
    SplittableRandom random = new SplittableRandom(7);
    BurdenIndex index = new BurdenIndex(SIZE);
    int[] burdens = new int[SIZE];
    java.util.Arrays.fill(burdens, -1);
    for (int step = 0; step < 20_000; step++) {
      int device = random.nextInt(SIZE);
      burdens[device] = random.nextInt(5) - 1;
      if (burdens[device] < 0) {
        index.remove(device);
      } else {
        index.put(device, burdens[device]);
      }
      int from = random.nextInt(SIZE + 1);
      int best = -1;
      for (int i = 0; i < SIZE; i++) {
        int other = (from + i) % SIZE;
        if (burdens[other] >= 0 && (best < 0 || burdens[other] < burdens[best])) {
          best = other;
        }
      }
      if (best >= 0) {
        assertThat(index.first(index.lowest(), from)).isEqualTo(best);
      }
    }
  }

  @Test
  void theDeviceAtAPointIsTheOneThatALoopFinds() {
    SplittableRandom random = new SplittableRandom(7);
    SpeedIndex index = new SpeedIndex(SIZE);
    boolean[] available = new boolean[SIZE];
    double[] rates = new double[SIZE];
    java.util.Arrays.fill(rates, Double.NaN);
    for (int step = 0; step < 20_000; step++) {
      int device = random.nextInt(SIZE);
      available[device] = random.nextInt(4) > 0;
      rates[device] = random.nextInt(3) == 0 ? Double.NaN : 1 + random.nextInt(8);
      index.put(device, available[device], rates[device], 1);
      double typical = index.typical();
      double total = 0;
      double[] speeds = new double[SIZE];
      for (int i = 0; i < SIZE; i++) {
        double speed = Double.isNaN(rates[i]) ? Double.isNaN(typical) ? 1 : typical : rates[i];
        speeds[i] = available[i] ? speed : 0;
        total += speeds[i];
      }
      assertThat(index.total(typical)).isCloseTo(total, within(1e-6));
      double point = random.nextDouble() * total;
      double rest = point;
      int found = 0;
      while (found < SIZE - 1 && rest >= speeds[found]) {
        rest -= speeds[found++];
      }
      boolean atAnEdge = rest < 1e-6 || speeds[found] - rest < 1e-6;
      if (total > 0 && !atAnEdge) {
        assertThat(index.at(point, typical)).isEqualTo(found);
      }
    }
  }
}
