package dev.postcommit.examples.packfinderz;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** Looks into the tables. */
final class Sql {
  private Sql() {}

  /** The first column of what a query finds, as text. */
  static List<String> list(DataSource dataSource, String query) throws SQLException {
    List<String> values = new ArrayList<>();
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      while (rows.next()) {
        values.add(String.valueOf(rows.getString(1)));
      }
    }
    return values;
  }

  /** The number that a query finds. */
  static long number(DataSource dataSource, String query) throws SQLException {
    return Long.parseLong(list(dataSource, query).get(0));
  }

  static void execute(DataSource dataSource, String sql) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
