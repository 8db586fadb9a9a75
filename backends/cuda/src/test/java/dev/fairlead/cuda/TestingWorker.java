package dev.fairlead.cuda;

import dev.fairlead.compute.ComputeContext;
import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** A process of its own that works on the first device of the double, as media's workers do. */
public final class TestingWorker {
  private TestingWorker() {}

  /** Takes the file that the exclusive use of the device hangs on; says what came of the work. */
  public static void main(String[] arguments) {
    TestingCuda cuda = TestingCuda.with(1);
    cuda.exclusive(0, Path.of(arguments[0]));
    CudaProvider provider = cuda.provider();
    Device device = provider.discover(List.of()).devices().getFirst();
    try (ComputeContext context = (ComputeContext) provider.open(device)) {
      context.bind();
      context.probe();
      System.out.println("worked");
    } catch (DeviceException refused) {
      System.out.println("refused: " + refused.getMessage());
    }
  }

  /** Runs one to its end. */
  static String run(Path exclusive) throws IOException, InterruptedException {
    Process worker =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                TestingWorker.class.getName(),
                exclusive.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(worker.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return worker.waitFor() == 0 ? said.strip() : "ended with " + worker.exitValue() + ": " + said;
  }
}
