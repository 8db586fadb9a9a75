package dev.fairlead.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where files are kept from run to run: one of each kind for each machine, since home directories
 * may be shared.
 */
final class StateDirectory {
  private StateDirectory() {}

  /** The file of a kind for this machine, such as {@code costs}. */
  static Path file(String kind, String ending) {
    String state = System.getenv("XDG_STATE_HOME");
    Path base =
        state == null || state.isBlank()
            ? Path.of(System.getProperty("user.home"), ".local", "state")
            : Path.of(state);
    return base.resolve("fairlead").resolve(kind + "-" + host() + ending);
  }

  private static String host() {
    try {
      return Files.readString(Path.of("/etc/hostname")).strip().replaceAll("[^\\w.-]", "_");
    } catch (IOException unknown) {
      return "localhost";
    }
  }
}
