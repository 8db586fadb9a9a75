package dev.fairlead.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceKind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DemandTest {

  @Test
  void isOneSlotOfAnyDeviceUnlessItSaysMore() {
    assertThat(Demand.any()).hasToString("1 slot, priority normal");
    assertThat(Demand.any().work().isSpecified()).isFalse();
  }

  @Test
  void changesOnlyWhatIsAsked() {
    Demand demand =
        Demand.of("encode", 2)
            .withSlots(2)
            .withMemory(1_000)
            .with("sessions", 1)
            .withPriority(Priority.HIGH)
            .withAffinity("movie");

    assertThat(demand)
        .hasToString(
            "2 slots, 1000 bytes, 1 sessions for encode of size 2 near movie, priority high");
    assertThat(demand.withPriority(Priority.LOW).withPriority(Priority.HIGH)).isEqualTo(demand);
    assertThat(demand.eligibility()).isEqualTo(Eligibility.any());
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
  void refusesASizeThatIsNotAPositiveNumber(double size) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Demand.of("encode", size))
        .withMessageContaining("size is not a positive number: " + size);
  }

  @Test
  void refusesAKindThatACostModelCouldNotStore() {
    assertThatIllegalArgumentException().isThrownBy(() -> Demand.of("a\tb", 1));
    assertThatIllegalArgumentException().isThrownBy(() -> Demand.of("a\nb", 1));
  }

  @Test
  void isExplainedDeviceByDevice() {
    Device chosen = Device.of(DeviceKind.CUDA, 0);
    Device busy = Device.of(DeviceKind.CUDA, 1);
    Explanation explanation =
        new Explanation(
            Demand.any(),
            "least-loaded",
            new Placement.Place<>(chosen),
            List.of(
                new Explanation.Verdict(0, chosen, Explanation.Finding.CHOSEN, "nothing to do"),
                new Explanation.Verdict(1, busy, Explanation.Finding.BUSY, "no room")));

    assertThat(explanation.toString().lines())
        .containsExactly(
            "least-loaded for 1 slot, priority normal: place on cuda:0",
            "  cuda:0     chosen     nothing to do",
            "  cuda:1     busy       no room");
  }
}
