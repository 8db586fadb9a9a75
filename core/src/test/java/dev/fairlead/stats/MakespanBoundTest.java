package dev.fairlead.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class MakespanBoundTest {
  private static final double CANNOT = Double.POSITIVE_INFINITY;

  private static void requireBound(double expected, double[] units, double[][] seconds) {
    assertThat(MakespanBound.of(units, seconds)).isCloseTo(expected, within(1e-9));
  }

  @Test
  void likeDevicesShareTheWork() {
    requireBound(25, new double[] {100}, new double[][] {{1, 1, 1, 1}});
    requireBound(20, new double[] {100}, new double[][] {{0.25, 1}});
    requireBound(0, new double[0], new double[0][]);
  }

  @Test
  void oneLongUnitIsNotCut() {
    requireBound(5, new double[] {1}, new double[][] {{5, 5, 5}});
    requireBound(5, new double[] {1, 2}, new double[][] {{5, 9}, {0.5, 0.5}});
  }

  /** Each device is good at one kind: as a whole they are as fast as each at its own. */
  @Test
  void everybodyDoesWhatSuitsBest() {
    requireBound(10, new double[] {10, 10}, new double[][] {{1, 10}, {10, 1}});
    // The second could do its own in 2, and helps with the first: 20/(1 + 1/4) - its own time.
    requireBound(16.4, new double[] {20, 2}, new double[][] {{1, 4}, {2, 1}});
  }

  @Test
  void whatADeviceCannotDoIsDoneByOthers() {
    requireBound(30, new double[] {10, 20}, new double[][] {{1, CANNOT}, {1, CANNOT}});
    requireBound(20, new double[] {10, 20}, new double[][] {{1, CANNOT}, {CANNOT, 1}});
    assertThat(MakespanBound.of(new double[] {1}, new double[][] {{CANNOT}})).isInfinite();
  }

  /** No schedule is better than the bound, and cutting units finely comes close to it. */
  @RepeatedTest(200)
  void greedySchedulesAreNeverBetter(RepetitionInfo repetition) {
    Random random = new Random(repetition.getCurrentRepetition());
    int kinds = 1 + random.nextInt(4);
    int devices = 1 + random.nextInt(5);
    double[] units = new double[kinds];
    double[][] seconds = new double[kinds][devices];
    for (int kind = 0; kind < kinds; kind++) {
      units[kind] = 1 + random.nextInt(30);
      for (int device = 0; device < devices; device++) {
        seconds[kind][device] = 0.1 + random.nextDouble();
      }
    }
    double bound = MakespanBound.of(units, seconds);
    assertThat(bound).isPositive().isFinite();
    double[] busy = new double[devices];
    for (int kind = 0; kind < kinds; kind++) {
      for (int unit = 0; unit < units[kind]; unit++) {
        int best = 0;
        for (int device = 1; device < devices; device++) {
          if (busy[device] + seconds[kind][device] < busy[best] + seconds[kind][best]) {
            best = device;
          }
        }
        busy[best] += seconds[kind][best];
      }
    }
    double makespan = 0;
    for (double each : busy) {
      makespan = Math.max(makespan, each);
    }
    assertThat(makespan).isGreaterThanOrEqualTo(bound - 1e-9);
  }
}
