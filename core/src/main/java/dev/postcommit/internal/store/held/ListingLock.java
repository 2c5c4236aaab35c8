package dev.postcommit.internal.store.held;

import dev.postcommit.internal.jdbc.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The lock on listing a table: of the relays that deliver all of it in order, one holds the lock
 * and the others stand by.
 *
 * <p>It is an advisory lock in a transaction of its own, so it is free the moment its holder dies.
 * It spares the others the listing of a backlog that is being worked off. The order of delivery
 * does not rest on it: the locks on the rows keep two relays from sending events of one key side by
 * side.
 */
final class ListingLock {
  private final Database database;
  private final HeldSql sql;
  private final LongSupplier nanoTime;
  private @Nullable Connection connection;
  private Duration currentBound = Duration.ZERO;
  private long touchedAt;

  ListingLock(Database database, HeldSql sql, LongSupplier nanoTime) {
    this.database = database;
    this.sql = sql;
    this.nanoTime = nanoTime;
  }

  /**
   * The connection that holds the lock, which is taken if it is free; null if another relay has it.
   */
  synchronized @Nullable Connection take(Duration bound) throws SQLException {
    if (connection != null) {
      touch(bound);
      return connection;
    }
    Connection opened = database.open();
    try {
      if (sql.lockListing.run(
          opened, to -> HeldSql.bounds(to, bound).row(row -> row.getBoolean("is_locked")))) {
        connection = opened;
        currentBound = bound;
        touchedAt = nanoTime.getAsLong();
        return opened;
      }
    } catch (SQLException | RuntimeException e) {
      Database.end(opened);
      throw e;
    }
    Database.end(opened);
    return null;
  }

  /** Keeps the server from ending the transaction of the lock as idle. */
  synchronized void touch(Duration bound) throws SQLException {
    boolean dueSoon = nanoTime.getAsLong() - touchedAt > bound.toNanos() / 3;
    if (connection != null && (dueSoon || !bound.equals(currentBound))) {
      sql.bound(connection, bound);
      currentBound = bound;
      touchedAt = nanoTime.getAsLong();
    }
  }

  /** Whether this relay believes it holds the lock. */
  synchronized boolean isMine() {
    return connection != null;
  }

  /** Releases the lock. */
  synchronized void release() {
    if (connection != null) {
      Database.end(connection);
      connection = null;
    }
  }
}
