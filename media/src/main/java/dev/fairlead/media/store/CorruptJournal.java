package dev.fairlead.media.store;

import java.nio.file.Path;

/** A journal is not what was written, and not merely cut off. */
public final class CorruptJournal extends RuntimeException {
  CorruptJournal(Path file, int line, String why) {
    super("Line %d of %s cannot be read: %s".formatted(line, file, why));
  }
}
