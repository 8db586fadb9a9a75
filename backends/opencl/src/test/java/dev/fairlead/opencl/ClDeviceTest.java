package dev.fairlead.opencl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Vendor;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClDeviceTest {
  private static ClDevice device(String vendor, boolean onHostCores, String key) {
    return new ClDevice(
        1,
        2,
        "A Platform",
        "A Device",
        vendor,
        onHostCores,
        1L << 33,
        64,
        "OpenCL 3.0 X",
        "1",
        key,
        "0000:03:00.0");
  }

  @Test
  void goesThroughALineOfText() {
    ClDevice device = device("NVIDIA Corporation", false, "");
    assertThat(ClDevice.ofLine(device.toLine())).isEqualTo(device);
    assertThat(ClDevice.ofLine(device("a\tb\nc", true, "k").toLine()).vendorName())
        .isEqualTo("a b c");
  }

  @Test
  void belongsToTheFamilyOfItsMakerUnlessItIsAProcessor() {
    assertThat(device("NVIDIA Corporation", false, "").vendor()).isEqualTo(Vendor.NVIDIA);
    assertThat(device("Advanced Micro Devices, Inc.", false, "").vendor()).isEqualTo(Vendor.AMD);
    assertThat(device("Intel(R) Corporation", false, "").vendor()).isEqualTo(Vendor.INTEL);
    assertThat(device("GenuineIntel", true, "").vendor()).isEqualTo(Vendor.OTHER);
    assertThat(device("Somebody", false, "").vendor()).isEqualTo(Vendor.OTHER);
  }

  @Test
  void isKnownByWhatItsDriverCallsItOrElseByItsLooks() {
    List<ClPart> wholes =
        ClPart.wholes(
            List.of(
                device("Intel", false, "pci:0000:3b:00.0"),
                device("Intel", false, ""),
                device("Intel", false, ""),
                device("Intel", true, "GPU-of-no-use")));

    assertThat(wholes.get(0).id()).isEqualTo("pci:0000:3b:00.0");
    assertThat(wholes.get(1).id()).matches("CL-[0-9a-f]{8}");
    assertThat(wholes.get(2).id()).isEqualTo(wholes.get(1).id() + "-1");
    assertThat(wholes.get(3).id()).startsWith("CL-");
    assertThat(wholes.get(0).parts(4, 9).getLast().id()).isEqualTo("pci:0000:3b:00.0/4.3");
  }

  @Test
  void theAddressInAmdsTopologyIsRead() {
    byte[] topology = new byte[24];
    topology[0] = 1;
    topology[21] = (byte) 0xc3;
    topology[22] = 0x1f;
    topology[23] = 1;
    assertThat(ClDevices.addressInTopology(topology)).contains("0000:c3:1f.1");
    topology[0] = 2;
    assertThat(ClDevices.addressInTopology(topology)).as("no PCI bus").isEmpty();
    assertThat(ClDevices.addressInTopology(new byte[0])).isEmpty();
  }
}
