package dev.fairlead.media.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps a second writer out of a directory, in this process or another. The system lets go of it
 * when the process ends, however it ends.
 */
public final class OutputLock implements AutoCloseable {
  private static final String FILE_NAME = "lock";
  private static final String HERE = "this process";

  /** What this process holds: the system's locks are per process. */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final Path directory;
  private final FileChannel channel;

  /** Another job writes there. */
  public static final class Busy extends RuntimeException {
    private final String holder;

    Busy(Path directory, String holder) {
      super(
          "%s is being written by %s%s; wait for it, or choose another output"
              .formatted(directory, holder.equals(HERE) ? "another job of " : "", holder));
      this.holder = holder;
    }

    /** Which process has it, in words. */
    public String holder() {
      return holder;
    }
  }

  private OutputLock(Path directory, FileChannel channel) {
    this.directory = directory;
    this.channel = channel;
  }

  /**
   * Takes the lock of a directory, which is made if need be.
   *
   * @throws Busy if another has it
   */
  public static OutputLock open(Path directory) {
    try {
      DurableFiles.createDirectories(directory);
      Path real = directory.toRealPath();
      if (!HELD.add(real)) {
        throw new Busy(directory, HERE);
      }
      boolean locked = false;
      try {
        OutputLock lock = lock(directory, real);
        locked = true;
        return lock;
      } finally {
        if (!locked) {
          HELD.remove(real);
        }
      }
    } catch (IOException failure) {
      throw new UncheckedIOException("Cannot lock " + directory, failure);
    }
  }

  private static OutputLock lock(Path directory, Path real) throws IOException {
    Path file = real.resolve(FILE_NAME);
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    boolean locked = false;
    try {
      FileLock lock = channel.tryLock();
      if (lock == null) {
        throw new Busy(directory, holder(file));
      }
      channel.truncate(0);
      channel.write(ByteBuffer.wrap(self()), 0);
      locked = true;
      return new OutputLock(real, channel);
    } finally {
      if (!locked) {
        channel.close();
      }
    }
  }

  private static byte[] self() {
    return Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.UTF_8);
  }

  private static String holder(Path file) {
    try {
      String pid = Files.readString(file).strip();
      return pid.isEmpty() ? "another process" : "process " + pid;
    } catch (IOException unknown) {
      return "another process";
    }
  }

  @Override
  public void close() {
    if (!channel.isOpen()) {
      return;
    }
    try {
      channel.close();
    } catch (IOException ignored) {
      // the system has let go of it all the same
    } finally {
      HELD.remove(directory);
    }
  }
}
