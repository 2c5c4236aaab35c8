package dev.postcommit.internal.jdbc;

import dev.postcommit.PostcommitException;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.TableName;
import dev.postcommit.store.StoredEvent;
import dev.postcommit.support.DatabaseConnectionFailure;
import dev.postcommit.support.OneTransaction;
import dev.postcommit.support.Pooler;
import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Short transactions on the database of one table. */
public final class Database {

  /** One piece of work on a connection in auto-commit mode. */
  @FunctionalInterface
  public interface Work<T> {
    T on(Connection connection) throws SQLException;
  }

  /** The same with one statement, whose parameters are still to be set. */
  @FunctionalInterface
  public interface StatementWork<T> {
    T on(NamedStatement statement) throws SQLException;
  }

  private static final Logger log = LoggerFactory.getLogger(Database.class);

  /** Transaction or session idle for too long, transaction too long, shut down by an operator. */
  private static final Set<String> SESSION_ENDED = Set.of("25P03", "57P05", "25P04", "57P01");

  private static final String DISK_FULL = "53100";
  private static final String UNDEFINED_TABLE = "42P01";

  private static final String HAS_INDEXES =
      """
      SELECT count(*) AS found FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
      WHERE i.indrelid = CAST('{table}' AS regclass) AND i.indisvalid AND c.relname IN (
        SELECT CAST(concat(CAST(:table AS text), ending) AS name)
        FROM unnest(CAST(:endings AS text[])) AS ending)""";

  private static final NamedSql CAN_READ =
      NamedSql.of(
          "SELECT coalesce(has_table_privilege(CAST(to_regclass(:table) AS oid), 'SELECT'), false)"
              + " AS can_read");

  private final DataSource dataSource;
  private final Pooler pooler;
  private final Layout layout;
  private final EventReader reader;
  private final NamedSql fetch;
  private final NamedSql hasIndexes;
  private volatile @Nullable Boolean readsCommitted;

  public Database(DataSource dataSource, Layout layout) {
    this.dataSource = dataSource;
    this.pooler = Pooler.of(dataSource);
    this.layout = layout;
    this.reader = new EventReader(layout);
    this.hasIndexes = new SqlTemplate(layout).statement(HAS_INDEXES);
    this.fetch =
        new SqlTemplate(layout)
            .statement(
                OneTransaction.of(
                    TransactionStart.BY_INDEX,
                    "SELECT "
                        + reader.columns()
                        + " FROM {table} t WHERE {id} = ANY (CAST(:ids AS {type_of_id}[]))"));
  }

  public Layout layout() {
    return layout;
  }

  public EventReader reader() {
    return reader;
  }

  /** Runs {@code work} on a connection of its own; each statement is a transaction. */
  public <T> T run(String what, Work<T> work) {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(true);
      prepare(connection);
      return work.on(connection);
    } catch (SQLException e) {
      throw failure(what, e);
    }
  }

  /** Runs one statement on a connection of its own. */
  public <T> T run(String what, NamedSql sql, StatementWork<T> work) {
    return run(what, connection -> sql.run(connection, work));
  }

  /** The rows of a statement; empty if there is no table {@code from}. */
  public <T> Optional<List<T>> rows(
      String what, TableName from, NamedSql sql, NamedStatement.Row<T> reader) {
    return run(
        what,
        connection ->
            new Catalogue(connection).table(from).isEmpty()
                ? Optional.empty()
                : Optional.of(List.copyOf(sql.run(connection, to -> to.rows(reader)))));
  }

  /** A connection with a transaction of its own, for {@link #end} to end. */
  public Connection open() throws SQLException {
    Connection connection = dataSource.getConnection();
    try {
      prepare(connection);
      connection.setAutoCommit(false);
      return connection;
    } catch (SQLException e) {
      end(connection);
      throw e;
    }
  }

  /** Undoes what was not committed, and gives the connection back. */
  public static void end(Connection connection) {
    try (connection) {
      connection.rollback();
    } catch (SQLException e) {
      log.debug("a connection was lost", e);
    }
  }

  public PostcommitException failure(String what, SQLException e) {
    pooler.failed(e);
    return new PostcommitException(
        "could not %s %s: %s".formatted(what, layout.table(), problem(e)), e);
  }

  /** Whether the server ended the session, and with it its transaction. */
  public static boolean isSessionLost(SQLException e) {
    String state = String.valueOf(e.getSQLState());
    return state.startsWith("08") || SESSION_ENDED.contains(state);
  }

  private void prepare(Connection connection) throws SQLException {
    pooler.prepare(connection);
    readCommitted(connection);
  }

  /**
   * Ensures that each statement of a claim sees what was committed before it. The isolation level
   * is read once per data source, as that costs a round trip.
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

  /** What went wrong, without the details that may quote a row. */
  public static String problem(SQLException e) {
    return DatabaseConnectionFailure.of(e)
        .map(DatabaseConnectionFailure::toString)
        .orElseGet(
            () -> {
              // Postgres says so only after a long path, where it may have been cut off.
              String disk =
                  DISK_FULL.equals(e.getSQLState()) ? "the disk of the database is full: " : "";
              String message = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
              return disk + message + sqlState(e);
            });
  }

  private static String sqlState(SQLException e) {
    String state = e.getSQLState() == null ? "" : " (SQLSTATE " + e.getSQLState() + ")";
    return UNDEFINED_TABLE.equals(e.getSQLState())
        ? state + "; run OutboxMigration.migrate or 'postcommit migrate' to create what is missing"
        : state;
  }

  /** The events of these ids, in their order; ids without a row are left out. */
  public List<StoredEvent> fetch(Connection connection, List<String> ids, int attemptOffset)
      throws SQLException {
    Map<String, StoredEvent> found = new HashMap<>(ids.size() * 2);
    List<StoredEvent> events =
        fetch.run(
            connection, to -> to.setTexts("ids", ids).rows(row -> reader.read(row, attemptOffset)));
    events.forEach(event -> found.put(event.id(), event));
    return ids.stream().map(found::get).filter(Objects::nonNull).toList();
  }

  /** Whether the table has indexes that are named after it, with these endings. */
  public boolean hasIndexes(Connection connection, String... endings) throws SQLException {
    return hasIndexes.run(
        connection,
        to ->
            to.set("table", layout.table().name())
                .set("endings", endings)
                .row(row -> row.getInt("found") == endings.length));
  }

  /** Whether there is such a table, and its rows may be read. */
  public static boolean canRead(Connection connection, TableName table) throws SQLException {
    return CAN_READ.run(
        connection, to -> to.set("table", table.sql()).row(row -> row.getBoolean("can_read")));
  }

  /** The ids in an array read from a row; none if it is null. */
  public static List<String> ids(@Nullable Array array) throws SQLException {
    return array == null
        ? List.of()
        : Stream.of((Object[]) array.getArray()).map(Object::toString).toList();
  }
}
