package dev.fairlead.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PerRungTest {
  private static final ServicePolicy POLICY = ServicePolicies.perRung();

  @Test
  void pinsEachGroupToItsDevice() {
    TestingUnits units = TestingUnits.of(3, 1, 1, 1).addChunk(0).addChunk(1);

    assertThat(units.take(POLICY, 2)).isEqualTo("2@0");
    assertThat(units.take(POLICY, 0)).isEqualTo("0@0");
    assertThat(units.take(POLICY, 2)).isEqualTo("2@1");
    assertThat(units.take(POLICY, 2)).as("its rung is done").isEqualTo("none");
    assertThat(units.take(POLICY, 1)).isEqualTo("1@0");
  }

  @Test
  void dealsTheGroupsRoundWhenThereAreMoreThanDevices() {
    TestingUnits units = TestingUnits.of(5, 1, 1).addChunk(0).addChunk(1);

    assertThat(units.take(POLICY, 1)).isEqualTo("1@0");
    assertThat(units.take(POLICY, 1)).isEqualTo("3@0");
    assertThat(units.take(POLICY, 1)).as("older chunks first").isEqualTo("1@1");
    assertThat(units.take(POLICY, 1)).isEqualTo("3@1");
    assertThat(units.take(POLICY, 1)).isEqualTo("none");
    assertThat(units.take(POLICY, 0)).isEqualTo("0@0");
    assertThat(units.take(POLICY, 0)).isEqualTo("2@0");
    assertThat(units.take(POLICY, 0)).isEqualTo("4@0");
  }

  @Test
  void givesAGroupSeveralDevicesWhenThereAreMoreThanGroups() {
    TestingUnits units = TestingUnits.of(2, 1, 1, 1, 1, 1);
    for (int order = 0; order < 3; order++) {
      units.addChunk(order);
    }

    assertThat(units.take(POLICY, 0)).isEqualTo("0@0");
    assertThat(units.take(POLICY, 2)).isEqualTo("0@1");
    assertThat(units.take(POLICY, 4)).isEqualTo("0@2");
    assertThat(units.take(POLICY, 0)).isEqualTo("none");
    assertThat(units.take(POLICY, 3)).isEqualTo("1@0");
    assertThat(units.take(POLICY, 1)).isEqualTo("1@1");
  }

  @Test
  void leavesTheGroupsOfALostDeviceToTheOthers() {
    TestingUnits units = TestingUnits.of(3, 1, 1, 1).addChunk(0).lose(1);

    assertThat(units.take(POLICY, 2)).isEqualTo("1@0");
    assertThat(units.take(POLICY, 0)).isEqualTo("0@0");
    assertThat(units.take(POLICY, 0)).isEqualTo("2@0");
  }

  @Test
  void leavesEveryGroupToTheLastDevice() {
    TestingUnits units = TestingUnits.of(2, 1, 1, 1).addChunk(0).lose(0).lose(1);

    assertThat(units.take(POLICY, 2)).isEqualTo("0@0");
    assertThat(units.take(POLICY, 2)).isEqualTo("1@0");
  }

  @Test
  void passesOverUnitsOfItsGroupThatTheDeviceMayNotRun() {
    TestingUnits units = TestingUnits.of(1, 1, 1).add(0, 0, 1, 0).add(0, 1, 1);

    assertThat(units.take(POLICY, 0)).isEqualTo("0@1");
    assertThat(units.take(POLICY, 1)).isEqualTo("0@0");
  }

  @Test
  void takesNothingWhereNothingWaitsOrServes() {
    assertThat(TestingUnits.of(2, 1).take(POLICY, 0)).isEqualTo("none");
    assertThat(TestingUnits.of(0, 1).take(POLICY, 0)).isEqualTo("none");
    assertThat(TestingUnits.of(1, 1).addChunk(0).lose(0).take(POLICY, 0)).isEqualTo("none");
  }
}
