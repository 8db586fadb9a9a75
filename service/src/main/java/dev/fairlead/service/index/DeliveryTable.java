package dev.fairlead.service.index;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What is to be told to others about jobs that are over, and what was. Thread-safe. */
public final class DeliveryTable {
  static final List<String> SCHEMA =
      List.of(
          """
          CREATE TABLE deliveries (
            id TEXT PRIMARY KEY,
            job TEXT NOT NULL,
            host TEXT NOT NULL,
            url TEXT NOT NULL,
            body TEXT NOT NULL,
            state TEXT NOT NULL,
            attempts INTEGER NOT NULL,
            status INTEGER NOT NULL,
            trouble TEXT NOT NULL,
            due INTEGER NOT NULL) WITHOUT ROWID
          """,
          "CREATE INDEX deliveries_job ON deliveries (job, id)",
          "CREATE INDEX deliveries_due ON deliveries (host, state, due)");

  private static final String COLUMNS =
      "id, job, host, url, body, state, attempts, status, trouble, due";

  private final Index index;

  /** How far a delivery is. */
  public enum State {
    /** It is sent, or will be sent once more. */
    PENDING,
    /** Its receiver has taken it. */
    DELIVERED,
    /** Its receiver did not take it within a day; it is not sent any more. */
    FAILED
  }

  /**
   * A delivery.
   *
   * @param id the same each time that it is sent
   * @param host whose turn it waits for
   * @param url where it is sent to
   * @param attempts how often it was sent
   * @param last what came of the last attempt
   * @param due when it is to be sent again
   */
  public record Row(
      String id,
      String job,
      String host,
      String url,
      String body,
      State state,
      int attempts,
      Answer last,
      Instant due) {
    /** The same after an attempt. */
    public Row attempted(State now, Answer answer, Instant next) {
      return new Row(id, job, host, url, body, now, attempts + 1, answer, next);
    }
  }

  /**
   * What came of an attempt.
   *
   * @param status of HTTP; empty if there was no answer
   * @param trouble why there was none; empty if there was
   */
  public record Answer(Optional<Integer> status, String trouble) {
    public static final Answer NONE = new Answer(Optional.empty(), "");
  }

  public DeliveryTable(Index index) {
    this.index = index;
  }

  /** Takes a delivery down within a larger piece of work; one that is there stays as it is. */
  static void add(Connection connection, Row row) throws SQLException {
    put(connection, "INSERT OR IGNORE", row);
  }

  private static void put(Connection connection, String how, Row row) throws SQLException {
    try (PreparedStatement put =
        connection.prepareStatement(
            how + " INTO deliveries (" + COLUMNS + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
      put.setString(1, row.id);
      put.setString(2, row.job);
      put.setString(3, row.host);
      put.setString(4, row.url);
      put.setString(5, row.body);
      put.setString(6, row.state.name());
      put.setInt(7, row.attempts);
      put.setInt(8, row.last.status.orElse(0));
      put.setString(9, row.last.trouble);
      put.setLong(10, row.due.toEpochMilli());
      put.executeUpdate();
    }
  }

  /** Changes what is said of a delivery; one that is over and whose job is gone goes, too. */
  public void put(Row row) {
    index.write(connection -> {
      put(connection, "INSERT OR REPLACE", row);
      return removeOver(connection, row.job, " AND job NOT IN (SELECT id FROM jobs)");
    });
  }

  /** Removes what is over of a job; what is pending is sent all the same. */
  static void remove(Connection connection, String job) throws SQLException {
    removeOver(connection, job, "");
  }

  private static int removeOver(Connection connection, String job, String condition)
      throws SQLException {
    try (PreparedStatement remove =
        connection.prepareStatement(
            "DELETE FROM deliveries WHERE job = ? AND state <> 'PENDING'" + condition)) {
      remove.setString(1, job);
      return remove.executeUpdate();
    }
  }

  /** The one that a host is to be sent next. */
  public Optional<Row> next(String host) {
    return find("WHERE host = ? AND state = 'PENDING' ORDER BY due, id LIMIT 1", host);
  }

  /** The last one of a job. */
  public Optional<Row> latest(String job) {
    return find("WHERE job = ? ORDER BY id DESC LIMIT 1", job);
  }

  private Optional<Row> find(String where, String value) {
    return index.read(connection -> {
      try (PreparedStatement select =
          connection.prepareStatement("SELECT " + COLUMNS + " FROM deliveries " + where)) {
        select.setString(1, value);
        try (ResultSet rows = select.executeQuery()) {
          return rows.next() ? Optional.of(row(rows)) : Optional.empty();
        }
      }
    });
  }

  private static Row row(ResultSet rows) throws SQLException {
    return new Row(
        rows.getString(1),
        rows.getString(2),
        rows.getString(3),
        rows.getString(4),
        rows.getString(5),
        State.valueOf(rows.getString(6)),
        rows.getInt(7),
        new Answer(Optional.of(rows.getInt(8)).filter(status -> status != 0), rows.getString(9)),
        Instant.ofEpochMilli(rows.getLong(10)));
  }
}
