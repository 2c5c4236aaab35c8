package dev.postcommit.bench.debezium;

import dev.postcommit.bench.contender.BenchEvent;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/** The table the event router expects, and what a service writes to it. */
final class OutboxTable {
  static final String NAME = "debezium_outbox";

  static final String DDL =
      "CREATE TABLE "
          + NAME
          + " (id uuid PRIMARY KEY, aggregatetype varchar(255) NOT NULL, "
          + "aggregateid varchar(255) NOT NULL, type varchar(255) NOT NULL, payload jsonb)";

  private static final String INSERT =
      "INSERT INTO "
          + NAME
          + " (id, aggregatetype, aggregateid, type, payload)"
          + " VALUES (?, 'order', ?, 'OrderPlaced', CAST(? AS jsonb))";

  private OutboxTable() {}

  /** Writes events in this order. */
  static void insert(Connection connection, List<BenchEvent> events) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
      for (BenchEvent event : events) {
        insert.setObject(1, UUID.randomUUID());
        insert.setString(2, event.key());
        insert.setString(3, event.body());
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }
}
