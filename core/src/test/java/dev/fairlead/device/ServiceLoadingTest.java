package dev.fairlead.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Discovery of the providers that a class path lists. */
class ServiceLoadingTest {
  @TempDir private Path directory;

  @Test
  void findsTheProvidersOnTheClassPath() throws IOException {
    Discovery discovery = find("all", TestingProvider.Working.class.getName());

    assertThat(discovery.devices()).containsExactly(Device.of(DeviceKind.SIMULATED, 0));
    assertThat(discovery.problems()).isEmpty();
  }

  @Test
  void goesOnWithoutProvidersThatCannotBeMade() throws IOException {
    Discovery discovery =
        find(
            "all",
            TestingProvider.Unlinked.class.getName(),
            TestingProvider.Broken.class.getName(),
            TestingProvider.Working.class.getName());

    assertThat(discovery.devices()).containsExactly(Device.of(DeviceKind.SIMULATED, 0));
    assertThat(discovery.problems())
        .extracting(Discovery.Problem::what)
        .containsExactly(
            TestingProvider.Unlinked.class.getName(), TestingProvider.Broken.class.getName());
  }

  @Test
  void aBackendThatCannotBeMadeIsNotCalledMissing() throws IOException {
    assertThat(find("all", TestingProvider.Broken.class.getName()).problems())
        .extracting(Discovery.Problem::what)
        .containsExactly(TestingProvider.Broken.class.getName());
  }

  @Test
  void namesTheSchemesOfTheProvidersThatCouldBeMade() {
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            find(
                "cuda:0",
                TestingProvider.Broken.class.getName(),
                TestingProvider.Working.class.getName()))
        .withMessageStartingWith(
            "No backend knows the device \"cuda:0\"; known are working, all, nvidia");
  }

  private Discovery find(String selection, String... providers) throws IOException {
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
