package dev.fairlead.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ServicePoliciesTest {
  private static final long SEED = Long.getLong("fairlead.seed", 7_919);
  private static final int CASES = Boolean.getBoolean("fairlead.full") ? 100_000 : 3_000;

  @Test
  void haveNames() {
    assertThat(ServicePolicies.all())
        .extracting(ServicePolicy::name)
        .containsExactly("any-rung", "helpers", "per-rung");
  }

  @ParameterizedTest
  @MethodSource("dev.fairlead.policy.ServicePolicies#all")
  void takeOnlyWhatTheDeviceMayRun(ServicePolicy policy) {
    forRandomUnits((units, device, hint) -> {
      int next = policy.next(units, device);
      if (next != ServicePolicy.NONE) {
        assertThat(next).as(hint).isBetween(0, units.size() - 1);
        assertThat(units.mayRun(next, device)).as(hint).isTrue();
      }
    });
  }

  @Test
  void leaveNoDeviceOfHelpersIdleWhileItCouldRunAUnit() {
    forRandomUnits((units, device, hint) -> {
      boolean idle = ServicePolicies.helpers().next(units, device) == ServicePolicy.NONE;
      assertThat(idle).as(hint).isEqualTo(runnable(units, device).count() == 0);
    });
  }

  @Test
  void leaveADeviceOfAnyRungIdleOnlyByTheTailRule() {
    forRandomUnits((units, device, hint) -> {
      if (ServicePolicies.anyRung().next(units, device) == ServicePolicy.NONE) {
        assertThat(runnable(units, device))
            .as(hint)
            .allMatch(unit -> soonerElsewhere(units, unit, device));
      }
    });
  }

  @Test
  void leaveADeviceOfPerRungIdleOnlyWhenItsOwnGroupsHaveNothingForIt() {
    forRandomUnits((units, device, hint) -> {
      boolean idle = ServicePolicies.perRung().next(units, device) == ServicePolicy.NONE;
      boolean nothing = runnable(units, device).noneMatch(unit -> isPinned(units, unit, device));
      assertThat(idle).as(hint).isEqualTo(nothing);
    });
  }

  @ParameterizedTest
  @MethodSource("dev.fairlead.policy.ServicePolicies#all")
  void runEveryUnitOnceAlsoWhenADeviceIsLost(ServicePolicy policy) {
    for (long seed = SEED; seed < SEED + CASES / 10; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      int groups = random.nextInt(1, 6);
      double[] speeds = random.doubles(random.nextInt(1, 6), 0.05, 4).toArray();
      TestingUnits units = TestingUnits.of(groups, speeds);
      for (int order = random.nextInt(1, 8); order > 0; order--) {
        units.addChunk(order);
      }
      int lost = speeds.length > 1 ? random.nextInt(speeds.length) : -1;
      String hint = policy.name() + ", run again with -Dfairlead.seed=" + seed;

      int all = units.size();
      assertThat(drain(policy, units, lost, all / 2)).as(hint).isEqualTo(all);
      assertThat(units.size()).as(hint).isZero();
    }
  }

  /** Runs the units on the devices, event by event; answers how many were run. */
  private static int drain(ServicePolicy policy, TestingUnits units, int lost, int lostAfter) {
    double[] freeAt = new double[units.devices()];
    double now = 0;
    int done = 0;
    while (units.size() > 0 && Double.isFinite(now)) {
      for (int device = 0; device < freeAt.length; device++) {
        units.backlog(device, Math.max(0, freeAt[device] - now));
      }
      for (int device = 0; device < freeAt.length; device++) {
        int next = units.serves(device) && freeAt[device] <= now ? policy.next(units, device) : -1;
        if (next >= 0) {
          freeAt[device] = now + units.seconds(next, device);
          units.backlog(device, units.seconds(next, device));
          units.remove(next);
          done++;
        }
      }
      if (lost >= 0 && done > lostAfter) {
        units.lose(lost);
      }
      double before = now;
      // With no device at work any more, time ends here: what is left has been forgotten.
      now =
          Arrays.stream(freeAt)
              .filter(each -> each > before)
              .min()
              .orElse(Double.POSITIVE_INFINITY);
    }
    return done;
  }

  private interface Check {
    void check(TestingUnits units, int device, String hint);
  }

  private static void forRandomUnits(Check check) {
    for (long seed = SEED; seed < SEED + CASES; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      int groups = random.nextInt(1, 6);
      int devices = random.nextInt(1, 6);
      TestingUnits units = TestingUnits.of(groups, random.doubles(devices, 0.05, 4).toArray());
      for (int unit = random.nextInt(8); unit > 0; unit--) {
        Integer[] barred =
            IntStream.range(0, devices)
                .filter(each -> random.nextInt(4) == 0)
                .boxed()
                .toArray(Integer[]::new);
        units.add(random.nextInt(groups), random.nextInt(4), 0.1 + random.nextDouble(), barred);
      }
      int device = random.nextInt(devices);
      for (int other = 0; other < devices; other++) {
        if (other != device && random.nextInt(4) == 0) {
          units.lose(other);
        }
        units.backlog(other, other == device || random.nextBoolean() ? 0 : random.nextDouble());
      }
      check.check(units, device, "run again with -Dfairlead.seed=" + seed);
    }
  }

  private static IntStream runnable(TestingUnits units, int device) {
    return IntStream.range(0, units.size()).filter(unit -> units.mayRun(unit, device));
  }

  private static boolean soonerElsewhere(TestingUnits units, int unit, int device) {
    int[] serving = IntStream.range(0, units.devices()).filter(units::serves).toArray();
    return Arrays.stream(serving)
        .filter(other -> other != device && units.mayRun(unit, other))
        .anyMatch(other ->
            units.backlogSeconds(other) + units.seconds(unit, other) < units.seconds(unit, device));
  }

  /** Groups and serving devices are dealt to each other in turn, whichever are more. */
  private static boolean isPinned(TestingUnits units, int unit, int device) {
    int group = units.group(unit);
    int[] serving =
        IntStream.range(0, units.devices())
            .filter(other -> units.serves(other) && units.mayRun(unit, other))
            .toArray();
    if (serving.length == 0) {
      return false;
    }
    int turns = Math.max(serving.length, units.groups());
    return IntStream.range(0, turns)
        .anyMatch(
            turn -> turn % units.groups() == group && serving[turn % serving.length] == device);
  }
}
