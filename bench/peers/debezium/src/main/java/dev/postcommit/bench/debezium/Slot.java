package dev.postcommit.bench.debezium;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/** The replication slot, whose place in the log is where the engine reads on. */
final class Slot {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int PAUSE_MILLIS = 20;

  private final DataSource dataSource;
  private final String name;

  Slot(DataSource dataSource, String name) {
    this.dataSource = dataSource;
    this.name = name;
  }

  String name() {
    return name;
  }

  /** Makes it anew, at the end of the log. */
  void recreate() throws SQLException, InterruptedException {
    drop();
    query("SELECT pg_create_logical_replication_slot(?, 'pgoutput') IS NOT NULL");
  }

  /** Drops it if it is there, once nobody reads from it. */
  void drop() throws SQLException, InterruptedException {
    awaitActive(false);
    query(
        "SELECT count(pg_drop_replication_slot(slot_name)) > 0 FROM pg_replication_slots"
            + " WHERE slot_name = ?");
  }

  /** Waits until somebody reads from it, or nobody does any more. */
  void awaitActive(boolean active) throws SQLException, InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (isActive() != active) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException("slot " + name + " is still active: " + !active);
      }
      Thread.sleep(PAUSE_MILLIS);
    }
  }

  private boolean isActive() throws SQLException {
    return query("SELECT count(*) > 0 FROM pg_replication_slots WHERE slot_name = ? AND active");
  }

  private boolean query(String sql) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      // The creation of a slot waits for transactions that run.
      statement.setQueryTimeout((int) PATIENCE.toSeconds());
      statement.setString(1, name);
      try (ResultSet result = statement.executeQuery()) {
        result.next();
        return result.getBoolean(1);
      }
    }
  }
}
