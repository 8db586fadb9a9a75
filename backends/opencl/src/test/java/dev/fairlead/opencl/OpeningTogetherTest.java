package dev.fairlead.opencl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.compute.ComputeContext;
import dev.fairlead.device.Device;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Devices that are opened at the same moment, as a pool opens them, in a process whose drivers have
 * not been used yet: drivers set themselves up when they are first asked, and not all of them do so
 * safely.
 */
class OpeningTogetherTest {
  private static final int TRIES = Boolean.getBoolean("fairlead.full") ? 50 : 5;
  private static final int THREADS = 8;

  @TempDir private Path folder;

  @Test
  void driversAreSetUpByOneThreadAtATime() throws Exception {
    for (int attempt = 0; attempt < TRIES; attempt++) {
      Path output = folder.resolve("output.txt");
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:+SuppressFatalErrorMessage",
                  "-XX:TieredStopAtLevel=1",
                  "--enable-native-access=ALL-UNNAMED",
                  "-cp",
                  System.getProperty("java.class.path"),
                  OpeningTogetherTest.class.getName())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      assertThat(process.waitFor())
          .as("process %d of %d: %s", attempt, TRIES, Files.readString(output))
          .isZero();
    }
  }

  /** Opens and probes parts and wholes of the first device on many threads at once. */
  public static void main(String[] none) throws Exception {
    OpenClProvider provider = new OpenClProvider();
    List<Device> devices = provider.discover(List.of("opencl:0", "opencl:0/2")).devices();
    CyclicBarrier together = new CyclicBarrier(THREADS);
    try (var threads = Executors.newFixedThreadPool(THREADS)) {
      List<Callable<Boolean>> openings = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        Device device = devices.get(thread % devices.size());
        openings.add(() -> {
          together.await();
          try (ComputeContext context = (ComputeContext) provider.open(device)) {
            context.bind();
            context.probe();
          }
          return true;
        });
      }
      for (Future<Boolean> opened : threads.invokeAll(openings)) {
        assertThat(opened.get()).isTrue();
      }
    }
  }
}
