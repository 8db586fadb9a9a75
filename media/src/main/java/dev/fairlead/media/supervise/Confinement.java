package dev.fairlead.media.supervise;

import dev.fairlead.nativecode.ConfinedProcess;
import dev.fairlead.nativecode.Landlock;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What a worker may touch. It parses untrusted data, in C: where the kernel can see to it, it reads
 * only what is named here and the system's libraries, writes only what is named here, starts no
 * program, opens no TCP connection and signals no other process. Of the user's environment it sees
 * what drivers and encoders go by, and nothing else.
 *
 * @param wanted false if it may touch all that its user may
 * @param memoryBytes how much memory it may use, with its parent; all if it is the largest number
 */
public record Confinement(
    boolean wanted, Set<Path> read, Set<Path> written, Set<Path> devices, long memoryBytes) {
  /** Where systems keep libraries, drivers and what these read. */
  private static final List<String> SYSTEM =
      List.of("/usr", "/lib", "/lib64", "/opt", "/etc", "/proc", "/sys", "/nix/store");

  private static final List<String> ORDINARY_NODES =
      List.of("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom");

  /**
   * Where a user has further libraries: drivers are not everywhere where distributions have them.
   */
  private static final String LIBRARIES = "LD_LIBRARY_PATH";

  private static final Set<String> VARIABLES =
      Set.of("LANG", "LANGUAGE", "TZ", LIBRARIES, "TMPDIR");

  private static final List<String> FAMILIES =
      List.of("LC_", "CUDA_", "NVIDIA_", "LIBVA_", "ROCR_", "HIP_", "OCL_", "MALLOC_", "SVT_");

  public Confinement {
    read = Set.copyOf(read);
    written = Set.copyOf(written);
    devices = Set.copyOf(devices);
  }

  /** A worker that may touch what its user may. */
  public static Confinement none() {
    return new Confinement(false, Set.of(), Set.of(), Set.of(), Long.MAX_VALUE);
  }

  /** A worker that reads these and writes those. */
  public static Confinement to(Collection<Path> read, Collection<Path> written) {
    return new Confinement(true, Set.copyOf(read), Set.copyOf(written), Set.of(), Long.MAX_VALUE);
  }

  public Confinement withDevices(Collection<Path> nodes) {
    return new Confinement(wanted, read, written, Set.copyOf(nodes), memoryBytes);
  }

  public Confinement withMemory(long bytes) {
    return new Confinement(wanted, read, written, devices, bytes);
  }

  Confinement reading(Path more) {
    return new Confinement(wanted, union(read, more), written, devices, memoryBytes);
  }

  Confinement writing(Path more) {
    return new Confinement(wanted, read, union(written, more), devices, memoryBytes);
  }

  private static Set<Path> union(Set<Path> paths, Path more) {
    Set<Path> all = new HashSet<>(paths);
    all.add(more);
    return all;
  }

  /** Whether the kernel of this machine can confine a process. */
  public static boolean isPossible() {
    return Landlock.version() > 0;
  }

  /**
   * Starts the process, confined as far as that is wanted and possible.
   *
   * @param output what it prints is appended to this file
   * @param classes what is on its class path
   * @param settings variables of its own
   */
  Process start(List<String> command, Path output, Set<Path> classes, Map<String, String> settings)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
    if (wanted) {
      builder.environment().keySet().removeIf(name -> !isHarmless(name));
    }
    builder.environment().putAll(settings);
    return wanted && isPossible()
        ? ConfinedProcess.start(
            command, builder.environment(), output, rules(classes, builder.environment()))
        : builder.start();
  }

  private static boolean isHarmless(String variable) {
    return VARIABLES.contains(variable) || FAMILIES.stream().anyMatch(variable::startsWith);
  }

  private Landlock.Rules rules(Set<Path> classes, Map<String, String> environment)
      throws IOException {
    Path java = Path.of(System.getProperty("java.home")).toRealPath();
    Set<Path> readable = new HashSet<>(classes);
    libraries(environment.getOrDefault(LIBRARIES, "")).forEach(path -> readable.add(real(path)));
    SYSTEM.forEach(path -> readable.add(Path.of(path)));
    read.forEach(path -> readable.add(real(path)));
    Set<Path> writable = new HashSet<>();
    written.forEach(path -> writable.add(real(path)));
    ORDINARY_NODES.forEach(node -> writable.add(Path.of(node)));
    return new Landlock.Rules(readable, writable, Set.of(java, interpreter()), devices);
  }

  /** What a link leads to; a path at which nothing is stays as it is, and allows nothing. */
  private static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException absent) {
      return path.toAbsolutePath();
    }
  }

  /** The program that loads the libraries of every other one. */
  private static Path interpreter() throws IOException {
    for (Path directory : List.of(Path.of("/lib64"), Path.of("/lib"))) {
      if (Files.isDirectory(directory)) {
        try (Stream<Path> files = Files.list(directory)) {
          List<Path> found =
              files.filter(file -> file.getFileName().toString().startsWith("ld-linux")).toList();
          if (!found.isEmpty()) {
            return found.getFirst().toRealPath();
          }
        }
      }
    }
    return Path.of("/lib");
  }

  /** The folders of a search path; not those that depend on where a process is. */
  static Set<Path> libraries(String searched) {
    Set<Path> paths = new HashSet<>();
    for (String entry : searched.split(File.pathSeparator, -1)) {
      Path path = Path.of(entry);
      if (path.isAbsolute()) {
        paths.add(path);
      }
    }
    return paths;
  }

  /** The folders and jars of a class path, with what their manifests name beside them. */
  static Set<Path> classes(String classPath) {
    Set<Path> paths = new HashSet<>();
    for (String entry : classPath.split(File.pathSeparator, -1)) {
      Path path = Path.of(entry).toAbsolutePath();
      Path folder = path.getParent();
      paths.add(Files.isDirectory(path) || folder == null ? path : folder);
    }
    return paths;
  }
}
