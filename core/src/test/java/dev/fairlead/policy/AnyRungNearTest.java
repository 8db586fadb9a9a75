package dev.fairlead.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Units that read what is near some devices and has to be brought to others. */
class AnyRungNearTest {
  private static final ServicePolicy POLICY = ServicePolicies.anyRung();

  @Test
  void aDeviceTakesWhatIsNearItBeforeOlderUnitsThatAreNearOthers() {
    TestingUnits units =
        TestingUnits.of(1, 1, 1)
            .add(0, 0, 1)
            .add(0, 1, 1)
            .add(0, 2, 1)
            .near(0, 0)
            .near(1, 1)
            .near(2, 0);

    assertThat(units.take(POLICY, 1)).isEqualTo("0@1");
    assertThat(units.take(POLICY, 0)).isEqualTo("0@0");
  }

  @Test
  void aDeviceThatHasNothingNearBringsOneChunkToItselfAndGoesOnWithIt() {
    TestingUnits units = TestingUnits.of(3, 1, 1).addChunk(0).addChunk(1).addChunk(2);
    units.near(0, 0).near(1, 0).near(2, 0);

    assertThat(units.take(POLICY, 1)).isEqualTo("0@0");
    assertThat(units.take(POLICY, 0)).as("what nobody else is near").isEqualTo("0@1");
    assertThat(units.take(POLICY, 1)).isEqualTo("1@0");
    assertThat(units.take(POLICY, 0)).isEqualTo("1@1");
    assertThat(units.take(POLICY, 1)).isEqualTo("2@0");
    assertThat(units.take(POLICY, 0)).isEqualTo("2@1");
  }

  @Test
  void unitsThatAreNearAllServingDevicesAlikeGoByAge() {
    TestingUnits units =
        TestingUnits.of(1, 1, 1, 1).add(0, 4, 1).add(0, 3, 1).add(0, 5, 1).near(4, 2).lose(2);

    assertThat(units.take(POLICY, 0)).isEqualTo("0@3");
    assertThat(units.take(POLICY, 1)).isEqualTo("0@4");
    assertThat(units.take(POLICY, 0)).isEqualTo("0@5");
  }

  @Test
  void theLastUnitIsBroughtElsewhereOnlyIfItEndsSoonerThere() {
    TestingUnits units = TestingUnits.of(1, 1, 1).add(0, 0, 4).near(0, 0).backlog(0, 0.5);

    assertThat(units.take(POLICY, 1)).as("five here, four and a half there").isEqualTo("none");
    units.backlog(0, 1.5);
    assertThat(units.take(POLICY, 1)).isEqualTo("0@0");
  }

  @Test
  void unitsOfWhichNothingHasToBeBroughtAreServedAsEver() {
    TestingUnits units = TestingUnits.of(2, 1, 1).addChunk(0).addChunk(1).near(7, 0);

    assertThat(units.take(POLICY, 0)).isEqualTo("0@0");
    assertThat(units.take(POLICY, 1)).isEqualTo("1@0");
    assertThat(units.take(POLICY, 0)).isEqualTo("0@1");
  }
}
