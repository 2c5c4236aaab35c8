package dev.postcommit.internal.admin;

import dev.postcommit.internal.jdbc.Database;
import dev.postcommit.internal.jdbc.NamedStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The ids of dead events as they were at one moment, read a page at a time.
 *
 * <p>They are the rows of one statement, so an event that becomes dead later is not among them. Its
 * transaction stays open until the last row is read, and its connection is given back then.
 */
final class DeadPages implements AutoCloseable {

  /** Prepares the statement that finds the ids. */
  @FunctionalInterface
  interface Query {
    NamedStatement on(Connection connection) throws SQLException;
  }

  private final int size;
  private final Connection connection;
  private @Nullable ResultSet rows;

  DeadPages(Database database, int size, Query query) throws SQLException {
    this.size = size;
    this.connection = database.open();
    try {
      rows = query.on(connection).fetchSize(size).query();
    } catch (SQLException | RuntimeException e) {
      Database.end(connection);
      throw e;
    }
  }

  /** The next ids; none if there are no more. */
  List<String> next() throws SQLException {
    List<String> page = new ArrayList<>(size);
    @Nullable ResultSet open = rows;
    while (open != null && page.size() < size) {
      if (open.next()) {
        page.add(open.getString("event"));
      } else {
        open = null;
        close();
      }
    }
    return page;
  }

  @Override
  public void close() {
    if (rows != null) {
      rows = null;
      Database.end(connection);
    }
  }
}
