package dev.postcommit.store.internal;

import dev.postcommit.internal.OneTransaction;
import dev.postcommit.store.internal.LogPartitions.Partition;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Retention of a log: partitions are dropped when all their rows are delivered and old.
 *
 * <p>A log of few events takes long to fill a partition. Rows that are overdue by more than a tenth
 * of the retention time are therefore deleted, one batch after the other.
 */
final class LogPruning {
  private static final Logger log = LoggerFactory.getLogger(LogPruning.class);

  private final Database database;
  private final LogAdminSql sql;

  LogPruning(Database database, LogAdminSql sql) {
    this.database = database;
    this.sql = sql;
  }

  long prune(Duration retention, int batchSize) {
    long millis = retention.toMillis();
    return database.run(
        "prune",
        connection -> {
          long dropped = dropPartitions(connection, millis);
          deleteKeys(connection, millis, batchSize);
          return dropped + deleteRows(connection, millis + millis / 10, batchSize);
        });
  }

  /**
   * Goes through the old keys from the oldest on, and ends where the cursor has passed none of a
   * page: the events of younger ones are hardly delivered either, and will be looked at next time.
   */
  private void deleteKeys(Connection connection, long millis, int batchSize) throws SQLException {
    OffsetDateTime after = OffsetDateTime.MIN;
    long behind;
    do {
      try (PreparedStatement statement = connection.prepareStatement(sql.pruneKeys())) {
        statement.setObject(1, after);
        statement.setLong(2, millis);
        statement.setInt(3, batchSize);
        OneTransaction.execute(statement);
        statement.getMoreResults();
        try (ResultSet row = statement.getResultSet()) {
          row.next();
          behind = row.getLong(1);
          after = row.getObject(2, OffsetDateTime.class);
        }
      }
    } while (behind > 0 && !Thread.currentThread().isInterrupted());
  }

  private long deleteRows(Connection connection, long millis, int batchSize) throws SQLException {
    long total = 0;
    long deleted;
    do {
      try (PreparedStatement statement = connection.prepareStatement(sql.pruneRows())) {
        statement.setInt(1, batchSize);
        statement.setLong(2, millis);
        try (ResultSet row = statement.executeQuery()) {
          row.next();
          deleted = row.getLong(1);
        }
      }
      total += deleted;
    } while (deleted > 0 && !Thread.currentThread().isInterrupted());
    return total;
  }

  private long dropPartitions(Connection connection, long millis) throws SQLException {
    List<Partition> partitions = LogPartitions.of(connection, sql);
    long dropped = 0;
    for (Partition partition : partitions) {
      if (!isExpired(connection, partition, millis)) {
        break;
      }
      dropped += drop(connection, partition, millis);
    }
    return dropped;
  }

  private boolean isExpired(Connection connection, Partition partition, long millis)
      throws SQLException {
    String text =
        sql.expired()
            .formatted(partition.name().sql(), partition.name().sql(), partition.name().sql());
    try (PreparedStatement statement = connection.prepareStatement(text)) {
      statement.setLong(1, partition.upper());
      statement.setLong(2, millis);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() && row.getBoolean(1);
      }
    }
  }

  /** Nobody writes to the partition while it is looked at for the last time and dropped. */
  private long drop(Connection connection, Partition partition, long millis) throws SQLException {
    String name = partition.name().sql();
    long rows = count(connection, name);
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute(LogPartitions.PATIENCE);
      statement.execute("LOCK TABLE " + name + " IN ACCESS EXCLUSIVE MODE");
      if (!isExpired(connection, partition, millis)) {
        connection.rollback();
        return 0;
      }
      statement.execute("DROP TABLE " + name);
      connection.commit();
      return rows;
    } catch (SQLException e) {
      connection.rollback();
      log.info("partition {} is not dropped now: {}", partition.name(), Database.problem(e));
      return 0;
    } finally {
      connection.setAutoCommit(true);
    }
  }

  private static long count(Connection connection, String table) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT count(*) FROM " + table)) {
      row.next();
      return row.getLong(1);
    }
  }
}
