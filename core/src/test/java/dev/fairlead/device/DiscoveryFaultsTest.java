package dev.fairlead.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiscoveryFaultsTest {
  @TempDir Path directory;

  @Test
  void goesOnWithoutAProviderClassThatIsMissing() throws Exception {
    Discovery d =
        find("all", "dev.fairlead.NoSuchProvider", TestingProvider.Working.class.getName());
    assertThat(d.devices()).hasSize(1);
    assertThat(d.problems()).hasSize(1);
  }

  @Test
  void tellsWhyAProviderCannotBeMade() throws Exception {
    Discovery d =
        find(
            "all",
            TestingProvider.Unlinked.class.getName(),
            TestingProvider.Working.class.getName());
    assertThat(d.problems().getFirst().reason()).contains("libnothing.so.1");
  }

  @Test
  void goesOnWithoutAProviderThatStumblesOverItsDriversAnswer() {
    DeviceProvider bad =
        new TestingProvider(
            "cuda", () -> List.of(Device.of(DeviceKind.CUDA, Integer.parseInt("N/A"))));
    Discovery d =
        Discovery.find(
            "all", List.of(bad, TestingProvider.of("cpu", Device.of(DeviceKind.CPU, 0))));
    assertThat(d.devices()).hasSize(1);
  }

  private Discovery find(String selection, String... providers) throws Exception {
    Path services = Files.createDirectories(directory.resolve("META-INF/services"));
    Files.writeString(
        services.resolve(DeviceProvider.class.getName()), String.join("\n", providers));
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader loader =
        new URLClassLoader(new URL[] {directory.toUri().toURL()}, getClass().getClassLoader())) {
      thread.setContextClassLoader(loader);
      return Discovery.find(selection);
    } finally {
      thread.setContextClassLoader(before);
    }
  }
}
