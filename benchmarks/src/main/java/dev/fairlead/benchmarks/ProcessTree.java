package dev.fairlead.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs a command and measures it with all processes that it starts. Linux only. */
final class ProcessTree {
  private static final long LOOK_MILLIS = 20;
  private static final double TICKS_PER_SECOND = 100;
  private static final int USER_TIME = 11;
  private static final int SYSTEM_TIME = 12;

  /** What a command took; memory is the largest sum of resident sets that was seen. */
  record Usage(double wallSeconds, double cpuSeconds, long peakBytes) {
    @Override
    public String toString() {
      return "%.1f s, %.1f s of cpu, %d MB".formatted(wallSeconds, cpuSeconds, peakBytes >> 20);
    }
  }

  private final Map<Long, Double> cpu = new HashMap<>();
  private long peak;

  private ProcessTree() {}

  static Usage run(List<String> command, Map<String, String> environment, Path output)
      throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(environment);
    long begun = System.nanoTime();
    Process process =
        builder
            .redirectErrorStream(true)
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectOutput(output.toFile())
            .start();
    ProcessTree tree = new ProcessTree();
    try {
      while (!process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
        tree.look(process);
      }
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    double wall = (System.nanoTime() - begun) / 1e9;
    if (process.exitValue() != 0) {
      throw new IOException(
          "%s ended with %d: %s".formatted(command, process.exitValue(), Files.readString(output)));
    }
    double seconds = tree.cpu.values().stream().mapToDouble(Double::doubleValue).sum();
    return new Usage(wall, seconds, tree.peak);
  }

  private void look(Process process) {
    long resident = 0;
    try (Stream<ProcessHandle> all =
        Stream.concat(Stream.of(process.toHandle()), process.descendants())) {
      for (ProcessHandle each : all.toList()) {
        resident += look(each.pid());
      }
    }
    peak = Math.max(peak, resident);
  }

  /** The resident bytes of a process; notes its processor time. */
  private long look(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      cpu.put(
          pid,
          (Long.parseLong(fields[USER_TIME]) + Long.parseLong(fields[SYSTEM_TIME]))
              / TICKS_PER_SECOND);
      String pages = Files.readString(Path.of("/proc/" + pid + "/statm")).split(" ", -1)[1];
      return Long.parseLong(pages) * 4096;
    } catch (IOException gone) {
      return 0;
    }
  }
}
