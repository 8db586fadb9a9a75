package dev.fairlead.media.choice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.device.Capability;
import dev.fairlead.device.Card;
import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceId;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.device.Vendor;
import dev.fairlead.media.settings.EncoderKind;
import dev.fairlead.media.settings.HardwareAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which GPU does what. */
class GpuChoicesTest {
  private static final Device LANE = Device.of(DeviceKind.CPU, 0);
  private static final Device NVIDIA = gpu(DeviceKind.CUDA, 1, "GPU-5f0c", Vendor.NVIDIA);
  private static final Device INTEL =
      gpu(DeviceKind.OPENCL, 0, "intel-arc", Vendor.INTEL)
          .withCard(new Card("0000:03:00.0", "/dev/dri/renderD129"));
  private static final Device AMD =
      gpu(DeviceKind.ENCODER, 0, "0000:0a:00.0", Vendor.AMD)
          .withCard(new Card("0000:0a:00.0", "/dev/dri/renderD130"));

  @TempDir private Path directory;

  private static Device gpu(DeviceKind kind, int ordinal, String id, Vendor vendor) {
    return Device.of(kind, ordinal).withIdentity(DeviceId.of(id), id, vendor);
  }

  @Test
  void aGpuHasTheAddressOfItsDriver() {
    assertThat(DeviceAddress.of(NVIDIA)).contains(new HardwareAddress("cuda", "1"));
    assertThat(DeviceAddress.of(INTEL))
        .contains(new HardwareAddress("vaapi", "/dev/dri/renderD129"));
    assertThat(DeviceAddress.of(AMD)).contains(new HardwareAddress("vaapi", "/dev/dri/renderD130"));
    assertThat(DeviceAddress.of(LANE)).isEmpty();
    assertThat(DeviceAddress.of(Device.of(DeviceKind.OPENCL, 0))).as("of no vendor").isEmpty();
    assertThat(DeviceAddress.of(Device.of(DeviceKind.SIMULATED, 0))).isEmpty();
    assertThat(DeviceAddress.of(gpu(DeviceKind.of("npu"), 0, "npu-7", Vendor.INTEL)))
        .as("an accelerator without a card")
        .isEmpty();
    assertThat(DeviceAddress.of(gpu(DeviceKind.OPENCL, 0, "intel-arc", Vendor.INTEL)))
        .as("a GPU of which nobody knows where it is: no node is guessed")
        .isEmpty();
    assertThat(DeviceAddress.of(AMD.withCapabilities(Set.of(Capability.HOST_CORES))))
        .as("a processor")
        .isEmpty();
  }

  @Test
  void theKernelKnowsTheNodeOfACard() throws Exception {
    Device computes =
        gpu(DeviceKind.OPENCL, 0, "intel-arc", Vendor.INTEL).withCard(Card.at("0000:03:00.0"));
    assertThat(DeviceAddress.of(computes, directory)).isEmpty();

    Path described = Files.createDirectories(directory.resolve("0000:03:00.0/drm"));
    Files.createDirectory(described.resolve("card1"));
    Files.createDirectory(described.resolve("renderD131"));
    assertThat(DeviceAddress.of(computes, directory))
        .contains(new HardwareAddress("vaapi", "/dev/dri/renderD131"));
  }

  @Test
  void nvidiaEncodesWithNvencIntelAndAmdWithVaapi() {
    assertThat(EncoderChoice.of(NVIDIA, "av1")).contains(EncoderKind.NVENC_AV1);
    assertThat(EncoderChoice.of(NVIDIA, "hevc")).contains(EncoderKind.NVENC_HEVC);
    assertThat(EncoderChoice.of(INTEL, "av1")).contains(EncoderKind.VAAPI_AV1);
    assertThat(EncoderChoice.of(AMD, "hevc")).contains(EncoderKind.VAAPI_HEVC);
    assertThat(EncoderChoice.of(AMD, "h264")).contains(EncoderKind.VAAPI_H264);
    assertThat(EncoderChoice.of(LANE, "av1")).contains(EncoderKind.SVT_AV1);
    assertThat(EncoderChoice.of(LANE, "hevc")).isEmpty();
  }

  @Test
  void theNamedDeviceDecodesOrElseAnyGpuTheFirstFirst() {
    List<Device> all = List.of(LANE, INTEL, NVIDIA);
    assertThat(DecodeChoice.of(all, null)).containsExactly(INTEL, NVIDIA);
    assertThat(DecodeChoice.of(List.of(LANE), null)).isEmpty();
    assertThat(DecodeChoice.of(all, "cuda:1")).containsExactly(NVIDIA);
    assertThat(DecodeChoice.of(all, "GPU-5f0c")).containsExactly(NVIDIA);
    assertThat(DecodeChoice.of(all, "cpu")).isEmpty();
    assertThat(DecodeChoice.of(all, "cpu:0")).isEmpty();
    assertThatThrownBy(() -> DecodeChoice.of(all, "cuda:0"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("cuda:0 is not among the selected devices");
  }
}
