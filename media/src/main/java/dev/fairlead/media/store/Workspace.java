package dev.fairlead.media.store;

import dev.fairlead.media.plan.Fingerprint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * An output directory while a job owns it.
 *
 * <pre>
 *   DIR/.fairlead/lock
 *   DIR/.fairlead/journal
 *   DIR/.fairlead/chunks/720p/000012.chunk
 *   DIR/.fairlead/tmp/…
 *   DIR/…                                    what others read
 * </pre>
 */
public final class Workspace implements AutoCloseable {
  private static final String DIRECTORY = ".fairlead";
  private static final String CHUNKS = "chunks";
  private static final String TEMPORARY = "tmp";

  private final Path output;
  private final OutputLock lock;
  private Journal journal;

  /** How what is in the directory stands to what is wanted now. */
  public sealed interface Standing {
    /** Nothing is there. */
    record Fresh() implements Standing {}

    /** Some of it is done. */
    record Resumable(JournalState state) implements Standing {}

    /** All of it is done. */
    record Finished() implements Standing {}

    /** Something else is there. */
    record Different(List<Fingerprint.Difference> differences) implements Standing {
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
   * @throws CorruptJournal if the journal is damaged; {@link #openAnew} does not mind
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

  /** Where the samples of a unit belong. */
  public Path chunkFile(UnitId unit) {
    return directory().resolve(chunkName(unit));
  }

  /** Where a committed unit is. */
  public Path chunkFile(JournalEntry.Committed committed) {
    return directory().resolve(committed.file());
  }

  /** Notes in the journal that a unit's file is written. */
  public void commit(UnitId unit, ChunkFile.Facts facts) {
    journal.append(
        new JournalEntry.Committed(
            unit, chunkName(unit), facts.samples(), facts.bytes(), facts.sha256()));
  }

  /** A place for a file that nobody misses when the run ends. */
  public Path temporaryFile(String name) {
    Path temporary = directory().resolve(TEMPORARY);
    try {
      DurableFiles.createDirectories(temporary);
    } catch (IOException failure) {
      throw new UncheckedIOException("Cannot make " + temporary, failure);
    }
    return temporary.resolve(name);
  }

  public boolean isFinished() {
    return journal.state().isFinished();
  }

  /** How what is there stands to what is wanted now. */
  public Standing standing(Fingerprint wanted) {
    JournalState state = journal.state();
    if (state.fingerprint().isEmpty()) {
      return new Standing.Fresh();
    }
    List<Fingerprint.Difference> differences = state.fingerprint().get().differences(wanted);
    if (!differences.isEmpty()) {
      return new Standing.Different(differences);
    }
    return state.isFinished() ? new Standing.Finished() : new Standing.Resumable(state);
  }

  /** Throws away what there is of this job and begins an empty journal. */
  public void restart() {
    journal.close();
    try {
      clear(output);
    } catch (IOException failure) {
      throw new UncheckedIOException("Cannot clear " + output, failure);
    }
    journal = Journal.open(directory());
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

  private static String chunkName(UnitId unit) {
    return CHUNKS + "/" + unit + ".chunk";
  }

  /** The journal goes last: until then it says what is to be removed. */
  private static void clear(Path output) throws IOException {
    Path directory = output.resolve(DIRECTORY);
    for (String path : publishedBefore(directory)) {
      Path published = output.resolve(path).normalize();
      boolean inside = published.startsWith(output.normalize());
      if (inside && !published.equals(output.normalize()) && !published.startsWith(directory)) {
        DurableFiles.delete(published);
      }
    }
    DurableFiles.delete(directory.resolve(CHUNKS));
    DurableFiles.delete(directory.resolve(TEMPORARY));
    DurableFiles.delete(directory.resolve(Journal.FILE_NAME));
    DurableFiles.force(directory);
  }

  private static List<String> publishedBefore(Path directory) {
    try {
      return Journal.entries(directory).stream()
          .flatMap(entry ->
              entry instanceof JournalEntry.Publishing publishing
                  ? publishing.paths().stream()
                  : Stream.empty())
          .toList();
    } catch (CorruptJournal unreadable) {
      return List.of();
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
