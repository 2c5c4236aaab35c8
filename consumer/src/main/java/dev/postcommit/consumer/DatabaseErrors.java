package dev.postcommit.consumer;

import dev.postcommit.consumer.inbox.EventInProgressException;
import dev.postcommit.support.Wrappers;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a database error means for the events of its transaction. */
final class DatabaseErrors {
  /** Serialization failure, deadlock; lock not to be had in time, statement cancelled. */
  private static final Set<String> CONTENTION = Set.of("40001", "40P01", "55P03", "57014");

  /** Out of disk, memory or connections; the system around the database failed. */
  private static final Set<String> CLASSES = Set.of("53", "58");

  /** Shut down, starting, or failed over; session or transaction ended for its age. */
  private static final Set<String> STATES =
      Set.of("57P01", "57P02", "57P03", "57P04", "57P05", "25006", "25P03", "25P04");

  private static final String CONNECTION = "08";

  private static final String FAILED_TRANSACTION = "25P02";

  private DatabaseErrors() {}

  /** Whether transactions conflicted. */
  static boolean isContention(Throwable error) {
    if (error instanceof EventInProgressException) {
      return true;
    }
    SQLException sql = sql(error);
    return sql != null && sql.getSQLState() != null && CONTENTION.contains(sql.getSQLState());
  }

  /** Whether the transaction had failed before, unnoticed, because of an earlier handler. */
  static boolean isAftermath(Throwable error) {
    SQLException sql = sql(error);
    return sql != null && FAILED_TRANSACTION.equals(sql.getSQLState());
  }

  /** Whether the database as a whole seems to be at fault, whoever's connection it was. */
  static boolean isOutage(Throwable error) {
    SQLException sql = sql(error);
    String state = sql == null ? null : sql.getSQLState();
    return state != null
        && state.length() == 5
        && (CLASSES.contains(state.substring(0, 2)) || STATES.contains(state));
  }

  /** Whether the connection was lost. */
  static boolean isConnection(Throwable error) {
    SQLException sql = sql(error);
    return sql != null && (sql.getSQLState() == null || sql.getSQLState().startsWith(CONNECTION));
  }

  private static @Nullable SQLException sql(Throwable error) {
    return Wrappers.chain(error).stream()
        .filter(SQLException.class::isInstance)
        .map(SQLException.class::cast)
        .findFirst()
        .orElse(null);
  }
}
