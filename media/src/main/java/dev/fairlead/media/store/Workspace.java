package dev.fairlead.media.store;

import dev.fairlead.device.DeviceId;
import dev.fairlead.media.plan.Fingerprint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An output directory while a job owns it.
 *
 * <pre>
 *   DIR/.fairlead/lock
 *   DIR/.fairlead/journal
 *   DIR/.fairlead/chunks/720p/000012-cpu+0.chunk
 *   DIR/.fairlead/tmp/…
 *   DIR/…                                    what others read
 * </pre>
 */
public final class Workspace implements AutoCloseable {
  private static final String DIRECTORY = ".fairlead";
  private static final String CHUNKS = "chunks";
  private static final String TEMPORARY = "tmp";
  private static final String PLAIN =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-";

  private final Path output;
  private final OutputLock lock;
  private final Journal journal;

  /** How what is in the directory stands to what is wanted now. */
  public sealed interface Standing {
    /** Nothing is there. */
    record Fresh() implements Standing {}

    /** Some of it is done. */
    record Resumable(JournalState state) implements Standing {}

    /** All of it is done. */
    record Finished() implements Standing {}

    /**
     * Something else is there.
     *
     * @param source what the source of that was called; empty where that was not kept
     */
    record Different(String source, List<Fingerprint.Difference> differences) implements Standing {
      public Different {
        differences = List.copyOf(differences);
      }
    }
  }

  private Workspace(Path output, OutputLock lock, Journal journal) {
    this.output = output;
    this.lock = lock;
    this.journal = journal;
  }

  /**
   * Takes an output directory, which is made if need be, and reads what an earlier run left.
   *
   * @throws OutputLock.Busy if another writes there
   * @throws CorruptJournal if the journal is damaged; {@link #openAnew} takes that
   */
  public static Workspace open(Path output) {
    return open(output, false);
  }

  /** Takes an output directory and throws away what earlier runs left. */
  public static Workspace openAnew(Path output) {
    return open(output, true);
  }

  private static Workspace open(Path output, boolean anew) {
    Path directory = output.resolve(DIRECTORY);
    OutputLock lock = OutputLock.open(directory);
    boolean opened = false;
    try {
      if (anew) {
        clear(output);
      }
      DurableFiles.delete(directory.resolve(TEMPORARY));
      deletePartials(directory.resolve(CHUNKS));
      Workspace workspace = new Workspace(output, lock, Journal.open(directory));
      opened = true;
      return workspace;
    } catch (IOException failure) {
      throw new UncheckedIOException("Cannot prepare " + output, failure);
    } finally {
      if (!opened) {
        lock.close();
      }
    }
  }

  public Path output() {
    return output;
  }

  public Journal journal() {
    return journal;
  }

  /** Where a device puts the samples of a unit; two that do the same one do not meet. */
  public Path chunkFile(UnitId unit, DeviceId device) {
    String name = "%06d-%s.chunk".formatted(unit.chunk(), asName(device));
    return chunkDirectory(unit.rung()).resolve(name);
  }

  /** An id in letters that every file system takes; no two ids become the same. */
  private static String asName(DeviceId device) {
    StringBuilder name = new StringBuilder();
    for (byte each : device.value().getBytes(StandardCharsets.UTF_8)) {
      char letter = (char) each;
      if (letter == ':') {
        name.append('+');
      } else if (PLAIN.indexOf(letter) >= 0) {
        name.append(letter);
      } else {
        name.append("_%02x".formatted(each));
      }
    }
    return name.toString();
  }

  /** Where the chunks of a rung go, or the pieces of an audio track. */
  public Path chunkDirectory(String rung) {
    return directory().resolve(CHUNKS).resolve(rung).toAbsolutePath();
  }

  /** Where a committed unit is. */
  public Path chunkFile(JournalEntry.Committed committed) {
    return directory().resolve(committed.file());
  }

