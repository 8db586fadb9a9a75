package dev.fairlead.media.store;

import java.nio.file.Path;

/** A file of samples is not what was written; the chunk has to be made again. */
public final class CorruptChunk extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient Path file;

  CorruptChunk(Path file, String why) {
    super(file + " is not a whole file of samples: " + why);
    this.file = file;
  }

  CorruptChunk(Path file, String why, Throwable cause) {
    super(file + " is not a whole file of samples: " + why, cause);
    this.file = file;
  }

  public Path file() {
    return file;
  }
}
