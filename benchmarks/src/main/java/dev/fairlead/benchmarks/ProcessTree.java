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
  private static final long LOOK_RARELY_MILLIS = 100;
  private static final double TICKS_PER_SECOND = 100;
  private static final int USER_TIME = 11;
  private static final int SYSTEM_TIME = 12;

  /** What a command took; memory is the largest sum over its processes that was seen. */
  record Usage(double wallSeconds, double cpuSeconds, long peakBytes) {
    @Override
    public String toString() {
      return "%.1f s, %.1f s of cpu, %d MB".formatted(wallSeconds, cpuSeconds, peakBytes >> 20);
    }
  }

  private final Map<Long, Double> cpu = new HashMap<>();
  private long peak;

  private final long millis;
  private final Memory memory;

  /** What a process takes of memory. */
  private interface Memory {
    long bytes(long pid) throws IOException;
  }

  private ProcessTree(long millis, Memory memory) {
    this.millis = millis;
    this.memory = memory;
  }

  static Usage run(List<String> command, Map<String, String> environment, Path output)
      throws IOException, InterruptedException {
    return run(command, environment, output, new ProcessTree(LOOK_MILLIS, ProcessTree::resident));
  }

  /** The same without memory: looking takes processor time that the command may want. */
  static Usage runTimed(List<String> command, Map<String, String> environment, Path output)
      throws IOException, InterruptedException {
    return run(command, environment, output, new ProcessTree(LOOK_RARELY_MILLIS, pid -> 0));
  }

  /** The same; what processes share is counted once. Takes longer to look, and looks less often. */
  static Usage runProportionally(List<String> command, Map<String, String> environment, Path output)
      throws IOException, InterruptedException {
    ProcessTree tree = new ProcessTree(LOOK_RARELY_MILLIS, ProcessTree::proportional);
    return run(command, environment, output, tree);
  }

  private static Usage run(
      List<String> command, Map<String, String> environment, Path output, ProcessTree tree)
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
    try {
      while (!process.waitFor(tree.millis, TimeUnit.MILLISECONDS)) {
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

  /** The bytes of a process; notes its processor time. */
  private long look(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      cpu.put(
          pid,
          (Long.parseLong(fields[USER_TIME]) + Long.parseLong(fields[SYSTEM_TIME]))
              / TICKS_PER_SECOND);
      return memory.bytes(pid);
    } catch (IOException gone) {
      return 0;
    }
  }

  private static long resident(long pid) throws IOException {
    String pages = Files.readString(Path.of("/proc/" + pid + "/statm")).split(" ", -1)[1];
    return Long.parseLong(pages) * 4096;
  }

  private static long proportional(long pid) throws IOException {
    return Files.readAllLines(Path.of("/proc/" + pid + "/smaps_rollup")).stream()
        .filter(line -> line.startsWith("Pss:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) << 10)
        .sum();
  }
}
