package dev.postcommit.server.table;

import dev.postcommit.store.UnfinishedDecisionException;
import dev.postcommit.support.DatabaseConnectionFailure;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Explains a database failure in one line, and what to do. */
public final class DatabaseFailures {
  private static final String UNDEFINED_TABLE = "42P01";
  private static final String UNDEFINED_SCHEMA = "3F000";
  private static final String UNDEFINED_COLUMN = "42703";
  private static final String DUPLICATE_TABLE = "42P07";
  private static final String NOT_PERMITTED = "42501";
  private static final String NO_SUCH_DATABASE = "3D000";
  private static final String DISK_FULL = "53100";
  private static final String UNREACHABLE_CLASS = "08";
  private static final String LOGIN_CLASS = "28";

  private DatabaseFailures() {}

  /** Explains a failure to the user, if the database caused it. */
  public static Optional<String> explain(Throwable failure, OutboxTable table) {
    return sqlException(failure)
        .map(e -> explain(e, table))
        .map(
            why ->
                failure instanceof UnfinishedDecisionException unfinished
                    ? why + "; " + unfinished.rest()
                    : why);
  }

  /** Explains a failure to the user. */
  public static String explain(SQLException failure, OutboxTable table) {
    return DatabaseConnectionFailure.of(failure)
        .map(connection -> explain(connection, table))
        .orElseGet(() -> explainOther(failure, table));
  }

  private static String explain(DatabaseConnectionFailure failure, OutboxTable table) {
    boolean isLogin = failure.sqlState().startsWith(LOGIN_CLASS);
    return "cannot %s %s: %s; %s"
        .formatted(
            isLogin ? "log in at" : "connect to",
            table.address(),
            failure.reason(),
            failure
                .advice()
                .replace(
                    DatabaseConnectionFailure.CHECK_LOGIN,
                    "check --database-user and --database-password"));
  }

  private static String explainOther(SQLException e, OutboxTable table) {
    String state = e.getSQLState() == null ? "" : e.getSQLState();
    String reason = reason(e);
    return switch (state) {
      case UNDEFINED_TABLE, UNDEFINED_SCHEMA ->
          "there is no table %s, or one beside it is missing (%s); run 'postcommit migrate' first"
              .formatted(table, reason);
      case UNDEFINED_COLUMN ->
          "%s does not have the columns of the %s layout (%s); check --table and --layout, or --layout-file"
              .formatted(table, table.layout().name(), reason);
      case DUPLICATE_TABLE ->
          "there already is a table %s that 'postcommit migrate' did not make; choose another --table"
              .formatted(table);
      case NOT_PERMITTED ->
          "the database user may not do this with %s: %s; 'postcommit grants' prints what to grant"
              .formatted(table, reason);
      case DISK_FULL ->
          "the disk of the database %s is full: %s; make room, and nothing is lost"
              .formatted(table.address(), reason);
      case NO_SUCH_DATABASE -> "cannot use " + table.address() + ": " + reason;
      default ->
          state.startsWith(UNREACHABLE_CLASS)
              ? "cannot reach the database " + table.address() + ": " + reason
              : "the database " + table.address() + " failed: " + reason;
    };
  }

  private static Optional<SQLException> sqlException(Throwable failure) {
    for (@Nullable Throwable e = failure; e != null; e = e.getCause()) {
      if (e instanceof SQLException sqlException) {
        return Optional.of(sqlException);
      }
    }
    return Optional.empty();
  }

  /** The first sentence; the driver's guesses follow it. */
  private static String reason(SQLException e) {
    if (e.getCause() instanceof UnknownHostException host) {
      return "unknown host " + host.getMessage();
    }
    String line = String.valueOf(e.getMessage()).lines().findFirst().orElse("").strip();
    int end = line.indexOf(". ");
    return end < 0 ? line : line.substring(0, end);
  }
}
