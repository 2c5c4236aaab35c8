package dev.postcommit.store.log;

import dev.postcommit.Event;
import dev.postcommit.Outbox;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** One writer's session, in a transaction of its own from the first statement to its end. */
final class Session implements AutoCloseable {
  private final Connection connection;
  private final Outbox outbox = Outbox.builder(LogTable.LAYOUT).build();

  Session(String url, String username) throws SQLException {
    connection = DriverManager.getConnection(url, username, "");
    connection.setAutoCommit(false);
  }

  /** Writes an event of this key; returns its id. */
  String write(String key) {
    return write(LogTable.event(key));
  }

  String write(Event event) {
    return outbox.enqueue(connection, event).id().toString();
  }

  Connection connection() {
    return connection;
  }

  void run(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** The id of its transaction, which it has from now on. */
  long xid() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT pg_current_xact_id()::text::bigint")) {
      row.next();
      return row.getLong(1);
    }
  }

  void commit() throws SQLException {
    connection.commit();
  }

  void rollback() throws SQLException {
    connection.rollback();
  }

  /** Ends the session, and what is open with it. */
  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
