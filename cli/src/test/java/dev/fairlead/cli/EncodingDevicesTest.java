package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.DeviceKind;
import dev.fairlead.device.DeviceProvider;
import dev.fairlead.device.Discovery;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EncodingDevicesTest {
  @TempDir private Path nodes;

  @ParameterizedTest
  @ValueSource(strings = {"all", "all,cpu", "cpu:2,cpu:1*0.25", "cuda:0", "cpu@aom"})
  void openClIsNotAskedWhereNothingOfItCouldEncode(String terms) {
    assertThat(EncodingDevices.needsOpenCl(terms, nodes)).isFalse();
    assertThat(EncodingDevices.needsOpenCl(terms, nodes.resolve("none"))).isFalse();
  }

  @Test
  void openClIsAskedWhereThereIsARenderNode() throws Exception {
    Files.createFile(nodes.resolve("renderD128"));
    assertThat(EncodingDevices.needsOpenCl("all", nodes)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"opencl:0", "all,opencl", "intel", "amd", "GPU-5f0c*0.5", ""})
  void openClIsAskedForWhatMayBeItsDevice(String terms) {
    assertThat(EncodingDevices.needsOpenCl(terms, nodes)).isTrue();
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
    assertThat(schemes).contains("cpu", "opencl", "cuda");
    assertThat(found.problems()).isEmpty();
    assertThat(found.devices())
        .isNotEmpty()
        .allSatisfy(device -> assertThat(device.kind()).isEqualTo(DeviceKind.CPU));
  }
}
