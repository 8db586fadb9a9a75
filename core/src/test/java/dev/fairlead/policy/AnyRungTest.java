package dev.fairlead.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AnyRungTest {
  private static final ServicePolicy POLICY = ServicePolicies.anyRung();

  @Test
  void takesTheOldestUnitOfAnyGroup() {
    TestingUnits units = TestingUnits.of(3, 1, 1).add(0, 5, 9).add(2, 3, 1).add(1, 4, 9);

    assertThat(units.take(POLICY, 1)).isEqualTo("2@3");
    assertThat(units.take(POLICY, 0)).isEqualTo("1@4");
    assertThat(units.take(POLICY, 1)).isEqualTo("0@5");
    assertThat(units.take(POLICY, 1)).isEqualTo("none");
  }

  @Test
  void takesTheLongestAmongUnitsOfOneAge() {
    TestingUnits units = TestingUnits.of(3, 1).add(0, 1, 2).add(1, 1, 8).add(2, 1, 4);

    assertThat(units.take(POLICY, 0)).isEqualTo("1@1");
    assertThat(units.take(POLICY, 0)).isEqualTo("2@1");
    assertThat(units.take(POLICY, 0)).isEqualTo("0@1");
  }

  @Test
  void takesTheFirstListedAmongEquals() {
    TestingUnits units = TestingUnits.of(2, 1).addChunk(0);

    assertThat(POLICY.next(units, 0)).isZero();
  }

  @Test
  void passesOverUnitsThatTheDeviceMayNotRun() {
    TestingUnits units = TestingUnits.of(1, 1, 1).add(0, 0, 1, 1).add(0, 1, 1);

    assertThat(units.take(POLICY, 1)).isEqualTo("0@1");
    assertThat(units.take(POLICY, 1)).isEqualTo("none");
    assertThat(units.take(POLICY, 0)).isEqualTo("0@0");
  }

  @Test
  void leavesTheLastUnitToABusyDeviceThatFinishesItSooner() {
    TestingUnits units = TestingUnits.of(1, 10, 1).backlog(0, 0.5).add(0, 0, 10);

    // One second there after half a second, ten here.
    assertThat(units.take(POLICY, 1)).isEqualTo("none");

    units.backlog(0, 9.5);
    assertThat(units.take(POLICY, 1)).as("ten and a half there").isEqualTo("0@0");
  }

  @Test
  void doesNotLeaveAUnitThatWouldFinishAtTheSameTime() {
    TestingUnits units = TestingUnits.of(1, 10, 1).backlog(0, 9).add(0, 0, 10);

    assertThat(units.take(POLICY, 1)).isEqualTo("0@0");
  }

  @Test
  void leavesNothingWhileThereIsEnoughToDoForAllUntilItWouldBeDone() {
    TestingUnits units = TestingUnits.of(1, 10, 1);
    for (int order = 0; order < 12; order++) {
      units.add(0, order, 10);
    }

    assertThat(units.take(POLICY, 1)).isEqualTo("0@0");
  }

  @Test
  void doesNotLeaveTheLastUnitToADeviceThatMayNotRunIt() {
    TestingUnits units = TestingUnits.of(1, 10, 1).add(0, 0, 10, 0);

    assertThat(units.take(POLICY, 1)).isEqualTo("0@0");
  }

  @Test
  void doesNotLeaveTheLastUnitToALostDevice() {
    TestingUnits units = TestingUnits.of(1, 10, 1, 1).lose(0).add(0, 0, 10);

    assertThat(units.take(POLICY, 1)).isEqualTo("0@0");
  }

  @Test
  void countsOnlyDevicesThatServeWhenItLooksForTheEnd() {
    TestingUnits units = TestingUnits.of(1, 10, 1, 1).add(0, 0, 10).add(0, 1, 10);

    assertThat(units.take(POLICY, 1)).as("the first has both done in 2 s").isEqualTo("none");
    units.lose(0);
    assertThat(units.take(POLICY, 1)).as("two units, two that serve").isEqualTo("0@0");
  }

  @Test
  void takesAYoungerUnitWhenItLeavesTheOldestAlone() {
    TestingUnits units =
        TestingUnits.of(1, 10, 1, 1).backlog(0, 0.5).add(0, 0, 10).add(0, 1, 1, 0, 2);

    assertThat(units.take(POLICY, 1)).isEqualTo("0@1");
  }
}
