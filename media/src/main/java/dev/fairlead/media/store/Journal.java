package dev.fairlead.media.store;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * An append-only account of a job, on disk before {@link #append} returns.
 *
 * <p>A process that dies while it appends leaves a last line that is cut off or not all there. No
 * caller was told that it was written, so it is dropped when the journal is opened again. Anything
 * else that is wrong is an error. The file is a {@link RandomAccessFile}, since a channel would be
 * closed for all threads when one of them is interrupted.
 */
public final class Journal implements AutoCloseable {
  static final String FILE_NAME = "journal";

  private final Path file;
  private final RandomAccessFile out;
  private final JournalState state;
  private String checksum;
  private long length;
  private boolean broken;

  private Journal(Path file, RandomAccessFile out, Replay replay) {
    this.file = file;
    this.out = out;
    this.state = replay.state;
    this.checksum = replay.checksum;
    this.length = replay.length;
  }

  /** What has been read so far, and up to where. */
  private static final class Replay {
    final JournalState state = new JournalState();
    final List<JournalEntry> entries = new ArrayList<>();
    String checksum = JournalText.FIRST;
    long length;
  }

  /**
   * Opens the journal of a directory, or begins one.
   *
   * @throws CorruptJournal if more than its last line is damaged
   */
  public static Journal open(Path directory) {
    Path file = directory.resolve(FILE_NAME);
    try {
      DurableFiles.createDirectories(directory);
      Replay replay = replay(file);
      replay.state.processDied();
      if (!replay.state.isFinished()) {
        loseMissing(directory, replay.state);
      }
      RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw");
      try {
        out.setLength(replay.length);
        out.seek(replay.length);
        out.getFD().sync();
        DurableFiles.force(directory);
        return new Journal(file, out, replay);
      } catch (IOException failure) {
        out.close();
        throw failure;
      }
    } catch (IOException failure) {
      throw new UncheckedIOException("Cannot open " + file, failure);
    }
  }

  /** The entries of a directory's journal, without changing it. */
  static List<JournalEntry> entries(Path directory) {
    Path file = directory.resolve(FILE_NAME);
    try {
      return List.copyOf(replay(file).entries);
    } catch (IOException failure) {
      throw new UncheckedIOException("Cannot read " + file, failure);
    }
  }

  /** What a directory's journal says up to where it is damaged, without changing it. */
  static JournalState readable(Path directory) throws IOException {
    Replay replay = new Replay();
    try {
      replay(directory.resolve(FILE_NAME), replay);
    } catch (CorruptJournal rest) {
      // Each line vouches for those before it.
    }
    return replay.state;
  }

  private static Replay replay(Path file) throws IOException {
    Replay replay = new Replay();
    replay(file, replay);
    return replay;
  }

  private static void replay(Path file, Replay replay) throws IOException {
    byte[] bytes = Files.exists(file) ? Files.readAllBytes(file) : new byte[0];
    int start = 0;
    for (int number = 1; start < bytes.length; number++) {
      int end = start;
      while (end < bytes.length && bytes[end] != '\n') {
        end++;
      }
      String line = new String(bytes, start, end - start, StandardCharsets.UTF_8);
      if (end == bytes.length || !JournalText.isWhole(replay.checksum, line)) {
        if (end + 1 < bytes.length) {
          throw new CorruptJournal(file, number, "it does not match its checksum");
        }
        return;
      }
      try {
        JournalEntry entry = JournalText.entry(line);
        replay.entries.add(entry);
        replay.state.apply(entry);
      } catch (IllegalArgumentException mistake) {
        throw new CorruptJournal(file, number, String.valueOf(mistake.getMessage()));
      }
      replay.checksum = JournalText.checksumOf(line);
      start = end + 1;
      replay.length = start;
    }
  }

  private static void loseMissing(Path directory, JournalState state) {
    for (JournalEntry.Committed committed : List.copyOf(state.committed().values())) {
      Path chunk = directory.resolve(committed.file());
      if (!Files.isRegularFile(chunk) || chunk.toFile().length() != committed.bytes()) {
        state.lose(committed.unit());
      }
    }
  }

  /** Writes an entry, durable when this returns. If it throws, nothing was written. */
  public synchronized void append(JournalEntry entry) {
    if (broken) {
      throw new IllegalStateException(file + " could not be written before; open it again");
    }
    String line = JournalText.line(checksum, entry);
    byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
    try {
      out.write(bytes);
      out.getFD().sync();
    } catch (IOException failure) {
      takeBack(failure);
      throw new UncheckedIOException("Cannot write " + file, failure);
    }
    length += bytes.length;
    checksum = JournalText.checksumOf(line);
    state.apply(entry);
  }

  /** Writes that a unit is committed, unless it was before; whether it was not. */
  synchronized boolean commit(JournalEntry.Committed entry) {
    boolean first = !state.committed().containsKey(entry.unit());
    if (first) {
      append(entry);
    }
    return first;
  }

  private void takeBack(IOException failure) {
    try {
      out.setLength(length);
      out.seek(length);
    } catch (IOException again) {
      broken = true;
      failure.addSuppressed(again);
    }
  }

  /** The file of a unit is not what was committed; the unit has to be done again. */
  public synchronized void lose(UnitId unit) {
    JournalEntry.Committed before = state.committed().get(unit);
    if (before != null) {
      DurableFiles.deleteQuietly(file.resolveSibling(before.file()));
      state.lose(unit);
    }
  }

  /** Units whose files are gone have to be done again. */
  synchronized void loseMissing() {
    loseMissing(DurableFiles.directoryOf(file), state);
  }

  /** What the journal says now. */
  public synchronized JournalState state() {
    return state.copy();
  }

  @Override
  public synchronized void close() {
    broken = true;
    try {
      out.close();
    } catch (IOException ignored) {
      // every entry is on disk
    }
  }
}
