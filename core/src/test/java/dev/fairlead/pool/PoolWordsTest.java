package dev.fairlead.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.device.Device;
import dev.fairlead.device.Discovery;
import dev.fairlead.lease.PoolException;
import dev.fairlead.policy.Demand;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the pool says to people. */
class PoolWordsTest {
  private static final Device DEVICE = TestingBackend.device(0).withMemory(8L << 30);

  private static String objection(Device device, Demand demand) {
    try (DevicePool pool = DevicePool.of(List.of(device))) {
      return pool.explain(demand).verdicts().getFirst().reason();
    }
  }

  @Test
  void slotsAreCountedInPlainWords() {
    assertThat(objection(DEVICE, Demand.any().withSlots(2))).isEqualTo("has 1 slot, not 2");
    assertThat(objection(DEVICE.withSlots(2), Demand.any().withSlots(3)))
        .isEqualTo("has 2 slots, not 3");
  }

  @Test
  void memoryIsToldInUnitsAndExactlyWhereTheyWouldNotTellTheDifference() {
    assertThat(objection(DEVICE, Demand.any().withMemory(16L << 30)))
        .isEqualTo("has 8 GiB of memory, not 16 GiB");
    assertThat(objection(DEVICE, Demand.any().withMemory((8L << 30) + 1)))
        .isEqualTo("has 8589934592 bytes of memory, not 8589934593 bytes");
  }

  @Test
  void noDevicesAreExplainedInSentences() {
    Discovery discovery =
        new Discovery(
            List.of(),
            List.of(
                new Discovery.Problem("cuda", "libcuda.so.1 is not there."),
                new Discovery.Problem("opencl", "no platform was found")));
    assertThatThrownBy(() -> DevicePool.open(discovery))
        .isInstanceOf(PoolException.NoDevices.class)
        .hasMessage(
            "No device can be used. cuda: libcuda.so.1 is not there. opencl: no platform was found");
  }

  @Test
  void withoutABackendItSaysWhatToAdd() {
    assertThatThrownBy(() -> DevicePool.open(Discovery.find("all", List.of())))
        .isInstanceOf(PoolException.NoDevices.class)
        .hasMessageStartingWith("No device can be used. ")
        .hasMessageContaining("add the artifact of one to the class path")
        .hasMessageContaining("fairlead-backends-cpu");
  }

  @Test
  void anEmptyDiscoverySaysHowToLook() {
    assertThatThrownBy(() -> DevicePool.open(new Discovery(List.of(), List.of())))
        .isInstanceOf(PoolException.NoDevices.class)
        .hasMessageContaining("Discovery.find");
  }
}