  /**
   * Commits a unit: its file, which is complete and has its name, is noted in the journal. The
   * first to commit wins.
   *
   * @return whether this was the first
   */
  public boolean commit(UnitId unit, Path file, ChunkFile.Summary written) {
    String name = directory().toAbsolutePath().relativize(file.toAbsolutePath()).toString();
    return journal.commit(
        new JournalEntry.Committed(
            unit, name, written.samples(), written.bytes(), written.checksum()));
  }

  /** A place for a file that is not needed after the run. */
  public Path temporaryFile(String name) {
    Path temporary = directory().resolve(TEMPORARY);
    try {
      DurableFiles.createDirectories(temporary);
    } catch (IOException failure) {
      throw new UncheckedIOException("Cannot make " + temporary, failure);
    }
    return temporary.resolve(name);
  }

  /** How what is there stands to what is wanted now. */
  public Standing standing(Fingerprint wanted) {
    JournalState state = journal.state();
    if (state.fingerprint().isEmpty()) {
      return new Standing.Fresh();
    }
    Fingerprint before = state.fingerprint().get();
    List<Fingerprint.Difference> differences = before.differences(wanted);
    if (!differences.isEmpty()) {
      return state.hasMadeNothing()
          ? new Standing.Fresh()
          : new Standing.Different(before.sourceName(), differences);
    }
    return state.isFinished() ? new Standing.Finished() : new Standing.Resumable(state);
  }

  /** Begins a finished job again, in which files have changed: what it published stays its own. */
  public JournalState reopen(Fingerprint wanted) {
    journal.append(new JournalEntry.Begun(wanted));
    journal.loseMissing();
    return journal.state();
  }

  /** Notes that all is written, and removes what only the job needed; the journal stays. */
  public void finish() {
    journal.append(new JournalEntry.Finished());
    try {
      DurableFiles.delete(directory().resolve(CHUNKS));
      DurableFiles.delete(directory().resolve(TEMPORARY));
    } catch (IOException failure) {
      throw new UncheckedIOException("Cannot clean up " + directory(), failure);
    }
  }

  private Path directory() {
    return output.resolve(DIRECTORY);
  }

  /**
   * The files that earlier runs have published in a directory, as its journal says. Nothing is
   * changed, and no lock is taken.
   */
  public static List<Path> publishedIn(Path output) {
    Path root = output.normalize();
    Path directory = root.resolve(DIRECTORY);
    try {
      return Journal.readable(directory).published().keySet().stream()
          .map(path -> root.resolve(path).normalize())
          .filter(file -> file.startsWith(root) && !file.equals(root))
          .filter(file -> !file.startsWith(directory))
          .toList();
    } catch (IOException failure) {
      throw new UncheckedIOException("Cannot read the journal in " + directory, failure);
    }
  }

  /** The journal goes last: until then it says what is to be removed. */
  private static void clear(Path output) throws IOException {
    Path directory = output.resolve(DIRECTORY);
    for (Path file : publishedIn(output)) {
      if (!Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
        Files.deleteIfExists(file);
        removeEmpty(file.getParent(), output.normalize());
      }
    }
    DurableFiles.delete(directory.resolve(CHUNKS));
    DurableFiles.delete(directory.resolve(TEMPORARY));
    DurableFiles.delete(directory.resolve(Journal.FILE_NAME));
    DurableFiles.force(directory);
  }

  /** Removes a directory below the output in which nothing is left. */
  private static void removeEmpty(@Nullable Path directory, Path output) throws IOException {
    if (directory == null || directory.equals(output) || !Files.isDirectory(directory)) {
      return;
    }
    try {
      Files.delete(directory);
    } catch (DirectoryNotEmptyException others) {
      // What is in there is for others to remove.
    }
  }

  private static void deletePartials(Path chunks) throws IOException {
    if (!Files.isDirectory(chunks)) {
      return;
    }
    try (Stream<Path> files = Files.walk(chunks)) {
      for (Path file : files.toList()) {
        if (file.toString().endsWith(DurableFiles.PARTIAL)) {
          Files.deleteIfExists(file);
        }
      }
    }
  }

  @Override
  public void close() {
    journal.close();
    lock.close();
  }
}
