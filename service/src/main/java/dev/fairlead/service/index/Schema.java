package dev.fairlead.service.index;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;

/**
 * All tables of the index and the version of their form. Whoever changes a table raises the
 * version: an index of another one is thrown away and filled from the job logs, so that no table is
 * ever changed in place.
 */
final class Schema {
  static final int VERSION = 2;

  private static final List<String> TABLES =
      Stream.of(JobTable.SCHEMA, DeliveryTable.SCHEMA).flatMap(List::stream).toList();

  private Schema() {}

  static void create(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String each : TABLES) {
        statement.execute(each);
      }
      statement.execute("PRAGMA user_version = " + VERSION);
    }
  }

  /** Whether an index has these tables, whole. */
  static boolean fits(Connection connection) throws SQLException {
    return Integer.toString(VERSION).equals(pragma(connection, "user_version"))
        && "ok".equals(pragma(connection, "quick_check"));
  }

  private static String pragma(Connection connection, String name) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("PRAGMA " + name)) {
      return row.next() ? row.getString(1) : "";
    }
  }
}
