package dev.postcommit.store.internal;

import dev.postcommit.PostcommitException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sees to it that a log has a partition for the rows to come. For use by one thread at a time. */
final class LogPartitionKeeper {
  private static final Logger log = LoggerFactory.getLogger(LogPartitionKeeper.class);

  private static final long RETRY_NANOS = Duration.ofMinutes(1).toNanos();

  private final Database database;
  private final LogAdminSql sql;
  private long upper;
  private boolean failed;
  private long failedAt;

  LogPartitionKeeper(Database database, LogAdminSql sql) {
    this.database = database;
    this.sql = sql;
  }

  /** Creates the next partition if it is time, given the highest number that is known. */
  void lookAfter(long number) {
    boolean isEnough = upper - number > LogPartitions.SIZE / 2;
    if (isEnough || (failed && System.nanoTime() - failedAt < RETRY_NANOS)) {
      return;
    }
    try {
      upper =
          database.run(
              "create a partition of",
              connection ->
                  LogPartitions.extend(connection, database.layout().table(), sql, number));
      failed = false;
    } catch (PostcommitException e) {
      if (!failed) {
        log.warn(
            "{}; until that is done, new rows go to the partition of all others, and are deleted"
                + " one by one when they are old",
            e.getMessage());
      }
      failed = true;
      failedAt = System.nanoTime();
    }
  }
}
