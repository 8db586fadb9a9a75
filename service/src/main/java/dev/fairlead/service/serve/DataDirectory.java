package dev.fairlead.service.serve;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The directory that a service keeps everything in; locked while it runs. */
final class DataDirectory implements AutoCloseable {
  private static final Set<String> NETWORKS =
      Set.of(
          "nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "ceph", "9p", "fuse.sshfs", "glusterfs");

  private final Path directory;
  private final FileChannel lock;

  private DataDirectory(Path directory, FileChannel lock) {
    this.directory = directory;
    this.lock = lock;
  }

  /**
   * Takes a directory, which is made if it is not there.
   *
   * @throws IllegalStateException if another service has it, or it is on another machine
   */
  static DataDirectory open(Path directory) {
    try {
      Files.createDirectories(directory);
      requireLocal(directory, Files.getFileStore(directory).type());
      FileChannel channel =
          FileChannel.open(
              directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (tryLock(channel) == null) {
        channel.close();
        throw new IllegalStateException(
            "%s is in use by another service; stop that one, or choose another --data"
                .formatted(directory));
      }
      return new DataDirectory(directory, channel);
    } catch (IOException failure) {
      throw new UncheckedIOException(
          "The data directory %s cannot be used".formatted(directory), failure);
    }
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException here) {
      return null; // a service of this process has it
    }
  }

  /** Locks and renames on a disk of another machine are not what they are here. */
  static void requireLocal(Path directory, String type) {
    if (NETWORKS.contains(type.toLowerCase(Locale.ROOT))) {
      throw new IllegalStateException(
          "%s is on a network file system (%s); --data has to be on a disk of this machine"
              .formatted(directory, type));
    }
  }

  Path records() {
    return directory.resolve("records");
  }

  Path uploads() {
    return directory.resolve("uploads");
  }

  /** Outputs of jobs that name none. */
  Path packages() {
    return directory.resolve("packages");
  }

  /** What was done for jobs. */
  Path traces() {
    return directory.resolve("traces");
  }

  boolean hasRoom(long minFreeBytes) {
    try {
      return Files.getFileStore(directory).getUsableSpace() >= minFreeBytes;
    } catch (IOException unknown) {
      return true;
    }
  }

  @Override
  public void close() {
    try {
      lock.close();
    } catch (IOException late) {
      throw new UncheckedIOException(late);
    }
  }
}
