package dev.postcommit.internal.jdbc;

import dev.postcommit.store.ClaimRequest;
import dev.postcommit.support.OneTransaction;
import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A prepared {@link NamedSql}: sets parameters by name, runs it, and reads its rows. */
public final class NamedStatement implements AutoCloseable {

  /** Reads the current row. */
  @FunctionalInterface
  public interface Row<T> {
    T read(ResultSet row) throws SQLException;
  }

  /** Reads one row of many. */
  @FunctionalInterface
  public interface EachRow {
    void read(ResultSet row) throws SQLException;
  }

  private final NamedSql sql;
  private final PreparedStatement statement;

  NamedStatement(NamedSql sql, PreparedStatement statement) {
    this.sql = sql;
    this.statement = statement;
  }

  public NamedStatement set(String name, long value) throws SQLException {
    return set(name, position -> statement.setLong(position, value));
  }

  public NamedStatement set(String name, int value) throws SQLException {
    return set(name, position -> statement.setInt(position, value));
  }

  public NamedStatement set(String name, boolean value) throws SQLException {
    return set(name, position -> statement.setBoolean(position, value));
  }

  public NamedStatement set(String name, @Nullable String value) throws SQLException {
    return set(name, position -> statement.setString(position, value));
  }

  public NamedStatement set(String name, UUID value) throws SQLException {
    return set(name, position -> statement.setObject(position, value));
  }

  public NamedStatement set(String name, byte[] value) throws SQLException {
    return set(name, position -> statement.setBytes(position, value));
  }

  public NamedStatement set(String name, byte[][] values) throws SQLException {
    return array(name, "bytea", values);
  }

  public NamedStatement set(String name, @Nullable Long value) throws SQLException {
    return set(name, position -> statement.setObject(position, value, Types.BIGINT));
  }

  public NamedStatement set(String name, @Nullable OffsetDateTime value) throws SQLException {
    return set(
        name, position -> statement.setObject(position, value, Types.TIMESTAMP_WITH_TIMEZONE));
  }

  public NamedStatement set(String name, @Nullable String @Nullable [] values) throws SQLException {
    return array(name, "text", values);
  }

  public NamedStatement set(String name, Boolean[] values) throws SQLException {
    return array(name, "bool", values);
  }

  public NamedStatement set(String name, @Nullable Long[] values) throws SQLException {
    return array(name, "bigint", values);
  }

  public NamedStatement setTexts(String name, Collection<String> values) throws SQLException {
    return array(name, "text", values.toArray());
  }

  public NamedStatement setNumbers(String name, Collection<Long> values) throws SQLException {
    return array(name, "bigint", values.toArray());
  }

  private NamedStatement array(String name, String type, @Nullable Object @Nullable [] values)
      throws SQLException {
    @Nullable Array array =
        values == null ? null : statement.getConnection().createArrayOf(type, values);
    return set(name, position -> statement.setArray(position, array));
  }

  /** Sets the parameter at one position. */
  @FunctionalInterface
  private interface Setter {
    void at(int position) throws SQLException;
  }

  private NamedStatement set(String name, Setter setter) throws SQLException {
    for (int position : sql.positions(name)) {
      setter.at(position);
    }
    return this;
  }

  /** Sets the parameters of {@link NamedSql#scope}, as far as the request has a scope. */
  public NamedStatement setScope(ClaimRequest request) throws SQLException {
    if (request.namespace() != null) {
      set("namespace", request.namespace());
    }
    if (request.tenant() != null) {
      set("tenant", request.tenant());
    }
    return this;
  }

  /** How many rows to read from the server at a time. */
  public NamedStatement fetchSize(int rows) throws SQLException {
    statement.setFetchSize(rows);
    return this;
  }

  /** Gives up after a time. */
  public NamedStatement timeout(int seconds) throws SQLException {
    statement.setQueryTimeout(seconds);
    return this;
  }

  /** Runs the statement; returns how many rows the last part of it changed. */
  public int update() throws SQLException {
    execute(sql.lastResult());
    return statement.getUpdateCount();
  }

  /** Runs the statement, and returns the rows of its last part. */
  public ResultSet query() throws SQLException {
    return query(sql.lastResult());
  }

  /** Runs the statement, and returns the rows of one of its parts, counted from 0. */
  public ResultSet query(int part) throws SQLException {
    execute(part);
    return statement.getResultSet();
  }

  /** The rows of the part after the one that was read last. */
  public ResultSet nextPart() throws SQLException {
    statement.getMoreResults();
    return statement.getResultSet();
  }

  /** Runs the statement, and reads the first row, which there has to be. */
  public <T> T row(Row<T> reader) throws SQLException {
    try (ResultSet rows = query()) {
      rows.next();
      return reader.read(rows);
    }
  }

  /** Runs the statement, and reads the first row if there is one. */
  public <T> Optional<T> optionalRow(Row<T> reader) throws SQLException {
    try (ResultSet rows = query()) {
      return rows.next() ? Optional.of(reader.read(rows)) : Optional.empty();
    }
  }

  /** Runs the statement, and reads all rows. */
  public <T> List<T> rows(Row<T> reader) throws SQLException {
    List<T> read = new ArrayList<>();
    try (ResultSet rows = query()) {
      while (rows.next()) {
        read.add(reader.read(rows));
      }
    }
    return read;
  }

  /** Runs the statement, and gives each row to {@code reader}; returns how many there were. */
  public int forEach(EachRow reader) throws SQLException {
    try (ResultSet rows = query()) {
      int count = 0;
      for (; rows.next(); count++) {
        reader.read(rows);
      }
      return count;
    }
  }

  private void execute(int part) throws SQLException {
    int current = 0;
    if (sql.isTransaction()) {
      OneTransaction.execute(statement);
      current = 1;
    } else {
      statement.execute();
    }
    for (; current < part; current++) {
      statement.getMoreResults();
    }
  }

  @Override
  public void close() throws SQLException {
    statement.close();
  }
}
