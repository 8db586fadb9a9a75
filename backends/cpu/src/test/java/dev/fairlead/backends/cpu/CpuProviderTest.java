package dev.fairlead.backends.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.fairlead.device.Capability;
import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceContext;
import dev.fairlead.device.DeviceId;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.device.Discovery;
import dev.fairlead.device.Vendor;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CpuProviderTest {
  private static final CpuHost HOST = new CpuHost(6, 12_000, "Some CPU");

  private final CpuProvider provider = new CpuProvider(HOST);

  @Test
  void givesOneLanePerProcessor() {
    assertThat(devices("cpu")).hasSize(6);
    assertThat(devices()).as("no terms ask for all it has").isEqualTo(devices("cpu"));
    assertThat(provider.discover(List.of()).problems()).isEmpty();
  }

  @Test
  void describesALaneAsWhatItIs() {
    Device lane = devices("cpu:3").get(2);

    assertThat(lane.id()).isEqualTo(DeviceId.of("cpu:2"));
    assertThat(lane.kind()).isEqualTo(DeviceKind.CPU);
    assertThat(lane.ordinal()).isEqualTo(2);
    assertThat(lane.label()).isEqualTo("cpu:2");
    assertThat(lane.name()).isEqualTo("CPU lane 2 of Some CPU");
    assertThat(lane.vendor()).isEqualTo(Vendor.OTHER);
    assertThat(lane.slots()).isEqualTo(1);
    assertThat(lane.weight()).isEqualTo(1);
    assertThat(lane.features().capabilities()).containsExactly(Capability.COMPUTE);
    assertThat(lane.features().computeCapability()).isNull();
  }

  @Test
  void sharesTheMemoryEvenlyAmongAllLanes() {
    assertThat(devices("cpu:4")).extracting(Device::memoryBytes).containsOnly(3_000L);
    assertThat(devices("cpu:2", "cpu:1*0.5"))
        .extracting(Device::memoryBytes)
        .containsExactly(4_000L, 4_000L, 4_000L);
  }

  @Test
  void numbersOnOverSeveralTerms() {
    List<Device> devices = devices("cpu:2", "cpu:1*0.25", "cpu:1");

    assertThat(devices)
        .extracting(Device::toString)
        .containsExactly("cpu:0", "cpu:1", "cpu:2", "cpu:3");
    assertThat(devices).extracting(Device::weight).containsExactly(1.0, 1.0, 0.25, 1.0);
    assertThat(devices.get(2).name()).isEqualTo("CPU lane 2 of Some CPU (slowed to 0.25)");
    assertThat(devices.get(3).name()).isEqualTo("CPU lane 3 of Some CPU");
  }

  @Test
  void whatATermIsCanBeGivenBack() {
    List<Device> devices = devices("cpu:2", "cpu:1*0.25", "cpu:1@aom", "lane:7*0.5@svt");

    assertThat(devices)
        .extracting(provider::term)
        .containsExactly("lane:0", "lane:1", "lane:2*0.25", "lane:3@aom", "lane:7*0.5@svt");
    for (Device device : devices) {
      assertThat(devices(provider.term(device)))
          .as(provider.term(device))
          .singleElement()
          .extracting(Device::identity, Device::weight)
          .containsExactly(device.identity(), device.weight());
    }
  }

  @Test
  void countedLanesTakeTheNumbersThatNoTermNames() {
    assertThat(devices("lane:1", "cpu:2"))
        .extracting(Device::toString)
        .containsExactly("cpu:1", "cpu:0", "cpu:2");
    assertThat(devices("cpu:1", "lane:0"))
        .extracting(Device::toString)
        .containsExactly("cpu:1", "cpu:0");
  }

  @Test
  void aLaneIsNamedOnce() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> devices("lane:3", "lane:3*0.5"))
        .withMessage("lane:3 is chosen twice; name each lane once");
  }

  @Test
  void aLabelThatWouldBeNoLaneIsToldTheTermOfTheLane() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> devices("cpu:0"))
        .withMessageContainingAll("cpu:1", "shown as cpu:0 is lane:0");
  }

  @Test
  void namesLanesWithoutAModelWhereTheSystemTellsNone() {
    List<Device> devices =
        new CpuProvider(new CpuHost(1, 1, "")).discover(List.of("cpu", "cpu:1*0.50")).devices();

    assertThat(devices)
        .extracting(Device::name)
        .containsExactly("CPU lane 0", "CPU lane 1 (slowed to 0.5)");
  }

  @Test
  void takesAFactorOfOneForNotSlowed() {
    assertThat(devices("cpu:1*1")).isEqualTo(devices("cpu:1"));
    assertThat(devices("cpu:1*1.000")).isEqualTo(devices("cpu:1"));
    assertThat(devices("cpu*0.5")).as("every core, slowed").hasSize(6);
  }

  @Test
  void aToolIsACapabilityAndPartOfTheName() {
    List<Device> devices = devices("cpu:1@svt", "cpu:1*0.5@aom");

    assertThat(devices.get(0).features().capabilities())
        .containsExactlyInAnyOrder(Capability.COMPUTE, Capability.of("tool:svt"));
    assertThat(devices.get(1).name()).isEqualTo("CPU lane 1 of Some CPU (slowed to 0.5) with aom");
  }

  @Test
  void givesAtMost1024LanesToATerm() {
    assertThat(devices("cpu:1024")).hasSize(1024);
    assertThat(new CpuProvider(new CpuHost(2_000, 1, "")).discover(List.of()).devices())
        .as("as many as there are processors")
        .hasSize(2_000);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cpu:1025",
        "lane",
        "lane:",
        "lane:x",
        "lane:1024",
        "lane:0*2",
        "cpu:99999999999999999999",
        "cpu:x",
        "cpu:",
        "cpu:-1",
        "cpu:1.5",
        "cpu:٣",
        "cpu:1*0",
        "cpu:1*0.000",
        "cpu:1*2",
        "cpu:1*1.0001",
        "cpu:1*-0.5",
        "cpu:1*NaN",
        "cpu:1*1e-3",
        "cpu:1*",
        "cpu:1*0.5*0.5",
        "cpu:1@",
        "cpu@Foo",
        "cpu:1@a/b",
        "cpu:1 ",
        "CPU:1",
        "gpu:1"
      })
  void refusesABadTermAndSaysWhatIsAllowed(String term) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> provider.discover(List.of("cpu:1", term)))
        .withMessageContainingAll("\"" + term + "\"", "cpu:N with N from 1 to 1024", "cpu:1*0.25");
  }

  @Test
  void isFoundOnTheClassPath() {
    Discovery discovery = Discovery.find("cpu:2,cpu:1*0.25");

    assertThat(discovery.devices())
        .extracting(Device::toString)
        .containsExactly("cpu:0", "cpu:1", "cpu:2");
    assertThat(discovery.found())
        .extracting(Discovery.Found::provider)
        .hasOnlyElementsOfType(CpuProvider.class);
    assertThat(discovery.problems()).isEmpty();
    assertThat(Discovery.find("all").devices()).hasSize(Runtime.getRuntime().availableProcessors());
  }

  @Test
  void hasABackendOfItsOwnName() {
    assertThat(provider.scheme()).isEqualTo("cpu");
  }

  @Test
  void opensALaneWhateverWeightItWasGivenLater() {
    try (DeviceContext context = provider.open(devices("cpu:1*0.5").getFirst().withWeight(7))) {
      assertThat(context.sample()).isEmpty();
      assertThat(context).hasToString("CPU lane at speed 0.5");
    }
    try (DeviceContext context = provider.open(devices("cpu:1").getFirst())) {
      assertThat(context).hasToString("CPU lane at speed 1.0");
    }
  }

  @Test
  void keepsTheLanesOfSeveralDiscoveriesApart() {
    Device slow = devices("cpu:1*0.5").getFirst();
    Device slower = devices("cpu:1*0.25").getFirst();
    Device full = devices("cpu:1").getFirst();

    assertThat(provider.open(slow)).hasToString("CPU lane at speed 0.5");
    assertThat(provider.open(slower)).hasToString("CPU lane at speed 0.25");
    assertThat(provider.open(full)).hasToString("CPU lane at speed 1.0");
  }

  @Test
  void refusesToOpenWhatIsNoLane() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> provider.open(Device.of(DeviceKind.CUDA, 0)))
        .withMessageContainingAll("cuda:0", "CPU");
  }

  private List<Device> devices(String... terms) {
    return provider.discover(List.of(terms)).devices();
  }
}
