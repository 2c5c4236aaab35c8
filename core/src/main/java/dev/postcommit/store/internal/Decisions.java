package dev.postcommit.store.internal;

import dev.postcommit.store.Decision;
import dev.postcommit.store.OutboxAdmin.Action;
import dev.postcommit.store.OutboxAdmin.AuditEntry;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;

/** Carries out decisions on dead events, and tells of them. */
final class Decisions {
  private static final int BATCH = 1000;

  private final Database database;
  private final DecisionSql sql;

  Decisions(Database database) {
    this.database = database;
    this.sql = DecisionSql.of(database.layout());
  }

  int replay(List<String> ids, Decision decision) {
    return database.run("replay dead events of", c -> change(c, sql.replay(), ids, decision));
  }

  int discard(List<String> ids, Decision decision) {
    return database.run("discard dead events of", c -> change(c, sql.discard(), ids, decision));
  }

  /** Each batch is a statement, and so a transaction. */
  private static int change(
      Connection connection, String statementText, List<String> ids, Decision decision)
      throws SQLException {
    int changed = 0;
    try (PreparedStatement statement = connection.prepareStatement(statementText)) {
      for (int from = 0; from < ids.size(); from += BATCH) {
        List<String> batch = ids.subList(from, Math.min(from + BATCH, ids.size()));
        statement.setArray(1, connection.createArrayOf("text", batch.toArray()));
        statement.setString(2, decision.operator());
        statement.setString(3, decision.reason());
        changed += statement.executeUpdate();
      }
    }
    return changed;
  }

  List<AuditEntry> audit(int limit) {
    return database.run(
        "read the audit of",
        connection -> {
          List<AuditEntry> entries = new ArrayList<>();
          try (PreparedStatement statement = connection.prepareStatement(sql.audit())) {
            statement.setInt(1, limit);
            try (ResultSet rows = statement.executeQuery()) {
              while (rows.next()) {
                entries.add(entry(rows));
              }
            }
          }
          return entries;
        });
  }

  private static AuditEntry entry(ResultSet row) throws SQLException {
    return new AuditEntry(
        row.getLong(1),
        row.getObject(2, OffsetDateTime.class).toInstant(),
        Action.valueOf(row.getString(3)),
        row.getString(4),
        row.getString(5),
        row.getString(6),
        row.getString(7),
        row.getString(8),
        row.getString(9),
        row.getInt(10),
        row.getString(11));
  }
}
