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
          + "aggregateid varchar(255) NOT NULL, type varchar(255) NOT NULL, payload json)";

  private static final String INSERT =
      "INSERT INTO "
          + NAME
          + " (id, aggregatetype, aggregateid, type, payload)"
          + " VALUES (?, 'order', ?, 'OrderPlaced', CAST(? AS json))";

  private static final String DELETE = "DELETE FROM " + NAME + " WHERE id = ANY (?)";

  private final boolean deleting;

  /**
   * Makes the writer of the table.
   *
   * @param deleting whether rows are deleted by the transaction that inserts them: the log has them
   */
  OutboxTable(boolean deleting) {
    this.deleting = deleting;
  }

  void insert(Connection connection, List<BenchEvent> events) throws SQLException {
    UUID[] ids = new UUID[events.size()];
    try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
      for (int i = 0; i < ids.length; i++) {
        ids[i] = UUID.randomUUID();
        insert.setObject(1, ids[i]);
        insert.setString(2, events.get(i).key());
        insert.setString(3, events.get(i).body());
        insert.addBatch();
      }
      insert.executeBatch();
    }
    if (deleting) {
      delete(connection, ids);
    }
  }

  private static void delete(Connection connection, UUID[] ids) throws SQLException {
    try (PreparedStatement delete = connection.prepareStatement(DELETE)) {
      delete.setArray(1, connection.createArrayOf("uuid", ids));
      delete.executeUpdate();
    }
  }
}
