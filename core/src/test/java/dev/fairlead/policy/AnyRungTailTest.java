package dev.fairlead.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class AnyRungTailTest {
  private static TestingUnits slowAndFast(int number) {
    TestingUnits units = TestingUnits.of(1, 1, 4).backlog(1, 0.5);
    for (int i = 0; i < number; i++) {
      units.add(0, i, 4);
    }
    return units;
  }

  /** Of a fast device that takes 1 s for each and has 0.5 s to go, and a slow one that takes 4. */
  @Test
  void aSlowDeviceLeavesWhatAFastOneWillHaveDoneByThen() {
    assertThat(slowAndFast(3).take(ServicePolicies.anyRung(), 0)).isEqualTo("none");
    assertThat(slowAndFast(3).take(ServicePolicies.anyRung(), 1)).isEqualTo("0@0");
    assertThat(slowAndFast(4).take(ServicePolicies.anyRung(), 0))
        .as("the last, which would be done after 4.5 s there")
        .isEqualTo("0@3");
    assertThat(slowAndFast(9).take(ServicePolicies.anyRung(), 0))
        .as("there is enough to do for both")
        .isEqualTo("0@0");
  }

  /** Two at a time, each of which takes 1 s, and half of it alone: six are done after 3.5 s. */
  @Test
  void aDeviceThatRunsSeveralAtATimeHasRoomForAsManyInThePlan() {
    assertThat(slowAndFast(6).slots(1, 2).take(ServicePolicies.anyRung(), 0)).isEqualTo("none");
    assertThat(slowAndFast(7).slots(1, 2).take(ServicePolicies.anyRung(), 0)).isEqualTo("0@6");
  }

  /** One device three times as fast as nine others, nine units: 10 s is possible. */
  @Test
  void anyRungDoesNotLeaveTheWholeTailToOneFastDevice() {
    double[] speeds = {3, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    TestingUnits units = TestingUnits.of(1, speeds);
    for (int i = 0; i < 9; i++) {
      units.add(0, i, 10);
    }
    double[] freeAt = new double[10];
    double now = 0;
    while (units.size() > 0) {
      for (int d = 0; d < 10; d++) {
        units.backlog(d, Math.max(0, freeAt[d] - now));
      }
      for (int d = 0; d < 10; d++) {
        int next = freeAt[d] <= now ? ServicePolicies.anyRung().next(units, d) : -1;
        if (next >= 0) {
          freeAt[d] = now + units.seconds(next, d);
          units.backlog(d, units.seconds(next, d));
          units.remove(next);
        }
      }
      double t = now;
      now = Arrays.stream(freeAt).filter(x -> x > t).min().orElseThrow();
    }
    assertThat(Arrays.stream(freeAt).max().orElseThrow()).as("makespan").isLessThanOrEqualTo(14);
  }
}
