package dev.fairlead.service.client;

import java.nio.file.Path;

/** A file that is in the way of one of a package, and has other bytes. */
public final class OtherFile extends RuntimeException {
  private static final long serialVersionUID = 1;

  OtherFile(Path file) {
    super("%s is there already, with other bytes".formatted(file));
  }
}
