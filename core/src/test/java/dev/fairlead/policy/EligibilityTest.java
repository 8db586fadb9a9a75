package dev.fairlead.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.fairlead.device.Capability;
import dev.fairlead.device.ComputeCapability;
import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceId;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.device.Vendor;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EligibilityTest {
  private static final Eligibility ANY = Eligibility.any();
  private static final Device DEVICE =
      Device.of(DeviceKind.CUDA, 0)
          .withIdentity(DeviceId.of("GPU-5f0c"), "Some GPU", Vendor.NVIDIA)
          .withMemory(8_000)
          .withComputeCapability(ComputeCapability.of(8, 6))
          .withCapabilities(Set.of(Capability.COMPUTE, Capability.of("encode:av1")));
  private static final Device BARE = Device.of(DeviceKind.CPU, 0);

  @Test
  void allowsAnyDeviceWithoutHints() {
    assertThat(ANY.objection(DEVICE)).isEmpty();
    assertThat(ANY.objection(BARE)).isEmpty();
  }

  @Test
  void asksForTheAllowedDevices() {
    Eligibility hints = ANY.withAllowed(Set.of(DEVICE.id()));

    assertThat(hints.objection(DEVICE)).isEmpty();
    assertThat(hints.objection(BARE)).hasValue("is not among the allowed devices");
  }

  @Test
  void refusesToAllowNobody() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ANY.withAllowed(Set.of()))
        .withMessage("The allowed devices are none: name at least one");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Demand.any().onlyOn())
        .withMessage("onlyOn names no device: name at least one");
  }

  @Test
  void allowsWhomItNamedLast() {
    Demand demand = Demand.any().onlyOn(DEVICE.id()).onlyOn(BARE.id(), BARE.id());

    assertThat(demand.eligibility().objection(BARE)).isEmpty();
    assertThat(demand.eligibility().objection(DEVICE)).hasValue("is not among the allowed devices");
  }

  @Test
  void addsUpExclusions() {
    Demand demand = Demand.any().except(Set.of(DEVICE.id())).except(Set.of(BARE.id()));

    assertThat(demand.eligibility().objection(DEVICE)).hasValue("is excluded");
    assertThat(demand.eligibility().objection(BARE)).hasValue("is excluded");
    assertThat(Demand.any().except(DEVICE.id(), BARE.id())).isEqualTo(demand);
    assertThat(Demand.any().except()).isEqualTo(Demand.any());
  }

  @Test
  void refusesTheExcludedDevicesEvenIfAllowed() {
    Eligibility hints = ANY.withExcluded(Set.of(DEVICE.id()));

    assertThat(hints.objection(DEVICE)).hasValue("is excluded");
    assertThat(hints.withAllowed(Set.of(DEVICE.id())).objection(DEVICE)).hasValue("is excluded");
    assertThat(hints.objection(BARE)).isEmpty();
  }

  @Test
  void asksForTheVendor() {
    assertThat(ANY.withVendor(Vendor.NVIDIA).objection(DEVICE)).isEmpty();
    assertThat(ANY.withVendor(Vendor.AMD).objection(DEVICE))
        .hasValue("is of vendor nvidia, not amd");
  }

  @ParameterizedTest
  @CsvSource({
    "8, 6, true",
    "8, 5, true",
    "7, 9, true",
    "8, 7, false",
    "9, 0, false",
    "10, 0, false"
  })
  void asksForAComputeCapabilityByMajorThenMinor(int major, int minor, boolean satisfied) {
    Eligibility hints = ANY.withCapability(ComputeCapability.of(major, minor));

    assertThat(hints.objection(DEVICE).isEmpty()).isEqualTo(satisfied);
  }

  @Test
  void isNeverSatisfiedByADeviceWithoutComputeCapability() {
    assertThat(ANY.withCapability(ComputeCapability.of(0, 0)).objection(BARE))
        .hasValue("has no compute capability, not compute capability 0.0");
    assertThat(ANY.withCapability(ComputeCapability.of(9, 0)).objection(DEVICE))
        .hasValue("has 8.6, not compute capability 9.0");
  }

  @Test
  void asksForEveryCapability() {
    Capability av1 = Capability.of("encode:av1");
    Capability hevc = Capability.of("encode:hevc");

    assertThat(ANY.withCapabilities(Set.of(av1, Capability.COMPUTE)).objection(DEVICE)).isEmpty();
    assertThat(ANY.withCapabilities(Set.of(av1, hevc)).objection(DEVICE))
        .get()
        .asString()
        .startsWith("can do ")
        .contains("encode:hevc");
  }

  @Test
  void asksForMoreMemoryThanIsThereInAll() {
    assertThat(ANY.withMinimumFreeBytes(8_000).objection(DEVICE)).isEmpty();
    assertThat(ANY.withMinimumFreeBytes(8_001).objection(DEVICE))
        .hasValue("has 8000 bytes of memory in all, 8001 bytes must be free");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ANY.withMinimumFreeBytes(-1))
        .withMessage("minimumFreeBytes is negative: -1");
  }

  @Test
  void bindsWithAllHintsTogether() {
    Eligibility hints =
        ANY.withAllowed(Set.of(DEVICE.id(), BARE.id()))
            .withVendor(Vendor.NVIDIA)
            .withCapability(ComputeCapability.of(8, 0))
            .withCapabilities(Set.of(Capability.COMPUTE))
            .withMinimumFreeBytes(1);

    assertThat(hints.objection(DEVICE)).isEmpty();
    assertThat(hints.objection(BARE)).isPresent();
    assertThat(hints.withVendor(Vendor.INTEL).objection(DEVICE)).isPresent();
  }

  @Test
  void isReachedThroughADemand() {
    Demand demand =
        Demand.of("encode", 3)
            .onlyOn(DEVICE.id())
            .ofVendor(Vendor.NVIDIA)
            .withMinimumFreeBytes(5)
            .withCapability(ComputeCapability.of(8, 0))
            .withCapabilities(Capability.COMPUTE)
            .except(Set.of(BARE.id()));

    assertThat(demand.eligibility())
        .isEqualTo(
            new Eligibility(
                5,
                ComputeCapability.of(8, 0),
                Set.of(Capability.COMPUTE),
                Set.of(DEVICE.id()),
                Set.of(BARE.id()),
                Vendor.NVIDIA));
    assertThat(demand.work()).isEqualTo(Work.of("encode", 3));
    assertThat(Demand.any().eligibility()).isEqualTo(ANY);
  }
}
