package dev.fairlead.simulator.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FleetSpecTest {
  @Test
  void readsCountNameAndSpeed() {
    FleetSpec fleet = FleetSpec.parse("2xfast:4, slow:0.5/slots=2/start=1.5");

    assertThat(fleet.devices())
        .extracting(DeviceSpec::name)
        .containsExactly("fast-1", "fast-2", "slow-1");
    assertThat(fleet.capacity()).isCloseTo(9, within(1e-9));
    assertThat(fleet.devices().get(2).overheads().startUp()).isEqualTo(1.5);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''                | is not COUNTxNAME:SPEED",
        "2xfast            | is not COUNTxNAME:SPEED",
        "0xfast:1          | count is 0",
        "2000000xfast:1    | count is 2000000",
        "99999999999999xa:1| count is",
        "fast:quick        | speed is not a number: \"quick\"",
        "fast:0            | speed is not a positive number",
        "fast:-1           | speed is not a positive number",
        "fast:NaN          | speed is not a positive number",
        "fast:1,fast:2     | fleet term \"fast:2\": the name is given twice",
        "fast:1/wings=2    | there is no trait \"wings\"",
        "fast:1/slots=1.5  | slots is not a whole number",
        "fast:1/slots=0    | slots is not between",
        "fast:1/start=-1   | an overhead is negative",
        "fast:1,           | fleet term \"\"",
      })
  void saysWhatIsWrongWithWhichTerm(String text, String problem) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FleetSpec.parse(text))
        .withMessageContaining(problem);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "explode a-1 at 3      | there is no mishap \"explode\"",
        "stop a-9 at 3         | there is no device \"a-9\"; there are [a-1, a-2]",
        "stop a-1              | is not KIND DEVICE",
        "stop a-1 at soon      | at is not a number: \"soon\"",
        "stop a-1 at -1        | time is not zero or more",
        "stop a-1 to 3 at 1    | stop takes only a time",
        "slow a-1 at 3         | slow takes to NUMBER",
        "slow a-1 to 0 at 3    | the part of the speed is not positive",
        "flap a-1 every 0 at 3 | the period is not positive",
        "stop 0% at 3          | the part is not within",
      })
  void saysWhatIsWrongWithAMishap(String text, String problem) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Mishap.parse(text, FleetSpec.parse("2xa:1")))
        .withMessageContaining(problem);
  }

  @Test
  void capacityChangesWithWhatHappens() {
    FleetSpec fleet = FleetSpec.parse("2xa:1");

    assertThat(new Capacity(fleet, Mishap.parse("stop a-1 at 4", fleet)).secondsFor(10))
        .as("8 by two in 4 s, 2 by one in 2 s")
        .isEqualTo(6);
    assertThat(new Capacity(fleet, Mishap.parse("join a-1 at 4", fleet)).secondsFor(10))
        .as("4 by one in 4 s, 6 by two in 3 s")
        .isEqualTo(7);
    assertThat(new Capacity(fleet, Mishap.parse("lost 100% at 4", fleet)).secondsFor(10))
        .isInfinite();
  }
}
