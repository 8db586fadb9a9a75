package dev.fairlead.opencl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.compute.Argument;
import dev.fairlead.compute.ComputeContext;
import dev.fairlead.compute.DeviceBuffer;
import dev.fairlead.compute.Event;
import dev.fairlead.compute.Kernel;
import dev.fairlead.compute.Program;
import dev.fairlead.compute.StagingBuffer;
import dev.fairlead.compute.Stream;
import dev.fairlead.compute.driver.Grid;
import dev.fairlead.compute.driver.ProgramSource;
import dev.fairlead.device.Device;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Launches and copies over two parts of a device, everything opened and closed each time: the
 * process does not grow. In full length, a hundred thousand of them.
 */
class OpenClSoakTest {
  private static final boolean FULL = Boolean.getBoolean("fairlead.full");
  private static final int LAUNCHES = FULL ? 100_000 : 4_000;
  private static final int BUFFER = 1 << 18;

  /** Of compiled code and the like; one buffer of each launch would be far more. */
  private static final long MOST_GROWTH = 32L << 20;

  private static final ProgramSource SOURCE =
      ProgramSource.openCl("kernel void add(global int *n, int a) { n[get_global_id(0)] += a; }");

  @TempDir private Path folder;

  /**
   * A process of its own, whose heap has its full size from the beginning: what grows is native.
   */
  @Test
  void launchesAndCopiesOverTwoDevicesLeaveNothingBehind() throws Exception {
    Path output = folder.resolve("output.txt");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xms64m",
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:+AlwaysPreTouch",
                "--enable-native-access=ALL-UNNAMED",
                "-Dfairlead.full=" + FULL,
                "-cp",
                System.getProperty("java.class.path"),
                OpenClSoakTest.class.getName())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    int code = process.waitFor();

    String text = Files.readString(output);
    assertThat(code).as(text).isZero();
    long growth = Long.parseLong(text.lines().toList().getLast());
    assertThat(growth).as("growth in bytes after %d launches", LAUNCHES).isLessThan(MOST_GROWTH);
  }

  /** Runs the launches, and prints by how many bytes the process has grown meanwhile. */
  public static void main(String[] none) throws IOException {
    List<Device> parts = TestingOpenCl.find("opencl:0/2").devices();
    try (ComputeContext one = TestingOpenCl.open(parts.getFirst());
        ComputeContext two = TestingOpenCl.open(parts.getLast())) {
      run(one, two, LAUNCHES / 4);
      int open = one.openResources() + two.openResources();
      long before = residentBytes();
      run(one, two, LAUNCHES);
      assertThat(one.openResources() + two.openResources()).isEqualTo(open);
      IO.println(residentBytes() - before);
    }
  }

  private static void run(ComputeContext one, ComputeContext two, int launches) {
    for (int launch = 0; launch < launches; launch++) {
      ComputeContext context = launch % 2 == 0 ? one : two;
      Stream stream = context.stream();
      try (Program program = context.program(SOURCE);
          Kernel add = program.kernel("add");
          StagingBuffer host = context.stage(BUFFER);
          DeviceBuffer buffer = context.allocate(BUFFER)) {
        host.memory().set(ValueLayout.JAVA_INT, 0, launch);
        stream.upload(host, buffer);
        stream.launch(add, Grid.of(1), buffer, Argument.of(1));
        stream.download(buffer, host);
        try (Event event = stream.mark()) {
          event.await();
        }
        assertThat(host.memory().get(ValueLayout.JAVA_INT, 0)).isEqualTo(launch + 1);
      }
    }
  }

  private static long residentBytes() throws IOException {
    String status = Files.readString(Path.of("/proc/self/status"));
    return status
            .lines()
            .filter(line -> line.startsWith("VmRSS:"))
            .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
            .sum()
        << 10;
  }
}
