package dev.postcommit.bench;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** Fills a native table with events that wait to be delivered. */
final class Backlog {
  private Backlog() {}

  /** Empties the table and writes pending rows, their keys taking turns. */
  static void fill(DataSource dataSource, String topic, int events, int bytes, int keys) {
    execute(dataSource, "TRUNCATE postcommit_outbox, postcommit_outbox_claim");
    execute(
        dataSource,
        """
        INSERT INTO postcommit_outbox (id, topic, type, aggregate_type, aggregate_id, key, payload)
        SELECT uuidv7(), '%s', 'bench.event', 'bench', k::text, k::text,
          convert_to(rpad('{"n":' || n || ',"pad":"', %d, 'x') || '"}', 'UTF8')
        FROM (SELECT n, n %% %d AS k FROM generate_series(1, %d) AS n) AS rows"""
            .formatted(topic, bytes - 2, keys, events));
    execute(dataSource, "VACUUM ANALYZE postcommit_outbox");
    execute(dataSource, "CHECKPOINT");
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
