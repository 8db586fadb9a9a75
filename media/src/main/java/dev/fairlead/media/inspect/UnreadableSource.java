package dev.fairlead.media.inspect;

import java.nio.file.Path;

/** A source that cannot be read, or holds nothing that can be encoded. */
public final class UnreadableSource extends RuntimeException {
  public UnreadableSource(Path source, String why) {
    super(source + ": " + why);
  }

  public UnreadableSource(Path source, String why, Throwable cause) {
    super(source + ": " + why, cause);
  }
}
