package dev.fairlead.opencl;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The drivers that are registered on this machine, each by a file that names its library, looked at
 * in a process of its own.
 *
 * <p>All are looked at together first. If that process crashes or hangs, each driver gets one of
 * its own, so that the broken ones are known by name and the others can be used without them; and
 * one that failed by chance is not given up.
 *
 * <p>There are two loaders of drivers about. That of Khronos takes {@value #VARIABLE} for a
 * directory and finds nothing in a file; the other, ocl-icd, takes the file of one registration as
 * well. So a registration is always shown to them in a directory of its own.
 *
 * @param vendors the directory with the registrations, as {@value #VARIABLE} can name it
 * @param patience how long drivers may take to list their devices
 */
record Icds(Path vendors, Duration patience) {
  static final String VARIABLE = "OCL_ICD_VENDORS";

  private static final Path USUAL = Path.of("/etc/OpenCL/vendors");
  private static final Duration USUAL_PATIENCE = Duration.ofSeconds(30);
  private static final List<String> OPTIONS =
      List.of(
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-Xmx64m",
          "-XX:-CreateCoredumpOnCrash",
          "-XX:+SuppressFatalErrorMessage",
          "--enable-native-access=ALL-UNNAMED");

  /**
   * What was found.
   *
   * @param usable the registrations of drivers that do no harm
   * @param excluded whether these have to be set apart when a device is opened: there are others,
   *     which must not be loaded, or the loader may not find them where they are
   */
  record Look(List<ClDevice> devices, List<String> problems, List<Path> usable, boolean excluded) {}

  static Icds here() {
    String named = System.getenv(VARIABLE);
    return new Icds(named == null ? USUAL : Path.of(named), USUAL_PATIENCE);
  }

  Look look() {
    try {
      List<Path> icds = registered();
      boolean file = icds.equals(List.of(vendors)) && isRegistration(vendors);
      Answer together = file ? askApart(icds, icds) : ask(vendors, icds);
      if (together.failure().isEmpty()) {
        return new Look(together.devices(), together.problems(), icds, file);
      }
      return icds.isEmpty()
          ? new Look(
              List.of(), List.of("%s: %s".formatted(vendors, together.failure())), List.of(), true)
          : lookAtEach(icds);
    } catch (IOException failure) {
      return new Look(List.of(), List.of(failure.toString()), List.of(), false);
    }
  }

  private Look lookAtEach(List<Path> icds) throws IOException {
    List<Path> usable = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    for (Path icd : icds) {
      Answer alone = askApart(List.of(icd), List.of(icd));
      problems.addAll(alone.problems());
      if (alone.failure().isEmpty()) {
        usable.add(icd);
      } else {
        problems.add(icd + ": " + alone.failure());
      }
    }
    if (usable.isEmpty()) {
      return new Look(List.of(), problems, usable, true);
    }
    Answer together = askApart(usable, List.of());
    if (!together.failure().isEmpty()) {
      problems.add(usable + ", which work alone, do not work together: " + together.failure());
    }
    return new Look(together.devices(), problems, usable, true);
  }

  /** Asks drivers in a directory that holds their registrations alone. */
  private Answer askApart(List<Path> registrations, List<Path> icds) throws IOException {
    Path only = folderOf(registrations);
    try {
      return ask(only, icds);
    } finally {
      delete(only);
    }
  }

  /** A new directory that holds copies of these registrations alone. */
  static Path folderOf(List<Path> icds) throws IOException {
    Path folder = Files.createTempDirectory("fairlead-icds");
    for (Path icd : icds) {
      Files.copy(icd, folder.resolve(icd.getFileName()));
    }
    return folder;
  }

  static void delete(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }

  private List<Path> registered() throws IOException {
    if (Files.isRegularFile(vendors)) {
      return List.of(vendors);
    }
    if (!Files.isDirectory(vendors)) {
      return List.of();
    }
    try (var files = Files.list(vendors)) {
      return files.filter(Icds::isRegistration).sorted().toList();
    } catch (UncheckedIOException unreadable) {
      throw unreadable.getCause();
    }
  }

  private static boolean isRegistration(Path file) {
    return file.toString().endsWith(".icd");
  }

  /**
   * What a process has said.
   *
   * @param failure why it has not come to its end; empty if it has
   */
  private record Answer(List<ClDevice> devices, List<String> problems, String failure) {
    static Answer failed(String reason) {
      return new Answer(List.of(), List.of(), reason);
    }
  }

  private Answer ask(Path registrations, List<Path> icds) throws IOException {
    Path file = Files.createTempFile("fairlead-opencl", ".txt");
    try {
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(OPTIONS);
      command.add("-D" + Cl.LIBRARY + "=" + System.getProperty(Cl.LIBRARY, ""));
      command.addAll(List.of("-cp", System.getProperty("java.class.path")));
      command.addAll(List.of(IcdProbe.class.getName(), file.toString()));
      icds.forEach(icd -> command.add(icd.toString()));
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD);
      Map<String, String> environment = builder.environment();
      environment.put(VARIABLE, registrations.toString());
      environment.remove("JAVA_TOOL_OPTIONS");
      Process process = builder.start();
      process.getOutputStream().close();
      try {
        if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
          return Answer.failed(
              "its driver did not list its devices within %d s".formatted(patience.toSeconds()));
        }
      } finally {
        process.destroyForcibly();
      }
      return read(Files.readAllLines(file), process.exitValue());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return Answer.failed("interrupted while its driver was asked");
    } finally {
      Files.delete(file);
    }
  }

  private static Answer read(List<String> lines, int exit) {
    if (!lines.contains(IcdProbe.END)) {
      return Answer.failed(
          "its driver crashed when asked for its devices (exit code %d)".formatted(exit));
    }
    return new Answer(
        with(IcdProbe.DEVICE, lines).stream().map(ClDevice::ofLine).toList(),
        with(IcdProbe.PROBLEM, lines),
        "");
  }

  private static List<String> with(String beginning, List<String> lines) {
    return lines.stream()
        .filter(line -> line.startsWith(beginning))
        .map(line -> line.substring(beginning.length()))
        .toList();
  }
}
