package dev.postcommit.internal.admin;

import dev.postcommit.PostcommitException;
import dev.postcommit.internal.jdbc.Database;
import dev.postcommit.internal.jdbc.NamedSql;
import dev.postcommit.support.Backoff;
import dev.postcommit.support.Daemons;
import dev.postcommit.support.ErrorText;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to it that a log has a partition for the rows to come, from a thread of its own: events need
 * not wait for that. Safe for use by many threads.
 */
public final class LogPartitionKeeper {
  private static final Logger log = LoggerFactory.getLogger(LogPartitionKeeper.class);

  /** Most failures are those of a lock that a writer has for a moment. */
  private static final Duration FIRST_RETRY = Duration.ofSeconds(1);

  private static final Duration LAST_RETRY = Duration.ofMinutes(1);
  private static final String DENIED = "42501";

  private static final NamedSql GRANT =
      NamedSql.of(
          """
          SELECT format('GRANT %I TO %I', pg_get_userbyid(relowner), current_user) AS statement
          FROM pg_class WHERE oid = CAST(:table AS regclass)""");

  private final Database database;
  private final LogAdminSql sql;
  private final ThreadFactory threads;
  private final AtomicBoolean busy = new AtomicBoolean();
  private volatile long upper;
  private volatile @Nullable Failure failure;

  /** When it failed, and when it may be tried again. */
  private record Failure(long at, long nanos, Backoff retries) {
    boolean isRecent() {
      return System.nanoTime() - at < nanos;
    }
  }

  public LogPartitionKeeper(Database database, LogAdminSql sql) {
    this.database = database;
    this.sql = sql;
    this.threads = Daemons.named("postcommit-" + database.layout().table() + "-partitions");
  }

  /** Has the next partition created if it is time, given the highest number that is known. */
  public void lookAfter(long number) {
    boolean isEnough = upper - number > LogPartitions.SIZE / 2;
    @Nullable Failure last = failure;
    if (!isEnough && (last == null || !last.isRecent()) && busy.compareAndSet(false, true)) {
      threads.newThread(() -> extend(number)).start();
    }
  }

  private void extend(long number) {
    try {
      upper = database.run("create a partition of", connection -> extend(connection, number));
      if (failure != null) {
        failure = null;
        log.info("{} has a partition for new rows again", database.layout().table());
      }
    } catch (RuntimeException e) {
      @Nullable Failure last = failure;
      if (last == null) {
        log.warn(
            "{}; until that is done, new rows go to the partition of all others, and are deleted"
                + " one by one when they are old",
            e instanceof PostcommitException ? e.getMessage() : ErrorText.of(e));
      }
      Backoff retries = last == null ? new Backoff(FIRST_RETRY, LAST_RETRY) : last.retries();
      failure = new Failure(System.nanoTime(), retries.nextNanos(), retries);
    } finally {
      busy.set(false);
    }
  }

  private long extend(Connection connection, long number) throws SQLException {
    try {
      return new LogPartitionMaker(connection, database.layout(), sql).extend(number);
    } catch (SQLException e) {
      if (DENIED.equals(e.getSQLState())) {
        throw new PostcommitException(
            "%s; %s"
                .formatted(
                    database.failure("create a partition of", e).getMessage(), grant(connection)),
            e);
      }
      throw e;
    }
  }

  /** What makes this user a member of the owner's role. */
  private String grant(Connection connection) throws SQLException {
    return GRANT.run(
        connection,
        to ->
            to.set("table", database.layout().table().sql())
                .row(row -> row.getString("statement")));
  }
}
