package dev.fairlead.backends.cpu;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The machine whose processor the lanes share. Processors and memory are those that a container may
 * use, where the process runs in one.
 *
 * @param model the processor's model; empty where the system does not tell
 */
record CpuHost(int processors, long memoryBytes, String model) {
  private static final Path CPUINFO = Path.of("/proc/cpuinfo");

  static CpuHost here() {
    long memoryBytes =
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
    return new CpuHost(Runtime.getRuntime().availableProcessors(), memoryBytes, model(CPUINFO));
  }

  /** The first {@code model name} that is not blank. */
  static String model(Path cpuinfo) {
    try (var lines = Files.lines(cpuinfo, StandardCharsets.ISO_8859_1)) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip().replaceAll("\\s+", " "))
          .filter(name -> !name.isEmpty())
          .findFirst()
          .orElse("");
    } catch (IOException | UncheckedIOException notTold) {
      return "";
    }
  }
}
