package dev.fairlead.media.supervise;

import dev.fairlead.media.settings.WorkerProperties;
import dev.fairlead.nativecode.Niceness;
import dev.fairlead.nativecode.ResourceLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The JVM that codecs are loaded into. */
final class WorkerJvm {
  private static final long OPEN_FILES = 4096;

  /** By how many steps a worker yields to its owner. */
  static final int NICER = 5;

  private static final String LARGE_PIECE = String.valueOf(1 << 20);

  /** When memory ends, the kernel is to take the worker: it can be started again. */
  private static final String FIRST_TO_GO = "800";

  private WorkerJvm() {}

  /**
   * Starts one.
   *
   * @param main the class to start, and its arguments
   * @param codecs what it loads
   * @param log where native code prints to; crash reports go beside it
   * @param cache where the libraries are unpacked
   */
  static Process start(
      List<String> main, Codecs codecs, Path log, Path cache, Confinement confinement)
      throws IOException {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    List<String> command =
        new ArrayList<>(
            List.of(
                java.toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-XX:ErrorFile=" + log.toAbsolutePath().resolveSibling("crash-%p.log"),
                "-XX:-CreateCoredumpOnCrash",
                "-Dorg.bytedeco.javacpp.maxBytes=0",
                "-Dorg.bytedeco.javacpp.maxPhysicalBytes=0",
                "-D" + CodecCache.PROPERTY + "=" + cache,
                "-D" + WorkerProperties.MEMORY + "=" + confinement.memoryBytes(),
                "-cp",
                codecs.classPath()));
    if (!codecs.isOlder()) {
      command.addAll(WorkerCache.options(confinement.wanted()));
    }
    command.addAll(main);
    if (!Files.exists(log)) {
      Files.createFile(log); // so that it can be allowed
    }
    Path caches = log.toAbsolutePath().resolveSibling("cache");
    Process process =
        confinement
            .reading(cache)
            .writing(log)
            .start(
                command,
                log,
                Confinement.classes(codecs.classPath()),
                Map.of(
                    // Names of files may have letters that the parent's locale has not.
                    "LC_ALL",
                    "C.UTF-8",
                    "MALLOC_ARENA_MAX",
                    "1",
                    // What an encoder has freed goes back to the system, not into a heap of holes.
                    "MALLOC_MMAP_THRESHOLD_",
                    LARGE_PIECE,
                    "MALLOC_TRIM_THRESHOLD_",
                    LARGE_PIECE,
                    "SVT_LOG",
                    "1",
                    "CUDA_CACHE_PATH",
                    caches.toString(),
                    "XDG_CACHE_HOME",
                    caches.toString()));
    boolean _ = ResourceLimits.lower(process.pid(), OPEN_FILES);
    leavesTheProcessorToThis(process);
    offerToTheKernel(process);
    return process;
  }

  /** What its owner decides is what all devices wait for; encoders take all that is left. */
  static void leavesTheProcessorToThis(Process process) {
    boolean _ = Niceness.belowThisProcess(process.pid(), NICER);
  }

  private static void offerToTheKernel(Process process) {
    try {
      Files.writeString(Path.of("/proc/%d/oom_score_adj".formatted(process.pid())), FIRST_TO_GO);
    } catch (IOException unsupported) {
      // Systems without it choose by themselves.
    }
  }
}
