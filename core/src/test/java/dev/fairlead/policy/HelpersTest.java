package dev.fairlead.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HelpersTest {
  private static final ServicePolicy POLICY = ServicePolicies.helpers();

  @Test
  void servesItsOwnGroupFirst() {
    TestingUnits units = TestingUnits.of(2, 1, 1).add(0, 0, 100).add(0, 1, 100).add(1, 7, 1);

    assertThat(units.take(POLICY, 1)).isEqualTo("1@7");
  }

  @Test
  void joinsTheGroupWithMostToDoOnceItsOwnIsDone() {
    TestingUnits units =
        TestingUnits.of(3, 1, 1, 1).add(0, 0, 2).add(0, 1, 2).add(1, 2, 3).add(1, 3, 3);

    // Six seconds of group 1 against four of group 0, though those are older.
    assertThat(units.take(POLICY, 2)).isEqualTo("1@2");
    assertThat(units.take(POLICY, 2)).as("four against three").isEqualTo("0@0");
  }

  @Test
  void takesTheOldestUnitOfTheGroupThatItHelps() {
    TestingUnits units = TestingUnits.of(2, 1, 1).add(0, 9, 1).add(0, 4, 1).add(0, 6, 1);

    assertThat(units.take(POLICY, 1)).isEqualTo("0@4");
    assertThat(units.take(POLICY, 1)).isEqualTo("0@6");
    assertThat(units.take(POLICY, 1)).isEqualTo("0@9");
    assertThat(units.take(POLICY, 1)).isEqualTo("none");
  }

  @Test
  void countsOnlyWhatTheHelperMayRun() {
    TestingUnits units = TestingUnits.of(3, 1, 1, 1).add(0, 0, 100, 2).add(0, 1, 1).add(1, 2, 5);

    assertThat(units.take(POLICY, 2)).as("five against one").isEqualTo("1@2");
    assertThat(units.take(POLICY, 2)).isEqualTo("0@1");
    assertThat(units.take(POLICY, 2)).isEqualTo("none");
  }

  @Test
  void runsAUnitThatItsOwnWorkerMayNotRun() {
    TestingUnits units = TestingUnits.of(2, 1, 1).add(1, 0, 1, 1);

    assertThat(units.take(POLICY, 1)).isEqualTo("none");
    assertThat(units.take(POLICY, 0)).isEqualTo("1@0");
  }

  @Test
  void takesOverFromALostDevice() {
    TestingUnits units = TestingUnits.of(2, 1, 1).lose(0).addChunk(0).addChunk(1);

    assertThat(units.take(POLICY, 1)).isEqualTo("0@0");
    assertThat(units.take(POLICY, 1)).isEqualTo("1@0");
    assertThat(units.take(POLICY, 1)).isEqualTo("0@1");
    assertThat(units.take(POLICY, 1)).isEqualTo("1@1");
  }

  @Test
  void spreadsMoreDevicesThanGroups() {
    TestingUnits units = TestingUnits.of(2, 1, 1, 1).addChunk(0).addChunk(1);

    assertThat(units.take(POLICY, 2)).as("with device 0 on group 0").isEqualTo("0@0");
    assertThat(units.take(POLICY, 0)).isEqualTo("0@1");
    assertThat(units.take(POLICY, 2)).as("helps group 1").isEqualTo("1@0");
  }
}
