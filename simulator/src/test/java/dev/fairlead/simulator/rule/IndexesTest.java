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

  @Test
  void theLongestIsTheFirstOfThoseThatHaveMost() {
    SplittableRandom random = new SplittableRandom(7);
    for (int size : new int[] {1, 2, 3, SIZE}) {
      LongestIndex index = new LongestIndex(size);
      int[] counts = new int[size];
      for (int step = 0; step < 5_000; step++) {
        int device = random.nextInt(size);
        counts[device] = Math.max(0, random.nextInt(9) - 4);
        index.put(device, counts[device]);
        int best = LongestIndex.NONE;
        for (int i = 0; i < size; i++) {
          if (counts[i] > (best < 0 ? 0 : counts[best])) {
            best = i;
          }
        }
        assertThat(index.longest()).isEqualTo(best);
        assertThat(index.isEmpty()).isEqualTo(best < 0);
      }
    }
  }

  @Test
  void theNextThatIsFreeIsTheOneThatALoopFinds() {
    SplittableRandom random = new SplittableRandom(7);
    FreeDevices index = new FreeDevices(SIZE);
    boolean[] free = new boolean[SIZE];
    boolean[] ready = new boolean[SIZE];
    int[] items = new int[SIZE];
    for (int step = 0; step < 20_000; step++) {
      int device = random.nextInt(SIZE);
      free[device] = random.nextInt(20) == 0;
      ready[device] = free[device] && random.nextBoolean();
      items[device] = random.nextInt(3);
      index.put(device, free[device], ready[device], items[device]);
      int from = random.nextInt(SIZE + 1);
      int next = -1;
      int count = 0;
      int idlest = -1;
      for (int i = SIZE - 1; i >= 0; i--) {
        int other = (from + i) % SIZE;
        next = free[other] ? other : next;
        count += free[other] ? 1 : 0;
        idlest = ready[other] && (idlest < 0 || items[other] <= items[idlest]) ? other : idlest;
        assertThat(index.has(other)).isEqualTo(free[other]);
        assertThat(index.isReady(other)).isEqualTo(ready[other]);
      }
      assertThat(index.count()).isEqualTo(count);
      assertThat(index.anyReady()).isEqualTo(idlest >= 0);
      if (next >= 0) {
        assertThat(index.next(from)).isEqualTo(next);
      }
      BurdenIndex byBurden = index.readyByBurden(items);
      if (idlest >= 0) {
        assertThat(byBurden.first(byBurden.lowest(), from)).isEqualTo(idlest);
      }
    }
  }
}
