package dev.fairlead.service.page;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The sources of the page, with what npm brings for them, in the build's own directory. */
public final class TestingBundle {
  private static final Path SOURCES = Path.of("page").toAbsolutePath();
  private static final Path HOME = Path.of("target", "page").toAbsolutePath();
  private static final long SECONDS = 240;

  private TestingBundle() {}

  /** Builds the page into a directory. */
  static void build(Path output) throws IOException, InterruptedException {
    install();
    run("node", "build.mjs", output.toString());
  }

  /** Runs the tests of the sources themselves. */
  static void test() throws IOException, InterruptedException {
    install();
    run("node", "--test");
  }

  /** What looks for barriers in a page (axe-core), as a script. */
  public static String axe() throws IOException, InterruptedException {
    install();
    return Files.readString(HOME.resolve("node_modules/axe-core/axe.min.js"));
  }

  /** Copies the sources, and has npm bring what the lock file names, once for each lock file. */
  private static synchronized void install() throws IOException, InterruptedException {
    Path installed = HOME.resolve("installed");
    String wanted = Files.readString(SOURCES.resolve("package-lock.json"));
    copy();
    if (!Files.exists(installed) || !Files.readString(installed).equals(wanted)) {
      run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund");
      Files.writeString(installed, wanted);
    }
  }

  private static void copy() throws IOException {
    try (Stream<Path> files = Files.walk(SOURCES)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path relative = SOURCES.relativize(file);
        if (!relative.startsWith("node_modules")) {
          Path copy = HOME.resolve(relative);
          Files.createDirectories(copy.getParent());
          Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
  }

  private static void run(String... command) throws IOException, InterruptedException {
    Path log = HOME.resolve("log");
    Process process =
        new ProcessBuilder(command)
            .directory(HOME.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      throw new AssertionError("Still running after %d s: %s".formatted(SECONDS, List.of(command)));
    }
    if (process.exitValue() != 0) {
      throw new AssertionError(
          "%s ended with %d: %s"
              .formatted(List.of(command), process.exitValue(), Files.readString(log)));
    }
  }
}
