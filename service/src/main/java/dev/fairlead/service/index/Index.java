package dev.fairlead.service.index;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/**
 * What can be asked about jobs, in SQLite: one thread writes, one reads, and what is written is on
 * the disk when {@link #write} returns. It says nothing that the job logs do not say: one that is
 * missing, damaged or of another version begins empty, and is filled from them. Thread-safe.
 */
public final class Index implements AutoCloseable {
  private static final String FILE = "index.sqlite";
  private static final int BUSY_MILLIS = 10_000;

  private final SqlThread writer;
  private final SqlThread reader;

  /** A piece of work on the index; all of it happens, or nothing. */
  @FunctionalInterface
  public interface Work<T> {
    T on(Connection connection) throws SQLException;
  }

  private Index(SqlThread writer, SqlThread reader) {
    this.writer = writer;
    this.reader = reader;
  }

  /**
   * Opens the index of a data directory, which belongs to one service at a time.
   *
   * @throws IndexException if the directory cannot hold one
   */
  public static Index open(Path data) {
    NativeLibrary.load(data);
    Path file = data.resolve(FILE);
    Connection writing = usable(file);
    try {
      Connection reading = connect(file);
      return new Index(
          new SqlThread("index writer", writing), new SqlThread("index reader", reading));
    } catch (SQLException failure) {
      closeQuietly(writing);
      throw new IndexException("The index %s cannot be read".formatted(file), failure);
    }
  }

  /**
   * Copies the index of a data directory, as it is at one moment, also while a service writes it.
   *
   * @return false if there is none
   */
  public static boolean copy(Path data, Path to) {
    Path file = data.resolve(FILE);
    if (!Files.exists(file)) {
      return false;
    }
    NativeLibrary.loadElsewhere();
    try (Connection connection = connect(file)) {
      connection.setAutoCommit(true);
      try (PreparedStatement copy = connection.prepareStatement("VACUUM INTO ?")) {
        copy.setString(1, to.toString());
        copy.execute();
      }
      return true;
    } catch (SQLException failure) {
      throw new IndexException("The index %s cannot be copied".formatted(file), failure);
    }
  }

  /** The index that is there, or a new one in its place. */
  private static Connection usable(Path file) {
    try {
      if (Files.exists(file)) {
        Connection there = connect(file);
        if (Schema.fits(there)) {
          there.commit();
          return there;
        }
        closeQuietly(there);
      }
    } catch (SQLException damaged) {
      // A new one says the same.
    }
    try {
      for (String ending : List.of("", "-wal", "-shm")) {
        Files.deleteIfExists(file.resolveSibling(FILE + ending));
      }
      Connection made = connect(file);
      Schema.create(made);
      made.commit();
      return made;
    } catch (IOException failure) {
      throw new UncheckedIOException("The index %s cannot be made".formatted(file), failure);
    } catch (SQLException failure) {
      throw new IndexException("The index %s cannot be made".formatted(file), failure);
    }
  }

  private static Connection connect(Path file) throws SQLException {
    SQLiteConfig config = new SQLiteConfig();
    config.setJournalMode(SQLiteConfig.JournalMode.WAL);
    config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
    config.setBusyTimeout(BUSY_MILLIS);
    SQLiteDataSource source = new SQLiteDataSource(config);
    source.setUrl("jdbc:sqlite:" + file);
    Connection connection = source.getConnection();
    connection.setAutoCommit(false);
    return connection;
  }

  private static void closeQuietly(Connection connection) {
    try {
      connection.close();
    } catch (SQLException late) {
      // It is not used any more.
    }
  }

  /** Asks something; sees all that was written before. */
  public <T> T read(Work<T> work) {
    return reader.run(work);
  }

  /** Changes something; on the disk when this returns. */
  public <T> T write(Work<T> work) {
    return writer.run(work);
  }

  @Override
  public void close() {
    try (writer) {
      reader.close();
    }
  }
}
