package dev.fairlead.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceTest {
  private static final Device DEVICE = Device.of(DeviceKind.CUDA, 1);

  @Test
  void hasWeightOneAndOneSlotUnlessItSaysMore() {
    assertThat(DEVICE.weight()).isEqualTo(1);
    assertThat(DEVICE.slots()).isEqualTo(1);
    assertThat(DEVICE.memoryBytes()).isZero();
    assertThat(DEVICE.features()).isEqualTo(Device.Features.NONE);
    assertThat(DEVICE).hasToString("cuda:1");
    assertThat(DEVICE.id()).isEqualTo(DeviceId.of("cuda:1"));
  }

  @ParameterizedTest
  @CsvSource({
    "0.01, 0.01",
    "0.0099, 0.01",
    "0, 0.01",
    "-3, 0.01",
    "4.9e-324, 0.01",
    "0.5, 0.5",
    "1e300, 1e300"
  })
  void clampsItsWeightToAHundredth(double asked, double weight) {
    assertThat(DEVICE.withWeight(asked).weight()).isEqualTo(weight);
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
  void refusesAWeightThatIsNotANumberOrInfinite(double weight) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DEVICE.withWeight(weight))
        .withMessage("The weight of cuda:1 is " + weight);
  }

  @Test
  void hasSlotsForEachOfItsEngines() {
    Device card = DEVICE.withSlots(4).withUnits(Engine.ENCODE, 2).withUnits(Engine.DECODE, 1);

    assertThat(card.slots()).isEqualTo(4);
    assertThat(card.slots(Engine.COMPUTE)).isEqualTo(4);
    assertThat(card.slots(Engine.ENCODE)).isEqualTo(3);
    assertThat(card.slots(Engine.DECODE)).isEqualTo(2);
    assertThat(card.on(Engine.ENCODE).slots()).isEqualTo(3);
    assertThat(card.on(Engine.ENCODE).slots(Engine.DECODE)).isEqualTo(2);
    assertThat(card.withUnits(Engine.COMPUTE, 1).slots()).isEqualTo(2);
  }

  @Test
  void sharesItsSlotsWhereEnginesAreNotToldApart() {
    assertThat(DEVICE.withSlots(3).slots(Engine.ENCODE)).isEqualTo(3);
    assertThat(DEVICE.on(Engine.DECODE)).isEqualTo(DEVICE);
  }

  @Test
  void hasAtLeastOneUnitOfAnEngineThatItHas() {
    assertThatIllegalArgumentException().isThrownBy(() -> DEVICE.withUnits(Engine.ENCODE, 0));
  }

  @Test
  void changesOnlyWhatIsAsked() {
    Device changed =
        DEVICE
            .withIdentity(DeviceId.of("GPU-1"), "Some GPU", Vendor.NVIDIA)
            .withWeight(2)
            .withSlots(3)
            .withMemory(4)
            .withComputeCapability(ComputeCapability.of(5, 6))
            .withCapabilities(Set.of(Capability.COMPUTE));

    assertThat(changed)
        .isEqualTo(
            new Device(
                new Device.Identity(
                    DeviceId.of("GPU-1"), DeviceKind.CUDA, 1, "Some GPU", Vendor.NVIDIA),
                2,
                Resources.oneSlot().withSlots(3).withMemory(4),
                new Device.Features(ComputeCapability.of(5, 6), Set.of(Capability.COMPUTE), null)));
    assertThat(changed.label()).as("by kind and ordinal").isEqualTo("cuda:1");
  }

  @Test
  void keepsItsCapabilitiesWhateverBecomesOfTheSetItWasGiven() {
    Set<Capability> capabilities = new HashSet<>(Set.of(Capability.COMPUTE));
    Device device = DEVICE.withCapabilities(capabilities);
    capabilities.clear();

    assertThat(device.features().capabilities()).containsExactly(Capability.COMPUTE);
  }

  @Test
  void refusesANegativeOrdinal() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Device.of(DeviceKind.CPU, -1))
        .withMessage("ordinal is negative: -1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a b", "a,b", "a\tb", "a\nb"})
  void refusesAnIdThatCouldNotBeListed(String id) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DeviceId.of(id))
        .withMessageContaining("\"" + id + "\"");
  }

  @Test
  void ordersComputeCapabilitiesByMajorThenMinor() {
    List<ComputeCapability> capabilities =
        new ArrayList<>(
            List.of(
                ComputeCapability.of(10, 0),
                ComputeCapability.of(8, 10),
                ComputeCapability.of(9, 0),
                ComputeCapability.of(8, 9)));
    capabilities.sort(null);

    assertThat(capabilities.toString()).isEqualTo("[8.9, 8.10, 9.0, 10.0]");
    assertThat(ComputeCapability.of(8, 6).isAtLeast(ComputeCapability.of(8, 6))).isTrue();
    assertThat(ComputeCapability.of(8, 6).isAtLeast(ComputeCapability.of(7, 9))).isTrue();
    assertThat(ComputeCapability.of(7, 9).isAtLeast(ComputeCapability.of(8, 6))).isFalse();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ComputeCapability.of(1, -1))
        .withMessage("A compute capability is not negative: 1.-1");
  }

  @Test
  void tellsAcceleratorsFromTheRest() {
    assertThat(List.of(DeviceKind.CUDA, DeviceKind.OPENCL, DeviceKind.ENCODER))
        .allMatch(DeviceKind::isAccelerator);
    assertThat(DeviceKind.of("npu").isAccelerator()).isTrue();
    assertThat(DeviceKind.of("cpu").isAccelerator()).isFalse();
    assertThat(DeviceKind.of("simulated").isAccelerator()).isFalse();
  }

  @Test
  void canBeOfAKindAndAVendorOfItsOwn() {
    Device npu =
        Device.of(DeviceKind.of("npu"), 0)
            .withIdentity(DeviceId.of("npu-7"), "An NPU", Vendor.of("qualcomm"));

    assertThat(npu).hasToString("npu:0");
    assertThat(npu.kind()).isEqualTo(DeviceKind.of("npu")).isNotEqualTo(DeviceKind.of("remote"));
    assertThat(npu.vendor()).isEqualTo(Vendor.of("qualcomm")).hasToString("qualcomm");
    assertThat(npu.isOnHostCores()).isFalse();
  }

  @Test
  void knowsKindsAndVendorsByTheirNames() {
    assertThat(DeviceKind.of("cuda")).isSameAs(DeviceKind.CUDA);
    assertThat(new DeviceKind("cuda")).isEqualTo(DeviceKind.CUDA);
    assertThat(Vendor.of("amd")).isSameAs(Vendor.AMD);
    assertThat(new Vendor("amd")).isEqualTo(Vendor.AMD);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "NPU", "a b", "npu:0", "npu*2", "npu@x", "a,b", "-npu"})
  void refusesKindsAndVendorsThatASelectionCouldNotName(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DeviceKind.of(name))
        .withMessageStartingWith("A kind of device is written in lower-case letters")
        .withMessageEndingWith("\"" + name + "\"");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Vendor.of(name))
        .withMessageStartingWith("A vendor is written in lower-case letters");
  }

  @Test
  void countsItsResources() {
    Resources resources = Resources.oneSlot().withSlots(2).withMemory(3).with("b", 5).with("a", 4);

    assertThat(resources).hasToString("2 slots, 3 bytes, 4 a, 5 b");
    assertThat(resources.with("a", 6).named()).containsEntry("a", 6L).containsEntry("b", 5L);
    assertThat(resources.withSlots(32_767).slots()).isEqualTo(32_767);
    for (int slots : new int[] {-1, 0, 32_768}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> resources.withSlots(slots))
          .withMessage("slots is not between one and 32767: " + slots);
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> resources.withMemory(-1))
        .withMessage("memoryBytes is negative: -1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> resources.with("sessions", -1))
        .withMessage("sessions is negative: -1");
  }
}
