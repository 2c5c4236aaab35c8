package dev.postcommit.store.internal;

import dev.postcommit.layout.TableName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * The partitions of a log.
 *
 * <p>Each has the rows of ten million numbers. There is one more for the rows of all other numbers,
 * so that writers never find none; the rows in it are not in the way of partitions to come.
 */
final class LogPartitions {
  /** How many numbers a partition has. */
  static final long SIZE = 10_000_000;

  /** Writers wait so long at most for what is done to partitions. */
  static final String PATIENCE = "SET LOCAL lock_timeout = '100ms'";

  /** One partition; its numbers are below {@code upper}. */
  record Partition(TableName name, long upper) {}

  private LogPartitions() {}

  static List<Partition> of(Connection connection, LogAdminSql sql) throws SQLException {
    List<Partition> partitions = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(sql.partitions());
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        partitions.add(
            new Partition(new TableName(row.getString(1), row.getString(2)), row.getLong(4)));
      }
    }
    return partitions;
  }

  /**
   * Creates the next partition if the last one is half used up.
   *
   * @param number the highest number given out, or some that is a little lower
   * @return the number up to which there are partitions now
   */
  static long extend(Connection connection, TableName table, LogAdminSql sql, long number)
      throws SQLException {
    List<Partition> partitions = of(connection, sql);
    long upper = partitions.isEmpty() ? 0 : partitions.get(partitions.size() - 1).upper();
    if (upper - number > SIZE / 2) {
      return upper;
    }
    // Where numbers are given out already, their rows are elsewhere.
    long lower = number < upper ? upper : (number / SIZE + 2) * SIZE;
    TableName partition = table.withSuffix("_" + lower / SIZE);
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute(PATIENCE);
      statement.execute(
          "CREATE TABLE %s (LIKE %s INCLUDING DEFAULTS)".formatted(partition.sql(), table.sql()));
      statement.execute(
          "ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (%d) TO (%d)"
              .formatted(table.sql(), partition.sql(), lower, lower + SIZE));
      connection.commit();
    } catch (SQLException e) {
      connection.rollback();
      throw e;
    } finally {
      connection.setAutoCommit(true);
    }
    return lower + SIZE;
  }
}
