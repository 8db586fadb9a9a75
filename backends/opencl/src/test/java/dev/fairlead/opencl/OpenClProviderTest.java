package dev.fairlead.opencl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.device.BadTermException;
import dev.fairlead.device.Capability;
import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.device.DeviceProvider;
import dev.fairlead.device.Discovery;
import dev.fairlead.device.Vendor;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class OpenClProviderTest {
  @Test
  void isFoundByTheServiceLoader() {
    assertThat(ServiceLoader.load(DeviceProvider.class))
        .anySatisfy(provider -> assertThat(provider).isInstanceOf(OpenClProvider.class));
  }

  @Test
  void findsTheDevicesOfThisMachine() {
    Device device = TestingOpenCl.find().devices().getFirst();

    assertThat(device.kind()).isEqualTo(DeviceKind.OPENCL);
    assertThat(device.label()).isEqualTo("opencl:0");
    assertThat(device.memoryBytes()).isPositive();
    assertThat(device.name()).contains("compute unit").contains("OpenCL ");
    assertThat(device.features().capabilities()).contains(Capability.COMPUTE);
  }

  @Test
  void aDeviceOnTheProcessorSaysSoAndIsOfNoFamily() {
    Device pocl =
        TestingOpenCl.find().devices().stream()
            .filter(device -> device.name().contains("Portable Computing Language"))
            .findFirst()
            .orElseThrow();

    assertThat(pocl.isOnHostCores()).isTrue();
    assertThat(pocl.name()).contains("on the same cores as the CPU lanes");
    assertThat(pocl.vendor()).isEqualTo(Vendor.OTHER);
    assertThat(pocl.slots()).isEqualTo(1);
  }

  @Test
  void idsAreTheSameAtEachLook() {
    assertThat(new OpenClProvider().discover(List.of()).devices())
        .isEqualTo(TestingOpenCl.find().devices());
  }

  @Test
  void aDeviceCanBeDividedIntoEqualParts() {
    int wholes = TestingOpenCl.find().devices().size();
    Device whole = TestingOpenCl.find("opencl:0").devices().getFirst();
    List<Device> parts = TestingOpenCl.find("opencl:0/2*0.5").devices();

    assertThat(parts)
        .extracting(Device::label)
        .containsExactly("opencl:" + wholes, "opencl:" + (wholes + 1));
    assertThat(parts)
        .extracting(part -> part.id().value())
        .containsExactly(whole.id() + "/2.0", whole.id() + "/2.1");
    assertThat(parts)
        .allSatisfy(part -> {
          assertThat(part.memoryBytes()).isEqualTo(whole.memoryBytes() / 2);
          assertThat(part.weight()).isEqualTo(0.5);
          assertThat(part.isOnHostCores()).isEqualTo(whole.isOnHostCores());
        });
    assertThat(parts.getFirst().name()).startsWith("part 1 of 2 of ");
  }

  @Test
  void termsThatMakeNoSenseAreRefused() {
    for (String term :
        List.of("opencl:", "opencl:x", "opencl:0/0", "opencl:0/2000", "opencl*0", "opencl:0/2/2")) {
      assertThatThrownBy(() -> TestingOpenCl.find(term))
          .as(term)
          .isInstanceOf(BadTermException.class);
    }
    assertThatThrownBy(() -> TestingOpenCl.find("opencl:0/1000"))
        .isInstanceOf(BadTermException.class)
        .hasMessageContaining("compute units");
  }

  @Test
  void aNumberThatNoDeviceHasIsAProblem() {
    Discovery discovery = new OpenClProvider().discover(List.of("opencl:99"));

    assertThat(discovery.devices()).isEmpty();
    assertThat(discovery.problems())
        .singleElement()
        .satisfies(problem ->
            assertThat(problem.toString()).startsWith("opencl:99: there are OpenCL devices 0 to "));
  }

  @Test
  void whatOthersHaveFoundIsNotOpened() {
    assertThatThrownBy(() -> new OpenClProvider().open(Device.of(DeviceKind.OPENCL, 0)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
