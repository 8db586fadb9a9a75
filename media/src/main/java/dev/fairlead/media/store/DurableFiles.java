package dev.fairlead.media.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Files that are there whole or not at all, also when the power goes: written under another name on
 * the same disk, brought to the disk, renamed, and the directory brought to the disk too.
 */
public final class DurableFiles {
  /** How the names of files end that are not complete. */
  static final String PARTIAL = ".part";

  private static final AtomicLong COUNT = new AtomicLong();

  private DurableFiles() {}

  /** Another name for a file, until it is complete: in its directory, and used once. */
  static Path partialOf(Path file) {
    return file.resolveSibling(
        "%s.%d-%d%s"
            .formatted(
                file.getFileName(),
                ProcessHandle.current().pid(),
                COUNT.incrementAndGet(),
                PARTIAL));
  }

  public static Path directoryOf(Path file) {
    Path parent = file.toAbsolutePath().getParent();
    if (parent == null) {
      throw new IllegalArgumentException(file + " is not in a directory");
    }
    return parent;
  }

  /** Gives a file that is complete and on the disk its name, at once and durably. */
  public static void rename(Path partial, Path file) throws IOException {
    Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    force(directoryOf(file));
  }

  /** Makes a directory and those above it, each known to the disk. */
  public static void createDirectories(Path directory) throws IOException {
    if (Files.isDirectory(directory)) {
      return;
    }
    Path parent = directoryOf(directory);
    createDirectories(parent);
    Files.createDirectories(directory);
    force(parent);
  }

  /** Brings the names in a directory to the disk. */
  public static void force(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /** Deletes a file, or a directory with all that is in it; links are not followed. */
  static void delete(Path path) throws IOException {
    if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    Files.walkFileTree(
        path,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
              throws IOException {
            if (failure != null) {
              throw failure;
            }
            Files.delete(directory);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /** For a file that is of no use any more, while another failure is on its way. */
  public static void deleteQuietly(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException ignored) {
      // its name says that it is not complete; the next run removes it
    }
  }
}
