package dev.fairlead.service.index;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.sqlite.SQLiteJDBCLoader;

/**
 * SQLite's code, which its driver unpacks into a directory and loads. A process that is killed
 * leaves it there: below the data directory the next service removes it. Where files of that disk
 * cannot be executed, the driver takes the temporary directory.
 */
final class NativeLibrary {
  private static final String PLACE = "org.sqlite.tmpdir";
  private static final String DIRECTORY = "native";

  private NativeLibrary() {}

  /** Loads it, unless this process has; a directory that the property names is the only one. */
  static synchronized void load(Path data) {
    if (System.getProperty(PLACE) != null) {
      initialize();
      return;
    }
    Path directory = data.resolve(DIRECTORY);
    empty(directory);
    System.setProperty(PLACE, directory.toString());
    try {
      initialize();
    } catch (IndexException refused) {
      System.setProperty(PLACE, System.getProperty("java.io.tmpdir"));
      initialize();
    }
  }

  /** The same beside a service, whose directory is its own. */
  static synchronized void loadElsewhere() {
    if (System.getProperty(PLACE) == null) {
      System.setProperty(PLACE, System.getProperty("java.io.tmpdir"));
    }
    initialize();
  }

  private static void initialize() {
    try {
      SQLiteJDBCLoader.initialize();
    } catch (Exception failure) {
      throw new IndexException(
          "SQLite cannot be loaded from %s; -D%s=DIR names a directory whose files can be executed"
              .formatted(System.getProperty(PLACE), PLACE),
          failure);
    }
  }

  private static void empty(Path directory) {
    try {
      Files.createDirectories(directory);
      try (Stream<Path> left = Files.list(directory)) {
        for (Path each : left.toList()) {
          Files.deleteIfExists(each);
        }
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
