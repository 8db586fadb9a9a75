package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.device.DeviceProvider;
import dev.fairlead.device.Discovery;
import dev.fairlead.device.Engine;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class EncodingDevicesTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "all",
        "all,cpu",
        "cpu:2,cpu:1*0.25",
        "cuda:0",
        "cpu@aom",
        "lane:0,lane:3*0.5",
        "intel",
        "amd,nvidia",
        "encoder:1"
      })
  void openClIsNotAskedForWhatOthersKnow(String terms) {
    assertThat(EncodingDevices.needsOpenCl(terms)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"opencl:0", "all,opencl", "GPU-5f0c*0.5", ""})
  void openClIsAskedForWhatMayBeItsDevice(String terms) {
    assertThat(EncodingDevices.needsOpenCl(terms)).isTrue();
  }

  @Test
  void lanesAreLeftOutWhereAGpuEncodes() {
    Discovery lanes = Discovery.find("cpu:1");
    List<Discovery.Found> both = new ArrayList<>(lanes.found());
    Device gpu = Device.of(DeviceKind.ENCODER, 0);
    both.add(new Discovery.Found(gpu, lanes.found().getFirst().provider()));

    assertThat(EncodingDevices.accelerators(new Discovery(both, List.of())).devices())
        .containsExactly(gpu);
    assertThat(EncodingDevices.accelerators(lanes)).isEqualTo(lanes);
  }

  @Test
  void devicesEncodeAsMuchAtATimeAsTheirEncodersTakeOrAsIsSaid() {
    Device card = Device.of(DeviceKind.CUDA, 0).withSlots(2).withUnits(Engine.ENCODE, 3);
    Discovery found =
        Discovery.of(
            Discovery.find("cpu:1").found().getFirst().provider(),
            List.of(card, Device.of(DeviceKind.CPU, 0)));

    assertThat(FleetOptions.slotted(found, null).devices())
        .extracting(Device::slots)
        .containsExactly(4, 1);
    assertThat(FleetOptions.slotted(found, 7).devices())
        .extracting(Device::slots)
        .containsExactly(7, 7);
  }

  @Test
  void optionsForCardsSayThatTheyHaveNoEffectOnLanes() {
    FleetOptions options =
        CommandLine.populateCommand(
            new FleetOptions(), "--frames", "device", "--profile", "profile.json");

    assertThat(options.ineffective(List.of(Device.of(DeviceKind.CPU, 0))))
        .containsExactly(
            "--frames device has no effect: no card is selected",
            "--profile has no effect: no card is selected");
    assertThat(options.ineffective(List.of(Device.of(DeviceKind.CUDA, 0)))).isEmpty();
    FleetOptions usual = CommandLine.populateCommand(new FleetOptions());
    assertThat(usual.ineffective(List.of(Device.of(DeviceKind.CPU, 0)))).isEmpty();
  }

  @Test
  void aBackendThatIsNotAskedIsNoneOfTheProviders() {
    List<String> schemes = new ArrayList<>();
    Discovery found =
        Discovery.find(
            "all",
            (DeviceProvider provider) -> {
              schemes.add(provider.scheme());
              return provider.scheme().equals("cpu");
            });
    assertThat(schemes).contains("cpu", "opencl", "cuda", "encoder");
    assertThat(found.problems()).isEmpty();
    assertThat(found.devices())
        .isNotEmpty()
        .allSatisfy(device -> assertThat(device.kind()).isEqualTo(DeviceKind.CPU));
  }
}
