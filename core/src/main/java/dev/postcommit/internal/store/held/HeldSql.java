package dev.postcommit.internal.store.held;

import dev.postcommit.Ordering;
import dev.postcommit.internal.jdbc.EventReader;
import dev.postcommit.internal.jdbc.NamedSql;
import dev.postcommit.internal.jdbc.NamedStatement;
import dev.postcommit.internal.jdbc.RowStates;
import dev.postcommit.internal.jdbc.SqlTemplate;
import dev.postcommit.internal.jdbc.TableLock;
import dev.postcommit.internal.jdbc.TimeColumns;
import dev.postcommit.internal.store.held.Backlog.Candidate;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Lifecycle.ProcessedFlag;
import dev.postcommit.layout.Role;
import dev.postcommit.store.ClaimRequest;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The statements that list and lock events of a held table.
 *
 * <p>They use the time of the statement, not that of the transaction, which may have begun long
 * ago.
 */
final class HeldSql {

  /**
   * Bounds a transaction that stays open while nothing is sent over it: the server ends it when it
   * was left alone for longer than it may be held.
   */
  private static final String BOUND =
      """
      SELECT set_config('idle_in_transaction_session_timeout', CAST(:idle_millis AS text), true)""";

  /** Settings of a transaction that lists or locks, which reads by index whatever happens. */
  private static final String SETTINGS =
      BOUND
          + """
          ,
            set_config('statement_timeout', CAST(:statement_millis AS text), true),
            set_config('synchronous_commit', 'off', true), set_config('jit', 'off', true),
            set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
            set_config('work_mem', '32MB', true), set_config('enable_sort', 'off', true)""";

  private static final String LOCK_LISTING =
      SETTINGS + ",\n  pg_try_advisory_xact_lock(" + TableLock.LOCK_KEY + ") AS is_locked";

  private static final long SHORTEST_STATEMENT_TIMEOUT = Duration.ofSeconds(10).toMillis();

  /** The present backlog, in the order of writing, without what waits for a retry. */
  private static final String LIST =
      """
      SELECT CAST(t.{id} AS text) AS event, {key_text} AS ordering_key, coalesce({payload_size}, 0) AS bytes,
        {due_time} AS due, {compressed} AS compressed
      FROM {table} t
      WHERE {due_row}{not_failed}{scope}{is_free}
      ORDER BY t.{written}, t.{id} LIMIT :limit""";

  private static final String MEASURE =
      """
      SELECT CAST(t.{id} AS text) AS event, coalesce({size_in_memory}, 0) AS bytes FROM {table} t
      WHERE t.{id} = ANY (CAST(:ids AS {type_of_id}[]))""";

  /** How the name of the index ends by which recent rows are listed, by their keys. */
  static final String KEY_INDEX = "_pending_key";

  private static final String DEFERRED = "f.due_at > statement_timestamp()";

  /** Where the row itself does not say that it is dead, so that an operator could take it back. */
  private static final String DEFERRED_OR_DEAD = "f.dead_at IS NOT NULL OR " + DEFERRED;

  private static final String NOT_FAILED =
      """

        AND t.{id} NOT IN (
          SELECT f.id FROM {failures} f
          WHERE {deferred})""";

  private static final String KEY_IS_FREE_OF_FAILURES =
      """

        AND (t.{key} IS NULL OR CAST(t.{key} AS text) NOT IN (
          SELECT f.key FROM {failures} f
          WHERE f.due_at > statement_timestamp() AND f.key IS NOT NULL{of_scope}))""";

  private static final String KEY_IS_FREE_OF_WAITING =
      """

        AND (t.{key} IS NULL OR t.{key} NOT IN (
          SELECT t.{key} FROM {from} WHERE {pending} AND {waiting} AND t.{key} IS NOT NULL{scope}))""";

  /**
   * Locks rows of the backlog that are still to be delivered and reads them. The advisory lock says
   * to {@code status} how many rows are held.
   */
  private static final String LOCK =
      SETTINGS
          + """
          ,
            pg_advisory_xact_lock_shared(
              CAST(CAST(CAST('{table}' AS regclass) AS oid) AS bigint) << 32 | CAST(:count AS bigint));
          SELECT {columns} FROM {table} t
          WHERE t.{id} = ANY (CAST(:ids AS {type_of_id}[])) AND {still_due}
          FOR UPDATE OF t SKIP LOCKED""";

  /**
   * Those of the locked rows that failed before, and whether another relay deferred them or gave
   * them up just now.
   */
  private static final String FAILED_BEFORE =
      """
      ;
      SELECT CAST(f.id AS text) AS event, coalesce({deferred}, false) AS is_deferred FROM {failures} f
      WHERE f.id = ANY (CAST(:ids AS {type_of_id}[]))""";

