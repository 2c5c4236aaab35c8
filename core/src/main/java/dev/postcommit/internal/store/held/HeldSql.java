package dev.postcommit.internal.store.held;

import static java.util.stream.Collectors.joining;

import dev.postcommit.Ordering;
import dev.postcommit.internal.jdbc.EventReader;
import dev.postcommit.internal.jdbc.Parameters;
import dev.postcommit.internal.jdbc.RowStates;
import dev.postcommit.internal.jdbc.SqlTemplate;
import dev.postcommit.internal.jdbc.TableLock;
import dev.postcommit.internal.jdbc.TimeColumns;
import dev.postcommit.internal.store.ClaimStatements;
import dev.postcommit.layout.Column;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Lifecycle;
import dev.postcommit.layout.Lifecycle.ProcessedFlag;
import dev.postcommit.layout.LifecycleKind;
import dev.postcommit.layout.Role;
import dev.postcommit.store.ClaimRequest;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The statements of the held lifecycles.
 *
 * <p>They ask for the time of the statement, not that of the transaction, which may have begun long
 * ago.
 */
final class HeldSql {

  /**
   * Bounds a transaction that stays open while nothing is sent over it: the server ends it when it
   * was left alone for longer than it may be held.
   */
  private static final String BOUND =
      """
      SELECT set_config('idle_in_transaction_session_timeout', CAST(? AS text), true)""";

  /** Settings of a transaction that lists or locks, which reads by index whatever happens. */
  private static final String SETTINGS =
      BOUND
          + """
          ,
            set_config('statement_timeout', CAST(? AS text), true),
            set_config('synchronous_commit', 'off', true), set_config('jit', 'off', true),
            set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
            set_config('work_mem', '32MB', true), set_config('enable_sort', 'off', true)""";

  private static final String LOCK_LISTING =
      SETTINGS + ",\n  pg_try_advisory_xact_lock(" + TableLock.LOCK_KEY + ")";

  private static final long SHORTEST_STATEMENT_TIMEOUT = Duration.ofSeconds(10).toMillis();

  /** The backlog as it stands, in the order of writing, without what waits for a retry. */
  private static final String LIST =
      """
      SELECT CAST(t.{id} AS text), {key_text}, coalesce({payload_size}, 0), {due_time}, {compressed}
      FROM {table} t
      WHERE {due_row}{not_failed}{scope}{is_free}
      ORDER BY t.{written}, t.{id} LIMIT ?""";

  private static final String MEASURE =
      """
      SELECT CAST(t.{id} AS text), coalesce({size_in_memory}, 0) FROM {table} t
      WHERE t.{id} = ANY (CAST(? AS {type_of_id}[]))""";

  /** How the name of the index ends by which recent rows are listed, by their keys. */
  static final String KEY_INDEX = "_pending_key";

  private static final String PUT_OFF = "f.due_at > statement_timestamp()";

  /** Where the row itself does not say that it is dead, so that an operator could take it back. */
  private static final String PUT_OFF_OR_DEAD = "f.dead_at IS NOT NULL OR " + PUT_OFF;

