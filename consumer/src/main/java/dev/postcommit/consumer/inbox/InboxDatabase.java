package dev.postcommit.consumer.inbox;

import dev.postcommit.PostcommitException;
import dev.postcommit.layout.TableName;
import dev.postcommit.support.DatabaseConnectionFailure;
import dev.postcommit.support.Pooler;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Short transactions on a table of processed events; its columns are read on first use. */
final class InboxDatabase {

  /** One piece of work on a connection in auto-commit mode. */
  @FunctionalInterface
  interface Work<T> {
    T on(Connection connection, Known known) throws SQLException;
  }

  /** The table as the catalogue describes it, and the statements for it. */
  record Known(ProcessedEventsTable table, ProcessedEventsSql sql) {

    EventIdColumn ids() {
      return table.ids();
    }
  }

  /** How long a statement waits for other transactions. */
  static final int WAIT_SECONDS = 5;

  /** The class of errors that does not pass by itself: a missing object or privilege. */
  private static final String ACCESS_RULE_VIOLATION = "42";

  private static final String PRIVILEGES =
      """
      SELECT string_agg(privilege, ', ')
      FROM (SELECT CAST(to_regclass(?) AS oid) AS id) t,
        (VALUES ('SELECT'), ('INSERT'), ('DELETE')) AS p (privilege)
      WHERE NOT has_table_privilege(id, privilege)
        AND (privilege = 'DELETE' OR NOT has_any_column_privilege(id, privilege))""";

  private final DataSource dataSource;
  private final Pooler pooler;
  private final TableName table;
  private final String consumer;
  private volatile @Nullable Known known;
  private volatile @Nullable Boolean readsCommitted;

  InboxDatabase(DataSource dataSource, TableName table, String consumer) {
    this.dataSource = dataSource;
    this.pooler = Pooler.of(dataSource);
    this.table = table;
    this.consumer = consumer;
  }

  TableName table() {
    return table;
  }

  /** Why the table cannot be used as it is now, as far as the database answers. */
  Optional<String> problem() {
    known = null;
    try {
      return run("look at", (connection, found) -> missingPrivileges(connection));
    } catch (StoreUnavailableException e) {
      // An outage has a cause in the driver; a missing table and a missing privilege last.
      if (e.getCause() == null || isRefusal(e.getCause())) {
        return Optional.of(String.valueOf(e.getMessage()));
      }
      throw e;
    } catch (PostcommitException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private static boolean isRefusal(Throwable error) {
    return error instanceof SQLException sql
        && sql.getSQLState() != null
        && sql.getSQLState().startsWith(ACCESS_RULE_VIOLATION);
  }

  private Optional<String> missingPrivileges(Connection connection) throws SQLException {
    try (PreparedStatement statement = prepare(connection, PRIVILEGES)) {
      statement.setString(1, table.sql());
      try (ResultSet row = statement.executeQuery()) {
        @Nullable String missing = row.next() ? row.getString(1) : null;
        return Optional.ofNullable(missing)
            .map(names -> "the user lacks the privilege %s on %s".formatted(names, table));
      }
    }
  }

  /** The table, read from the catalogue if necessary. */
  Known known() {
    @Nullable Known present = known;
    return present == null ? run("look up", (connection, found) -> found) : present;
  }

  /** The table, read from the catalogue in the caller's transaction if necessary. */
  Known known(Connection tx) throws SQLException {
    @Nullable Known present = known;
    return present == null ? readTable(tx) : present;
  }

  /** Runs {@code work} on a connection of its own; each execution is a transaction. */
  <T> T run(String what, Work<T> work) {
    try (Connection connection = connection(what)) {
      connection.setAutoCommit(true);
      pooler.prepare(connection);
      readCommitted(connection);
      @Nullable Known present = known;
      return work.on(connection, present == null ? readTable(connection) : present);
    } catch (SQLException e) {
      throw unavailable(what, e);
    }
  }

  /** Runs {@code work} that needs the table of claims. */
  <T> T runClaiming(String what, Work<T> work) {
    return run(
        what,
        (connection, present) -> {
          // It may have been created since.
          Known now = present.table().hasClaims() ? present : readTable(connection);
          if (!now.table().hasClaims()) {
            throw new StoreUnavailableException(
                "could not %s %s: table %s is missing; run InboxMigration.migrate"
                    .formatted(what, table, ProcessedEventsTable.claims(table)),
                null);
          }
          return work.on(connection, now);
        });
  }

  /** A statement that waits for other transactions for a limited time. */
  static PreparedStatement prepare(Connection connection, String sql) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    statement.setQueryTimeout(WAIT_SECONDS);
    return statement;
  }

  /** Ends a transaction that failed. */
  static void rollBack(Connection connection, SQLException failure) {
    try {
      connection.rollback();
      connection.setAutoCommit(true);
    } catch (SQLException e) {
      failure.addSuppressed(e);
    }
  }

  /** Some pools report a database that is down by exceptions of their own. */
  private Connection connection(String what) throws SQLException {
    try {
      return dataSource.getConnection();
    } catch (RuntimeException e) {
      throw unavailable(what, e);
    }
  }

  private StoreUnavailableException unavailable(String what, Exception e) {
    if (e instanceof SQLException failure) {
      pooler.failed(failure);
    }
    return new StoreUnavailableException(
        "could not %s %s: %s".formatted(what, table, problem(e)), e);
  }

  /** The error without the details that may quote a row. */
  private static String problem(Exception e) {
    return DatabaseConnectionFailure.of(e)
        .map(DatabaseConnectionFailure::toString)
        .orElseGet(() -> firstLine(e));
  }

  private static String firstLine(Exception e) {
    String text = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    return e instanceof SQLException sql && sql.getSQLState() != null
        ? text + " (SQLSTATE " + sql.getSQLState() + ")"
        : text;
  }

  private Known readTable(Connection connection) throws SQLException {
    ProcessedEventsTable found = ProcessedEventsTable.read(connection, table);
    Known now = new Known(found, new ProcessedEventsSql(found));
    if (!found.hasConsumer() || belongs(connection, now.sql())) {
      known = now;
    }
    return now;
  }

  /**
   * Rejects a table that belongs to another consumer, and claims one that belongs to none.
   *
   * @return whether that is final, rather than subject to a commit
   */
  private boolean belongs(Connection connection, ProcessedEventsSql sql) throws SQLException {
    boolean recorded;
    try (PreparedStatement statement = prepare(connection, sql.recordConsumer)) {
      statement.setString(1, consumer);
      recorded = statement.executeUpdate() == 1;
    }
    try (PreparedStatement statement = prepare(connection, sql.consumer);
        ResultSet row = statement.executeQuery()) {
      @Nullable String owner = row.next() ? row.getString(1) : null;
      if (owner != null && !owner.equals(consumer)) {
        throw new PostcommitException(
            ("%s belongs to consumer '%s', so '%s' would lose the events that it has handled; give"
                    + " each consumer a table of its own")
                .formatted(table, owner, consumer));
      }
      return owner != null && (!recorded || connection.getAutoCommit());
    }
  }

  /**
   * Ensures that each statement sees what was committed before it. Asking for the level costs a
   * round trip, so it is done once per data source.
   */
  private void readCommitted(Connection connection) throws SQLException {
    if (readsCommitted == null) {
      readsCommitted =
          connection.getTransactionIsolation() == Connection.TRANSACTION_READ_COMMITTED;
    }
    if (!readsCommitted) {
      pooler.requireReadCommitted();
      connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    }
  }
}
