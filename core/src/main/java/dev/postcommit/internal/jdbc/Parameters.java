package dev.postcommit.internal.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Binds the parameters of a statement one after the other. */
public final class Parameters {
  private final PreparedStatement statement;
  private int next = 1;

  public Parameters(PreparedStatement statement) {
    this.statement = statement;
  }

  public Parameters add(long value) throws SQLException {
    statement.setLong(next++, value);
    return this;
  }

  public Parameters add(int value) throws SQLException {
    statement.setInt(next++, value);
    return this;
  }

  public Parameters add(boolean value) throws SQLException {
    statement.setBoolean(next++, value);
    return this;
  }

  public Parameters add(String value) throws SQLException {
    statement.setString(next++, value);
    return this;
  }

  public Parameters addText(@Nullable String value) throws SQLException {
    statement.setString(next++, value);
    return this;
  }

  public Parameters add(UUID value) throws SQLException {
    statement.setObject(next++, value);
    return this;
  }

  public Parameters add(@Nullable String[] values) throws SQLException {
    return array("text", values);
  }

  public Parameters add(Boolean[] values) throws SQLException {
    return array("bool", values);
  }

  public Parameters add(List<Long> values) throws SQLException {
    return array("bigint", values.toArray());
  }

  public Parameters add(@Nullable Long[] values) throws SQLException {
    return array("bigint", values);
  }

  private Parameters array(String type, @Nullable Object[] values) throws SQLException {
    statement.setArray(next++, statement.getConnection().createArrayOf(type, values));
    return this;
  }
}