  private static final String NOT_FAILED =
      """

        AND t.{id} NOT IN (
          SELECT f.id FROM {failures} f
          WHERE {put_off})""";

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
              CAST(CAST(CAST('{table}' AS regclass) AS oid) AS bigint) << 32 | CAST(? AS bigint));
          SELECT {columns} FROM {table} t
          WHERE t.{id} = ANY (CAST(? AS {type_of_id}[])) AND {still_due}
          FOR UPDATE OF t SKIP LOCKED""";

  /**
   * Those of the locked rows that failed before, and whether another relay put them off or gave
   * them up just now.
   */
  private static final String FAILED_BEFORE =
      """
      ;
      SELECT CAST(f.id AS text), coalesce({put_off}, false) FROM {failures} f
      WHERE f.id = ANY (CAST(? AS {type_of_id}[]))""";

  private static final String DELIVER =
      "UPDATE {table} t SET {sets} WHERE t.{id} = ANY (CAST(? AS {type_of_id}[]))";

  private static final String DELETE =
      "DELETE FROM {table} t WHERE t.{id} = ANY (CAST(? AS {type_of_id}[]))";

  private static final String FORGET =
      "DELETE FROM {beside} WHERE id = ANY (CAST(? AS {type_of_id}[]))";

  private static final String FAIL =
      """
      UPDATE {table} t SET {sets}
      FROM unnest(CAST(? AS {type_of_id}[]), CAST(? AS boolean[]), CAST(? AS bigint[]), CAST(? AS text[]),
        CAST(? AS int[])) AS o(id, dead, delay, error, uncounted)
      WHERE t.{id} = o.id AND t.{id} = ANY (CAST(? AS {type_of_id}[]))""";

  private static final String REMEMBER =
      """
      INSERT INTO {failures} (id, dead_at, due_at, error, key, attempts)
      SELECT o.id, CASE WHEN o.dead THEN clock_timestamp() END,
        CASE WHEN NOT o.dead THEN {due_again} END, o.error, o.key, o.attempts
      FROM unnest(CAST(? AS {type_of_id}[]), CAST(? AS boolean[]), CAST(? AS bigint[]), CAST(? AS text[]),
        CAST(? AS text[]), CAST(? AS int[])) AS o(id, dead, delay, error, key, attempts)
      ON CONFLICT (id) DO UPDATE SET dead_at = excluded.dead_at, due_at = excluded.due_at,
        error = excluded.error, attempts = excluded.attempts""";

  private static final String DUE_AGAIN = "clock_timestamp() + o.delay * interval '1 ms'";

  private final Layout layout;
  private final SqlTemplate template;
  private final Map<String, String> names;

  /** What events take in memory: id and bytes; parameters: ids. */
  final String measure;

  /** Whether payloads that are listed as compressed may take more memory than their size says. */
  final boolean mayInflate;

  /** Parameters: idle timeout, statement timeout. */
  final String lockListing;

  /**
   * Parameters: idle timeout, statement timeout, count, ids, and ids again if there are failures.
   */
  final String lock;

  /** Parameters: ids. */
  final String deliver;

  /**
   * Parameters: ids, dead, delays, errors, uncounted, ids; absent if the row has no column for any
   * of it.
   */
  final Optional<String> fail;

  /** Parameters: ids, dead, delays, errors, keys, attempts. */
  final Optional<String> remember;

  /** Removes what is remembered of events; parameters: ids. */
  final Optional<String> forgetFailures;

  /** Removes the headers of deleted events; parameters: ids. */
  final Optional<String> forgetHeaders;

  HeldSql(Layout layout) {
    this.layout = layout;
    template = new SqlTemplate(layout);
    RowStates states = RowStates.of(layout);
    names = new LinkedHashMap<>();
    names.putAll(states.names());
    names.put("due_row", pending(states));
    names.put("still_due", "CASE WHEN " + pending(states) + " THEN 1 ELSE 0 END = 1");
    names.put("columns", new EventReader(layout).columns());
    names.put("due_again", DUE_AGAIN);
    names.put(
        "put_off", layout.lifecycle().processedFlag().isPresent() ? PUT_OFF_OR_DEAD : PUT_OFF);
    layout.failures().ifPresent(failures -> names.put("failures", failures.sql()));
    names.put(
        "written", layout.sql(layout.column(Role.SEQ).isPresent() ? Role.SEQ : Role.CREATED_AT));
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
    lockListing = render(LOCK_LISTING);
    lock = render(layout.failures().isPresent() ? LOCK + FAILED_BEFORE : LOCK);
    deliver = layout.keepsDelivered() ? update(DELIVER, delivered()) : render(DELETE);
    Map<Role, String> failed = failed();
    fail = failed.isEmpty() ? Optional.empty() : Optional.of(update(FAIL, failed));
    remember = layout.failures().map(failures -> render(REMEMBER));
    forgetFailures =
        layout.failures().map(failures -> render(FORGET.replace("{beside}", failures.sql())));
    forgetHeaders =
        layout.keepsDelivered()
            ? Optional.empty()
            : layout.headers().map(headers -> render(FORGET.replace("{beside}", headers.sql())));
  }

  /**
   * Lists the backlog as {@code request} says; parameters: its scope, once more if it {@linkplain
   * #asksForKeys asks for keys}, and how many rows.
   */
  String list(ClaimRequest request) {
    boolean failures = layout.failures().isPresent();
    String isFree = "";
    if (asksForKeys(request)) {
      isFree =
          layout.column(Role.DUE_AT).isPresent() ? KEY_IS_FREE_OF_WAITING : KEY_IS_FREE_OF_FAILURES;
    }
    return render(
        LIST.replace("{not_failed}", failures ? NOT_FAILED : "")
            .replace("{is_free}", isFree)
            .replace("{of_scope}", request.isScoped() ? RecentSql.OF_SCOPE : "")
            .replace("{scope}", ClaimStatements.scope(request)));
  }

  /** Whether the layout says when a row was written, and in no other way where it stands. */
  private boolean knowsRecentRows() {
    return layout.column(Role.SEQ).isEmpty()
        && layout.column(Role.KEY).isPresent()
        && layout.required(Role.CREATED_AT).type().equals("timestamptz");
  }

  /** The statements that list parts of the table, if it {@linkplain #knowsRecentRows can be}. */
  Optional<RecentSql> recent() {
    return knowsRecentRows() ? Optional.of(new RecentSql(layout, names)) : Optional.empty();
  }

  /** Whether events wait for earlier ones of their key. */
  boolean asksForKeys(ClaimRequest request) {
    return request.ordering() == Ordering.PER_KEY && layout.column(Role.KEY).isPresent();
  }

  /** Lets the server end the connection's transaction when it is left alone for so long. */
  void bound(Connection connection, Duration time) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(BOUND)) {
      new Parameters(statement).add(time.toMillis());
      statement.execute();
    }
  }

  /** Binds the parameters of the settings: how long the transaction, and a statement, may last. */
  Parameters bounds(PreparedStatement statement, Duration bound) throws SQLException {
    long millis = bound.toMillis();
    return new Parameters(statement).add(millis).add(Math.max(millis, SHORTEST_STATEMENT_TIMEOUT));
  }

  /** Makes the connection's transaction one to list in. */
  void settings(Connection connection, Duration bound) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SETTINGS)) {
      bounds(statement, bound);
      statement.execute();
    }
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

  private Map<Role, String> delivered() {
    Map<Role, String> sets = new LinkedHashMap<>();
    Lifecycle lifecycle = layout.lifecycle();
    lifecycle
        .statusWords()
        .ifPresent(words -> sets.put(Role.STATUS, RowStates.literal(words.delivered())));
    lifecycle.processedFlag().ifPresent(flag -> sets.put(Role.PROCESSED, "true"));
    time(sets, Role.DELIVERED_AT, "clock_timestamp()");
    time(sets, Role.UPDATED_AT, "clock_timestamp()");
    return sets;
  }

  private Map<Role, String> failed() {
    Map<Role, String> sets = new LinkedHashMap<>();
    String attempts =
        layout
            .column(Role.ATTEMPTS)
            .map(c -> "coalesce(t." + c.sql() + ", 0) + 1 - o.uncounted")
            .orElse("");
    Lifecycle lifecycle = layout.lifecycle();
    lifecycle
        .statusWords()
        .ifPresent(
            words ->
                sets.put(
                    Role.STATUS,
                    "CAST(CASE WHEN o.dead THEN %s ELSE %s END AS {type_of_status})"
                        .formatted(
                            RowStates.literal(words.dead()), RowStates.literal(words.pending()))));
    lifecycle
        .processedFlag()
        .filter(ProcessedFlag::marksDead)
        .ifPresent(flag -> sets.put(Role.PROCESSED, "o.dead"));
    if (lifecycle.kind() == LifecycleKind.PUBLISHED_AT) {
      attempts =
          "CASE WHEN o.dead THEN greatest(%s, %d) ELSE %s END"
              .formatted(attempts, layout.retryPolicy().maxAttempts(), attempts);
    }
    if (!attempts.isEmpty()) {
      sets.put(Role.ATTEMPTS, attempts);
    }
    layout.column(Role.LAST_ERROR).ifPresent(column -> sets.put(Role.LAST_ERROR, "o.error"));
    layout
        .column(Role.DUE_AT)
        .ifPresent(
            column ->
                sets.put(
                    Role.DUE_AT,
                    "CASE WHEN o.dead THEN t.%s ELSE %s END"
                        .formatted(
                            column.sql(), TimeColumns.write(column, "(" + DUE_AGAIN + ")"))));
    if (!sets.isEmpty()) {
      time(sets, Role.UPDATED_AT, "clock_timestamp()");
    }
    return sets;
  }

  private void time(Map<Role, String> sets, Role role, String time) {
    layout.column(role).ifPresent(column -> sets.put(role, TimeColumns.write(column, time)));
  }

  private String update(String statement, Map<Role, String> sets) {
    String list =
        sets.entrySet().stream()
            .map(set -> column(set.getKey()).sql() + " = " + set.getValue())
            .collect(joining(", "));
    return render(statement.replace("{sets}", list));
  }

  private Column column(Role role) {
    return layout.required(role);
  }

  private String render(String statement) {
    return template.render(statement, names);
  }
}
