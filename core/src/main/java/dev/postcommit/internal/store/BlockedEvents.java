package dev.postcommit.internal.store;

import dev.postcommit.Ordering;
import dev.postcommit.internal.jdbc.Database;
import dev.postcommit.internal.jdbc.Parameters;
import dev.postcommit.store.ClaimRequest;
import dev.postcommit.support.OneTransaction;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * Events of a table that are due and cannot be claimed, because an earlier one of their key waits
 * for a topic. Every claim would walk over them, so they are put off too. Safe for use by many
 * threads.
 */
public final class BlockedEvents {
  /** Few enough that other relays, whose claims wait for it, do not wait long. */
  public static final int AT_ONCE = 1_000;

  private static final long PAUSE_NANOS = Duration.ofMillis(50).toNanos();

  /** How long to leave alone those that are blocked for another reason. */
  private static final long REST_NANOS = Duration.ofSeconds(1).toNanos();

  private final Database database;
  private final String deferBehind;
  private final LongSupplier nanoTime;
  private boolean found;
  private long notBefore;

  /**
   * Those of a table.
   *
   * @param deferBehind puts off at most {@link #AT_ONCE} and returns how many; parameters: the
   *     number to look from, if there are numbers, and how many events to look at, twice
   */
  public BlockedEvents(Database database, String deferBehind, LongSupplier nanoTime) {
    this.database = database;
    this.deferBehind = deferBehind;
    this.nanoTime = nanoTime;
    this.notBefore = nanoTime.getAsLong();
  }

  /** A claim has seen whether events are blocked while others wait. */
  public synchronized void seen(boolean any) {
    found = any;
  }

  private synchronized boolean isTime() {
    return found && nanoTime.getAsLong() - notBefore >= 0;
  }

  private synchronized void deferred(int events) {
    notBefore = nanoTime.getAsLong() + (events == 0 ? REST_NANOS : PAUSE_NANOS);
  }

  /**
   * Puts some of them off, if there are any and it is time to.
   *
   * @param from the number to look from, if the statement has one
   * @param rows how many events to look at
   */
  public void deferSome(ClaimRequest request, OptionalLong from, int rows) {
    // In a scope of its own a key is not held back by events of others.
    if (request.ordering() != Ordering.PER_KEY || request.isScoped() || !isTime()) {
      return;
    }
    deferred(
        database.run(
            "put off events of",
            connection -> {
              try (PreparedStatement statement = connection.prepareStatement(deferBehind)) {
                Parameters to = new Parameters(statement);
                if (from.isPresent()) {
                  to.add(from.getAsLong());
                }
                to.add(rows).add(rows);
                OneTransaction.execute(statement);
                statement.getMoreResults();
                try (ResultSet row = statement.getResultSet()) {
                  row.next();
                  return row.getInt(1);
                }
              }
            }));
  }
}
