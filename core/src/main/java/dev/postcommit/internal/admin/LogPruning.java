package dev.postcommit.internal.admin;

import dev.postcommit.PostcommitException;
import dev.postcommit.internal.admin.LogPartitions.Partition;
import dev.postcommit.internal.check.PruneRights;
import dev.postcommit.internal.jdbc.Database;
import dev.postcommit.internal.jdbc.NamedSql;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Retention of a log: partitions are dropped when all their rows are delivered and old.
 *
 * <p>A log of few events takes long to fill a partition. Rows that are overdue by more than a tenth
 * of the retention time are therefore deleted, one batch after the other. So are those of
 * partitions that this user may not drop, and of those that somebody else attached, which are never
 * dropped.
 */
final class LogPruning {
  private static final Logger log = LoggerFactory.getLogger(LogPruning.class);

  private static final String UNDEFINED_TABLE = "42P01";

  private final LogAdminSql sql;
  private final PruneRights rights;
  private final Set<String> told = ConcurrentHashMap.newKeySet();

  LogPruning(Database database, LogAdminSql sql) {
    this.sql = sql;
    this.rights = new PruneRights(database);
  }

  /**
   * Takes all these steps, also if some of them fail, and returns the sum of what they return.
   *
   * @throws PostcommitException with what every failed step said
   */
  static long all(LongSupplier... steps) {
    long total = 0;
    Set<String> problems = new LinkedHashSet<>();
    @Nullable PostcommitException failure = null;
    for (LongSupplier step : steps) {
      try {
        total += step.getAsLong();
      } catch (PostcommitException e) {
        problems.add(String.valueOf(e.getMessage()));
        failure = e;
      }
    }
    if (failure != null) {
      throw new PostcommitException(String.join("; ", problems), failure.getCause());
    }
    return total;
  }

  /**
   * Goes through the old dedupe keys from the oldest on, and ends at the first page of which the
   * cursor has passed none: the events of younger keys are hardly delivered either, and are left
   * for the next time.
   *
   * @return 0: a key is no event
   */
  long deleteKeys(Duration retention, int batchSize) {
    Optional<OffsetDateTime> next = Optional.of(OffsetDateTime.MIN);
    while (next.isPresent() && !Thread.currentThread().isInterrupted()) {
      next = deleteKeys(next.get(), retention, batchSize);
    }
    return 0;
  }

  /** Returns the time of the last key of a page, if there is a need to go on from there. */
  private Optional<OffsetDateTime> deleteKeys(
      OffsetDateTime after, Duration retention, int batchSize) {
    return rights.run(
        sql.pruneKeys(),
        to ->
            to.set("after", after)
                .set("millis", retention.toMillis())
                .set("limit", batchSize)
                .row(
                    row ->
                        row.getLong("behind") > 0
                            ? Optional.of(row.getObject("last", OffsetDateTime.class))
                            : Optional.empty()));
  }

  long deleteRows(Duration retention, int batchSize) {
    long millis = retention.toMillis() + retention.toMillis() / 10;
    long total = 0;
    long deleted;
    do {
      deleted =
          rights.run(
              sql.pruneRows(),
              to ->
                  to.set("limit", batchSize)
                      .set("millis", millis)
                      .row(row -> row.getLong("deleted")));
      total += deleted;
    } while (deleted > 0 && !Thread.currentThread().isInterrupted());
    return total;
  }

  long dropPartitions(Duration retention) {
    return rights.run(connection -> dropPartitions(connection, retention.toMillis()));
  }

  private long dropPartitions(Connection connection, long millis) throws SQLException {
    List<Partition> partitions = LogPartitions.of(connection, sql);
    long dropped = 0;
    for (Partition partition : partitions) {
      if (isOurs(partition)) {
        try {
          if (!isExpired(connection, partition, millis)) {
            break;
          }
          dropped += drop(connection, partition, millis);
        } catch (SQLException e) {
          if (!UNDEFINED_TABLE.equals(e.getSQLState())) {
            throw e;
          }
          log.debug("another relay dropped {}", partition.name());
        }
      }
    }
    return dropped;
  }

  private boolean isOurs(Partition partition) {
    if (!partition.isOurs() && told.add(partition.name())) {
      log.info(
          "partition {} was not made by a relay, so it is never dropped; its rows are deleted one"
              + " by one when they are old",
          partition.name());
    } else if (partition.isOurs() && !partition.mayDrop() && told.add(partition.name())) {
      log.info(
          "partition {} belongs to another user, so its rows are deleted one by one when they are"
              + " old; GRANT the owner's role to this user to have it dropped instead",
          partition.name());
    }
    return partition.isOurs() && partition.mayDrop();
  }

  private boolean isExpired(Connection connection, Partition partition, long millis)
      throws SQLException {
    NamedSql expired = NamedSql.of(sql.expired().replace("{partition}", partition.name()));
    return expired.run(
        connection,
        to ->
            to.set("upper", partition.upper())
                .set("millis", millis)
                .optionalRow(row -> row.getBoolean("is_expired"))
                .orElse(false));
  }

  /** Locks the partition, so that nothing is written to it between the last check and the drop. */
  private long drop(Connection connection, Partition partition, long millis) throws SQLException {
    String name = partition.name();
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
      log.info("partition {} is not dropped now: {}", name, Database.problem(e));
      return 0;
    } finally {
      connection.setAutoCommit(true);
    }
  }

  private static long count(Connection connection, String table) throws SQLException {
    NamedSql count = NamedSql.of("SELECT count(*) AS rows FROM " + table);
    return count.run(connection, to -> to.row(row -> row.getLong("rows")));
  }
}