  private final Layout layout;
  private final SqlTemplate template;
  private final Map<String, String> names;

  /** Whether payloads that are listed as compressed may take more memory than their size says. */
  private final boolean mayInflate;

  /** What events take in memory. */
  final NamedSql measure;

  private final NamedSql bound;
  private final NamedSql settings;

  /** To be bound by {@link #bounds}, as is {@link #lock}. */
  final NamedSql lockListing;

  /** Its first rows are those that were locked, its second those that failed before, if any. */
  final NamedSql lock;

  HeldSql(Layout layout) {
    this.layout = layout;
    template = new SqlTemplate(layout);
    RowStates states = RowStates.of(layout);
    names = new LinkedHashMap<>();
    names.putAll(states.names());
    names.put("due_row", pending(states));
    names.put("still_due", "CASE WHEN " + pending(states) + " THEN 1 ELSE 0 END = 1");
    names.put("columns", new EventReader(layout).columns());
    names.put(
        "deferred", layout.lifecycle() instanceof ProcessedFlag ? DEFERRED_OR_DEAD : DEFERRED);
    names.put(
        "key_text",
        layout.column(Role.KEY).map(k -> "CAST(t." + k.sql() + " AS text)").orElse("NULL"));
    names.put(
        "due_time",
        layout
            .column(Role.DUE_AT)
            .map(due -> "extract(epoch FROM t." + TimeColumns.read(due) + ")")
            .orElse("NULL"));
    mayInflate = !SqlTemplate.tellsSize(layout.required(Role.PAYLOAD));
    measure = render(MEASURE);
    bound = render(BOUND);
    settings = render(SETTINGS);
    lockListing = render(LOCK_LISTING);
    lock = render(layout.failures().isPresent() ? LOCK + FAILED_BEFORE : LOCK);
  }

  /** Lists the backlog as {@code request} says, up to {@code :limit} rows. */
  NamedSql list(ClaimRequest request) {
    boolean failures = layout.failures().isPresent();
    String isFree = "";
    if (request.ordering() == Ordering.PER_KEY && layout.column(Role.KEY).isPresent()) {
      isFree =
          layout.column(Role.DUE_AT).isPresent() ? KEY_IS_FREE_OF_WAITING : KEY_IS_FREE_OF_FAILURES;
    }
    return render(
        LIST.replace("{not_failed}", failures ? NOT_FAILED : "")
            .replace("{is_free}", isFree)
            .replace("{of_scope}", request.isScoped() ? RecentSql.OF_SCOPE : "")
            .replace("{scope}", NamedSql.scope(request)));
  }

  /** Whether rows are ordered by the time of writing, and by nothing else. */
  private boolean knowsRecentRows() {
    return layout.column(Role.SEQ).isEmpty()
        && layout.column(Role.KEY).isPresent()
        && layout.required(Role.CREATED_AT).type().equals("timestamptz");
  }

  /** The statements that list parts of the table, if it {@linkplain #knowsRecentRows can be}. */
  Optional<RecentSql> recent() {
    return knowsRecentRows() ? Optional.of(new RecentSql(layout, names)) : Optional.empty();
  }

  /** An event of a list, or of a part of one. */
  Candidate candidate(ResultSet row, @Nullable String key, boolean isCompressed)
      throws SQLException {
    return new Candidate(
        row.getString("event"),
        key,
        row.getLong("bytes"),
        mayInflate && isCompressed,
        row.getDouble("due"));
  }

  /** Lets the server end the connection's transaction when it is left alone for so long. */
  void bound(Connection connection, Duration time) throws SQLException {
    bound.run(connection, to -> to.set("idle_millis", time.toMillis()).update());
  }

  /** Sets how long the transaction, and a statement, may last. */
  static NamedStatement bounds(NamedStatement statement, Duration bound) throws SQLException {
    long millis = bound.toMillis();
    return statement
        .set("idle_millis", millis)
        .set("statement_millis", Math.max(millis, SHORTEST_STATEMENT_TIMEOUT));
  }

  /** Makes the connection's transaction one to list in. */
  void settings(Connection connection, Duration bound) throws SQLException {
    settings.run(connection, to -> bounds(to, bound).update());
  }

  /** Rows that their own columns say are due. */
  private String pending(RowStates states) {
    String due =
        layout
            .column(Role.DUE_AT)
            .map(TimeColumns::read)
            .map(
                time ->
                    " AND (t.%s IS NULL OR t.%s <= statement_timestamp())".formatted(time, time))
            .orElse("");
    return states.row() + due;
  }

  private NamedSql render(String statement) {
    return template.statement(statement, names);
  }
}
