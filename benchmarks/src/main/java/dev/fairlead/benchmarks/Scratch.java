package dev.fairlead.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A directory for as long as a benchmark runs. Also when the program is interrupted, nothing that
 * it started goes on, and nothing is left.
 */
final class Scratch implements AutoCloseable {
  private final Path directory;
  private final Thread hook = new Thread(this::abandon, "benchmark cleanup");

  private Scratch(Path directory) {
    this.directory = directory;
  }

  static Scratch open() throws IOException {
    return own(Files.createTempDirectory("fairlead-bench"));
  }

  /** One below another directory than that of temporary files. */
  static Scratch open(Path parent) throws IOException {
    return own(Files.createTempDirectory(parent, "fairlead-bench"));
  }

  private static Scratch own(Path directory) {
    Scratch scratch = new Scratch(directory);
    Runtime.getRuntime().addShutdownHook(scratch.hook);
    return scratch;
  }

  Path directory() {
    return directory;
  }

  private void abandon() {
    ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
    try {
      delete(directory);
    } catch (IOException stillWritten) {
      // It is among temporary files.
    }
  }

  @Override
  public void close() throws IOException {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException ending) {
      return; // the hook is at it
    }
    delete(directory);
  }

  static void delete(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    List<Path> files;
    try (Stream<Path> walk = Files.walk(directory)) {
      files = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : files) {
      Files.deleteIfExists(file);
    }
  }
}
