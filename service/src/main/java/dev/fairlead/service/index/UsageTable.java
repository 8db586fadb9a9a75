package dev.fairlead.service.index;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What jobs that are over have used. Thread-safe. */
public final class UsageTable {
  private static final String SECONDS = "json_extract(view, '$.deviceSeconds')";
  private static final String WITHIN = " FROM jobs WHERE ended >= ? AND ended < ?";

  private final Index index;

  /**
   * A time.
   *
   * @param to the first moment after it
   */
  public record Span(Instant from, Instant to) {}

  /** Behind which job a page goes on. */
  public record Place(String tenant, String job) {}

  /**
   * What a job has used.
   *
   * @param deviceSeconds for how long devices have worked on it
   */
  public record Used(
      String tenant,
      String job,
      String name,
      String state,
      Instant endedAt,
      double deviceSeconds) {}

  /**
   * What a tenant has used.
   *
   * @param jobs how many of it ended
   */
  public record Sum(String tenant, long jobs, double deviceSeconds) {}

  public UsageTable(Index index) {
    this.index = index;
  }

  /** Jobs that ended in a time, by tenant and then the oldest first. */
  public List<Used> jobs(Span span, Optional<Place> after, int limit) {
    return index.read(connection -> {
      try (PreparedStatement select =
          connection.prepareStatement(
              "SELECT tenant, id, json_extract(view, '$.name'), state, ended, "
                  + SECONDS
                  + WITHIN
                  + " AND (tenant, id) > (?, ?) ORDER BY tenant, id LIMIT ?")) {
        set(select, span);
        select.setString(3, after.map(Place::tenant).orElse(""));
        select.setString(4, after.map(Place::job).orElse(""));
        select.setInt(5, limit);
        return used(select);
      }
    });
  }

  private static void set(PreparedStatement select, Span span) throws SQLException {
    select.setLong(1, span.from.toEpochMilli());
    select.setLong(2, span.to.toEpochMilli());
  }

  private static List<Used> used(PreparedStatement select) throws SQLException {
    List<Used> found = new ArrayList<>();
    try (ResultSet rows = select.executeQuery()) {
      while (rows.next()) {
        found.add(
            new Used(
                rows.getString(1),
                rows.getString(2),
                rows.getString(3),
                rows.getString(4),
                Instant.ofEpochMilli(rows.getLong(5)),
                rows.getDouble(6)));
      }
    }
    return found;
  }

  /** All that tenants have used in a time, by name. */
  public List<Sum> sums(Span span) {
    return index.read(connection -> {
      List<Sum> sums = new ArrayList<>();
      try (PreparedStatement select =
          connection.prepareStatement(
              "SELECT tenant, count(*), sum("
                  + SECONDS
                  + ")"
                  + WITHIN
                  + " GROUP BY tenant ORDER BY tenant")) {
        set(select, span);
        try (ResultSet rows = select.executeQuery()) {
          while (rows.next()) {
            sums.add(new Sum(rows.getString(1), rows.getLong(2), rows.getDouble(3)));
          }
        }
      }
      return sums;
    });
  }
}
