package dev.fairlead.media.pack;

import dev.fairlead.media.store.DurableFiles;
import java.io.IOException;
import java.nio.file.Path;

/** How files that others read come to their names. */
public interface Publication {
  /** Where a file is written until it is complete, on the same disk. */
  Path draft(Path file);

  /** Gives a complete file its name, durably. */
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
        DurableFiles.rename(draft, file);
      }
    };
  }
}
