package dev.fairlead.media.pack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** How files that others read come to their names. */
public interface Publication {
  /** Where a file is written until it is complete, on the same disk. */
  Path draft(Path file);

  /** Gives a complete file its name. */
  void publish(Path draft, Path file, long bytes, String sha256) throws IOException;

  /** Replaces whatever has the name, and keeps no account. */
  static Publication plain() {
    return new Publication() {
      @Override
      public Path draft(Path file) {
        return file.resolveSibling("." + file.getFileName() + ".tmp");
      }

      @Override
      public void publish(Path draft, Path file, long bytes, String sha256) throws IOException {
        move(draft, file);
      }
    };
  }

  /** Renames at once, whatever has the name by now. */
  static void move(Path draft, Path file) throws IOException {
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
