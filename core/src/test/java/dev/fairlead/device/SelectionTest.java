package dev.fairlead.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SelectionTest {
  private static final Device NVIDIA =
      Device.of(DeviceKind.CUDA, 0).withIdentity(DeviceId.of("GPU-5f0c"), "A card", Vendor.NVIDIA);
  private static final Device INTEL =
      Device.of(DeviceKind.ENCODER, 0)
          .withIdentity(DeviceId.of("pci:0000:3b:00.0"), "Another card", Vendor.INTEL);
  private static final Device LANE = Device.of(DeviceKind.CPU, 0);

  private final TestingProvider lanes = TestingProvider.of("cpu", LANE);
  private final TestingProvider cuda = TestingProvider.of("cuda", NVIDIA);
  private final TestingProvider encoders = TestingProvider.of("encoder", INTEL);

  @Test
  void allIsEveryAcceleratorAndNoLane() {
    assertThat(select("all")).containsExactly(NVIDIA, INTEL);
  }

  @Test
  void allIsTheLanesWhereThereIsNoAccelerator() {
    assertThat(Discovery.find("all", List.of(lanes)).devices()).containsExactly(LANE);
    assertThat(Discovery.find("all", List.of(lanes, TestingProvider.of("cuda"))).devices())
        .containsExactly(LANE);
  }

  @Test
  void aDriverOnTheProcessorsCoresIsNoAccelerator() {
    Device pocl = Device.of(DeviceKind.OPENCL, 0).withCapabilities(Set.of(Capability.HOST_CORES));
    TestingProvider opencl = TestingProvider.of("opencl", pocl);

    assertThat(Discovery.find("all", List.of(lanes, opencl)).devices()).containsExactly(LANE);
    assertThat(Discovery.find("all", List.of(lanes, opencl, cuda)).devices())
        .containsExactly(NVIDIA);
    assertThat(Discovery.find("all", List.of(opencl)).devices()).containsExactly(pocl);
    assertThat(Discovery.find("all,opencl", List.of(lanes, opencl)).devices())
        .containsExactly(pocl);
  }

  @Test
  void allAndCpuIsBothInDetectionOrder() {
    assertThat(select("all,cpu")).containsExactly(LANE, NVIDIA, INTEL);
    assertThat(select("cpu, all")).containsExactly(LANE, NVIDIA, INTEL);
  }

  @Test
  void aVendorIsAllOfItsDevices() {
    assertThat(select("nvidia")).containsExactly(NVIDIA);
    assertThat(select("intel,nvidia")).containsExactly(NVIDIA, INTEL);
    assertThat(select("amd")).isEmpty();
  }

  @Test
  void aVendorThatOnlyItsBackendKnowsIsAllOfItsDevices() {
    Device npu =
        Device.of(DeviceKind.of("npu"), 0)
            .withIdentity(DeviceId.of("npu-7"), "An NPU", Vendor.of("qualcomm"));
    List<DeviceProvider> providers = List.of(lanes, cuda, TestingProvider.of("npu", npu));

    assertThat(Discovery.find("qualcomm", providers).devices()).containsExactly(npu);
    assertThat(Discovery.find("all", providers).devices()).containsExactly(NVIDIA, npu);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> select("qualcomm"))
        .withMessageStartingWith("No backend knows the device \"qualcomm\"");
    assertThatIllegalArgumentException().isThrownBy(() -> select("other"));
  }

  @Test
  void anIdOrALabelIsOneDevice() {
    assertThat(select("GPU-5f0c")).containsExactly(NVIDIA);
    assertThat(select("pci:0000:3b:00.0")).containsExactly(INTEL);
    assertThat(select("GPU-5f0c,GPU-5f0c")).containsExactly(NVIDIA);
  }

  @Test
  void anIdCanHaveAWeight() {
    assertThat(select("GPU-5f0c*0.5,intel")).containsExactly(NVIDIA.withWeight(0.5), INTEL);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> select("GPU-5f0c*fast"))
        .withMessageStartingWith("The weight in \"GPU-5f0c*fast\" is no number");
    assertThatIllegalArgumentException().isThrownBy(() -> select("GPU-5f0c*-1"));
  }

  @Test
  void whereNothingIsFoundItSaysWhatToDo() {
    assertThat(Discovery.find("all", List.of()).problems())
        .extracting(Discovery.Problem::toString)
        .containsExactly(
            "devices: there is no backend: add the artifact of one to the class path, such as"
                + " fairlead-backends-cpu");
    assertThat(Discovery.find("amd", List.of(lanes, cuda)).problems())
        .extracting(Discovery.Problem::toString)
        .containsExactly(
            "amd: the backends cpu, cuda found no such device; where another backend has it, add"
                + " its artifact to the class path, such as fairlead-backends-opencl");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Discovery.find("cuda:0", List.of()))
        .withMessage(
            "No backend knows the device \"cuda:0\"; there is no backend: add the"
                + " artifact of one to the class path, such as fairlead-backends-cpu");
    assertThat(select("nvidia,amd")).containsExactly(NVIDIA);
    assertThat(Discovery.find("nvidia,amd", List.of(cuda)).problems()).isEmpty();
  }

  @Test
  void anIdThatIsNotThereIsAnError() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> select("all,GPU-ffff"))
        .withMessageStartingWith("No backend knows the device \"GPU-ffff\"");
  }

  private List<Device> select(String terms) {
    return Discovery.find(terms, List.of(lanes, cuda, encoders)).devices();
  }
}
