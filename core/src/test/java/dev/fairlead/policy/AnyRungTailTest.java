package dev.fairlead.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class AnyRungTailTest {
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
