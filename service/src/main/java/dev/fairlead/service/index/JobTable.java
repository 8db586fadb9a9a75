package dev.fairlead.service.index;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The jobs that are over. Those that are not, the host knows. Thread-safe. */
public final class JobTable {
  static final List<String> SCHEMA =
      List.of(
          """
          CREATE TABLE jobs (
            id TEXT PRIMARY KEY,
            state TEXT NOT NULL,
            tenant TEXT NOT NULL,
            input TEXT NOT NULL,
            output TEXT NOT NULL,
            ended INTEGER NOT NULL,
            view TEXT NOT NULL) WITHOUT ROWID
          """,
          "CREATE INDEX jobs_state ON jobs (state, id)",
          "CREATE INDEX jobs_tenant ON jobs (tenant, id)",
          "CREATE INDEX jobs_ended ON jobs (ended)",
          "CREATE INDEX jobs_input ON jobs (input)",
          "CREATE INDEX jobs_output ON jobs (output)");

  private static final String PUT =
      "INSERT OR REPLACE INTO jobs (id, state, tenant, input, output, ended, view)"
          + " VALUES (?, ?, ?, ?, ?, ?, ?)";

  private final Index index;

  /**
   * A job that is over.
   *
   * @param view as the API shows it, in JSON
   */
  public record Row(
      String id,
      String state,
      String tenant,
      String input,
      String output,
      Instant ended,
      String view) {}

  /**
   * Which jobs are asked for.
   *
   * @param before only ids that are smaller
   */
  public record Filter(Optional<String> state, Optional<String> tenant, Optional<String> before) {
    public static final Filter ALL =
        new Filter(Optional.empty(), Optional.empty(), Optional.empty());
  }

  public JobTable(Index index) {
    this.index = index;
  }

  /**
   * Takes a job down, or changes what is said of it.
   *
   * @param delivery what others are to be told of it
   */
  public void put(Row row, Optional<DeliveryTable.Row> delivery) {
    index.write(connection -> {
      put(connection, row);
      if (delivery.isPresent()) {
        DeliveryTable.add(connection, delivery.get());
      }
      return true;
    });
  }

  static void put(Connection connection, Row row) throws SQLException {
    try (PreparedStatement put = connection.prepareStatement(PUT)) {
      put.setString(1, row.id);
      put.setString(2, row.state);
      put.setString(3, row.tenant);
      put.setString(4, row.input);
      put.setString(5, row.output);
      put.setLong(6, row.ended.toEpochMilli());
      put.setString(7, row.view);
      put.executeUpdate();
    }
  }

  public void remove(String id) {
    index.write(connection -> {
      DeliveryTable.remove(connection, id);
      try (PreparedStatement remove =
          connection.prepareStatement("DELETE FROM jobs WHERE id = ?")) {
        remove.setString(1, id);
        return remove.executeUpdate();
      }
    });
  }

  public Optional<Row> find(String id) {
    return select("WHERE id = ?", List.of(id), 1).stream().findFirst();
  }

  /** Newest first. */
  public List<Row> page(Filter filter, int limit) {
    List<String> conditions = new ArrayList<>(List.of("1 = 1"));
    List<Object> values = new ArrayList<>();
    add("state = ?", filter.state, conditions, values);
    add("tenant = ?", filter.tenant, conditions, values);
    add("id < ?", filter.before, conditions, values);
    return select("WHERE " + String.join(" AND ", conditions) + " ORDER BY id DESC", values, limit);
  }

  private static void add(
      String condition, Optional<String> value, List<String> conditions, List<Object> values) {
    if (value.isPresent()) {
      conditions.add(condition);
      values.add(value.get());
    }
  }

  /** Those that ended before a moment, the oldest first. */
  public List<Row> endedBefore(Instant moment, int limit) {
    return select("WHERE ended < ? ORDER BY ended, id", List.of(moment.toEpochMilli()), limit);
  }

  /** How many ended in a state. */
  public long count(String state) {
    return index.read(connection -> {
      try (PreparedStatement count =
          connection.prepareStatement("SELECT count(*) FROM jobs WHERE state = ?")) {
        count.setString(1, state);
        try (ResultSet row = count.executeQuery()) {
          return row.getLong(1);
        }
      }
    });
  }

  /** For how long devices have worked on the jobs of each tenant. */
  public Map<String, Double> deviceSeconds() {
    return index.read(connection -> {
      Map<String, Double> seconds = new HashMap<>();
      try (PreparedStatement sum =
              connection.prepareStatement(
                  "SELECT tenant, sum(json_extract(view, '$.deviceSeconds')) FROM jobs"
                      + " GROUP BY tenant");
          ResultSet rows = sum.executeQuery()) {
        while (rows.next()) {
          seconds.put(rows.getString(1), rows.getDouble(2));
        }
      }
      return seconds;
    });
  }

  /** Whether one has read this file. */
  public boolean hasInput(String path) {
    return !select("WHERE input = ?", List.of(path), 1).isEmpty();
  }

  /** Those whose output is this directory. */
  public List<Row> withOutput(String path) {
    return select("WHERE output = ?", List.of(path), Integer.MAX_VALUE);
  }

  /** All ids, the oldest first. */
  public List<String> ids() {
    return index.read(connection -> {
      List<String> ids = new ArrayList<>();
      try (PreparedStatement select =
              connection.prepareStatement("SELECT id FROM jobs ORDER BY id");
          ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          ids.add(rows.getString(1));
        }
      }
      return ids;
    });
  }

  private List<Row> select(String where, List<?> values, int limit) {
    return index.read(connection -> {
      try (PreparedStatement select =
          connection.prepareStatement(
              "SELECT id, state, tenant, input, output, ended, view FROM jobs %s LIMIT %d"
                  .formatted(where, limit))) {
        for (int place = 0; place < values.size(); place++) {
          select.setObject(place + 1, values.get(place));
        }
        return rows(select);
      }
    });
  }

  private static List<Row> rows(PreparedStatement select) throws SQLException {
    List<Row> found = new ArrayList<>();
    try (ResultSet rows = select.executeQuery()) {
      while (rows.next()) {
        found.add(
            new Row(
                rows.getString(1),
                rows.getString(2),
                rows.getString(3),
                rows.getString(4),
                rows.getString(5),
                Instant.ofEpochMilli(rows.getLong(6)),
                rows.getString(7)));
      }
    }
    return found;
  }
}
