package dev.postcommit.examples.minichat.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;

/** Statements and transactions. */
public final class Sql {
  private Sql() {}

  /** Does something in a transaction. */
  @FunctionalInterface
  public interface Work<T> {
    /** Does it on {@code tx}, which is not to be committed or closed. */
    T in(Connection tx) throws SQLException;
  }

  /** Reads the row that a result stands on. */
  @FunctionalInterface
  public interface Row<T> {
    /** What the row says. */
    T read(ResultSet row) throws SQLException;
  }

  /** Runs {@code work} in a transaction of its own, which is rolled back if it throws. */
  public static <T> T transact(DataSource dataSource, Work<T> work) throws SQLException {
    try (Connection tx = dataSource.getConnection()) {
      tx.setAutoCommit(false);
      try {
        T result = work.in(tx);
        tx.commit();
        return result;
      } catch (SQLException | RuntimeException e) {
        try {
          tx.rollback();
        } catch (SQLException again) {
          e.addSuppressed(again);
        }
        throw e;
      }
    }
  }

  /** Changes rows, and returns how many. */
  public static int update(Connection tx, String sql, Object... parameters) throws SQLException {
    try (PreparedStatement statement = prepare(tx, sql, parameters)) {
      return statement.executeUpdate();
    }
  }

  /** All rows of a query. */
  public static <T> List<T> query(Connection tx, String sql, Row<T> row, Object... parameters)
      throws SQLException {
    List<T> found = new ArrayList<>();
    try (PreparedStatement statement = prepare(tx, sql, parameters);
        ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        found.add(row.read(rows));
      }
    }
    return found;
  }

  /** All rows of a query, in a transaction of its own. */
  public static <T> List<T> query(
      DataSource dataSource, String sql, Row<T> row, Object... parameters) throws SQLException {
    return transact(dataSource, tx -> query(tx, sql, row, parameters));
  }

  /** The one number that a query finds. */
  public static long number(DataSource dataSource, String sql, Object... parameters)
      throws SQLException {
    return query(dataSource, sql, row -> row.getLong(1), parameters).get(0);
  }

  /** Runs the statements of a resource beside {@code owner}. */
  public static void script(DataSource dataSource, Class<?> owner, String resource)
      throws SQLException {
    try (InputStream in =
            Objects.requireNonNull(owner.getResourceAsStream(resource), () -> "no " + resource);
        Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(new String(in.readAllBytes(), UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static PreparedStatement prepare(Connection tx, String sql, Object... parameters)
      throws SQLException {
    PreparedStatement statement = tx.prepareStatement(sql);
    for (int i = 0; i < parameters.length; i++) {
      statement.setObject(i + 1, parameters[i]);
    }
    return statement;
  }
}
