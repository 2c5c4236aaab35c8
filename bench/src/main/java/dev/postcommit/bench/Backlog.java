package dev.postcommit.bench;

import dev.postcommit.Event;
import dev.postcommit.Outbox;
import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Lifecycle.Claimed;
import dev.postcommit.layout.TableName;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** Fills a table with events that wait to be delivered. */
final class Backlog {
  private static final int CHUNK = 5_000;

  private Backlog() {}

  /** Empties the table, or creates it, and writes pending rows, their keys taking turns. */
  static void fill(DataSource dataSource, BenchLayout kind, int events, int bytes, int keys)
      throws SQLException {
    Layout layout = kind.layout();
    OutboxMigration.migrate(dataSource, layout);
    empty(dataSource, layout);
    Outbox outbox = Outbox.builder(layout).build();
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      List<Event> chunk = new ArrayList<>(CHUNK);
      for (int n = 0; n < events; n++) {
        chunk.add(kind.event(Integer.toString(n % keys)).json(payload(n, bytes)).build());
        if (chunk.size() == CHUNK || n == events - 1) {
          outbox.enqueueAll(connection, chunk);
          connection.commit();
          chunk.clear();
        }
      }
    }
    execute(dataSource, "VACUUM ANALYZE " + layout.table().sql());
    execute(dataSource, "CHECKPOINT");
  }

  private static void empty(DataSource dataSource, Layout layout) {
    List<TableName> tables = new ArrayList<>(List.of(layout.table()));
    layout.failures().ifPresent(tables::add);
    layout.headers().ifPresent(tables::add);
    if (layout.lifecycle() instanceof Claimed claimed) {
      tables.add(claimed.claims());
    }
    tables.forEach(table -> execute(dataSource, "TRUNCATE " + table.sql()));
  }

  private static String payload(int n, int bytes) {
    String start = "{\"n\":" + n + ",\"pad\":\"";
    return start + "x".repeat(Math.max(0, bytes - start.length() - 2)) + "\"}";
  }

  static void execute(DataSource dataSource, String sql) {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(true);
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }
}
