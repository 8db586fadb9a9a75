package dev.fairlead.service.upload;

import dev.fairlead.service.file.Sha256;
import dev.fairlead.service.http.Problem;
import dev.fairlead.service.http.Status;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Files in the making. A file grows under {@code ID.part}, whose length is where its upload goes
 * on, and is renamed when it is whole. One request at a time writes to it. Thread-safe.
 */
public final class Uploads {
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,63}");
  private static final int PIECE = 1 << 16;
  private static final String PART = ".part";
  private static final String WHOLE = ".whole";

  private final Path directory;
  private final long minFreeBytes;
  private final Set<String> writing = ConcurrentHashMap.newKeySet();

  /**
   * An upload as it stands.
   *
   * @param offset how many bytes are here
   * @param sha256 of all of them, if it is whole
   */
  public record Upload(String id, long offset, Optional<String> sha256) {}

  /**
   * Uploads below a directory, which is made.
   *
   * @param minFreeBytes what is to be left free on its disk
   */
  public Uploads(Path directory, long minFreeBytes) {
    this.directory = directory;
    this.minFreeBytes = minFreeBytes;
    try {
      Files.createDirectories(directory);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /**
   * The file of an upload that is whole.
   *
   * @throws Problem if there is none
   */
  public Path file(String id) {
    Path file = path(id, WHOLE);
    if (!Files.isRegularFile(file)) {
      throw Problem.of(
          Status.NOT_FOUND,
          Files.exists(path(id, PART))
              ? "Upload %s is not whole yet".formatted(id)
              : "There is no upload " + id);
    }
    return file;
  }

  /** How far an upload is; one that has not begun is at 0. */
  Upload at(String id) {
    Path whole = path(id, WHOLE);
    return Files.isRegularFile(whole)
        ? new Upload(id, size(whole), Optional.of(sha256(whole)))
        : new Upload(id, size(path(id, PART)), Optional.empty());
  }

  /** Takes bytes of an upload; those that have come stay, also if the client goes away. */
  Upload put(String id, ContentRange range, InputStream bytes) {
    if (!writing.add(id)) {
      throw Problem.of(Status.CONFLICT, "Another request sends upload %s".formatted(id));
    }
    try {
      return Files.isRegularFile(path(id, WHOLE))
          ? again(id, range, bytes)
          : append(id, range, bytes);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    } finally {
      writing.remove(id);
    }
  }

  private Upload append(String id, ContentRange range, InputStream bytes) throws IOException {
    Path part = path(id, PART);
    long offset = size(part);
    if (range.from() != offset) {
      throw Problem.of(
              Status.CONFLICT,
              "Upload %s goes on at byte %d, not %d".formatted(id, offset, range.from()))
          .withHeader("Upload-Offset", String.valueOf(offset));
    }
    requireRoom(range.size() - offset);
    try (FileChannel file =
        FileChannel.open(part, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      file.position(offset);
      byte[] piece = new byte[PIECE];
      long left = range.length();
      while (left > 0) {
        int read = read(bytes, piece, (int) Math.min(PIECE, left));
        if (read < 0) {
          break;
        }
        requireRoom(read);
        for (ByteBuffer rest = ByteBuffer.wrap(piece, 0, read); rest.hasRemaining(); ) {
          file.write(rest);
        }
        left -= read;
      }
      if (left > 0) {
        throw Problem.of(
                Status.TOO_SLOW,
                "The upload stopped; it goes on at byte %d".formatted(file.position()))
            .withHeader("Upload-Offset", String.valueOf(file.position()));
      }
      file.force(true);
    }
    if (range.to() < range.size()) {
      return at(id);
    }
    Files.move(part, path(id, WHOLE), StandardCopyOption.ATOMIC_MOVE);
    return at(id);
  }

  /** A client that goes away is no failure of this side. */
  private static int read(InputStream bytes, byte[] piece, int most) {
    try {
      return bytes.read(piece, 0, most);
    } catch (IOException gone) {
      return -1;
    }
  }

  /** The bytes of an upload that is whole, once more: they have to be the same. */
  private Upload again(String id, ContentRange range, InputStream bytes) throws IOException {
    Path whole = path(id, WHOLE);
    boolean same = range.size() == size(whole);
    try (InputStream there = Files.newInputStream(whole)) {
      there.skipNBytes(same ? range.from() : 0);
      byte[] theirs = new byte[PIECE];
      for (long left = range.length(); same && left > 0; ) {
        int read = read(bytes, theirs, (int) Math.min(PIECE, left));
        same = read > 0 && Arrays.equals(there.readNBytes(read), Arrays.copyOf(theirs, read));
        left -= read;
      }
    }
    if (!same) {
      throw Problem.of(Status.CONFLICT, "Upload %s is whole, with other bytes".formatted(id));
    }
    return at(id);
  }

  private void requireRoom(long bytes) throws IOException {
    if (Files.getFileStore(directory).getUsableSpace() - bytes < minFreeBytes) {
      throw Problem.of(Status.NO_SPACE, "Too little room is left on the disk of the server");
    }
  }

  /** Removes what was last written before a moment, but for files that are in use. */
  public void removeOlder(Instant moment, Predicate<Path> inUse) {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        if (Files.getLastModifiedTime(file).toInstant().isBefore(moment) && !inUse.test(file)) {
          Files.deleteIfExists(file);
        }
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private Path path(String id, String kind) {
    if (!ID.matcher(id).matches()) {
      throw Problem.of(
          Status.BAD_REQUEST,
          "\"%s\" is no id of an upload: up to 64 letters, digits, dashes".formatted(id));
    }
    return directory.resolve(id + kind);
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (NoSuchFileException none) {
      return 0;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static String sha256(Path file) {
    try {
      return Sha256.of(file);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
