package dev.postcommit.internal.store;

import static java.util.stream.Collectors.joining;

import dev.postcommit.internal.jdbc.Database;
import dev.postcommit.internal.jdbc.Database.StatementWork;
import dev.postcommit.internal.jdbc.NamedSql;
import dev.postcommit.internal.jdbc.NamedStatement;
import dev.postcommit.internal.jdbc.SqlTemplate;
import dev.postcommit.internal.jdbc.TableLock;
import dev.postcommit.internal.jdbc.TransactionStart;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Lifecycle.Claimed;
import dev.postcommit.layout.Lifecycle.Leased;
import dev.postcommit.store.ClaimRequest;
import dev.postcommit.support.OneTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * What relays hold in one table, and how others free it: claims, leased rows, or the lease of a
 * log.
 *
 * @param exist the condition that a relay holds something there
 * @param free frees what relays hold there that are gone
 * @param more sets the parameters of {@code free} besides those that name the relays
 */
record Holdings(
    Database database, String exist, NamedSql free, StatementWork<NamedStatement> more) {

  /**
   * A session of another user may hide when it began, and counts as the one recorded. After a
   * restart of the server its owner may be on its way back.
   */
  private static final String IS_GONE =
      """
      r.server_started_at = pg_postmaster_start_time() AND NOT EXISTS (
          SELECT FROM pg_stat_activity a
          WHERE a.pid = r.backend_pid
            AND (a.backend_start IS NULL OR a.backend_start = r.backend_started_at))""";

  private static final String STARTED =
      "CAST(1000000 * extract(epoch FROM r.backend_started_at) AS bigint)";

  /** Checks the session of a relay only if it holds something that others may be waiting for. */
  private static final String FIND =
      """
      SELECT CAST(r.id AS text) AS id, r.backend_pid, {started} AS started, r.host, r.pid FROM {relays} r
      WHERE r.id <> :relay AND CASE WHEN {holds} THEN {is_gone} ELSE false END""";

  private static final String GONE =
      """
      gone AS MATERIALIZED (
        SELECT r.id
        FROM unnest(CAST(:ids AS text[]), CAST(:pids AS bigint[]), CAST(:started AS bigint[])) AS g(id, pid, started)
          JOIN {relays} r ON r.id = CAST(g.id AS uuid)
        WHERE r.backend_pid = g.pid AND {started} = g.started AND {is_gone}
        FOR UPDATE OF r)""";

  private static final String HOLDS_CLAIMS = "EXISTS (SELECT FROM {claims} c WHERE c.owner = r.id)";

  /** A claim that was taken over keeps what is on its last attempt, and its time. */
  private static final String FREE_CLAIMS =
      """
      WITH {gone},
      claim AS MATERIALIZED (
        SELECT c.id, c.ids, c.keys FROM {claims} c JOIN gone ON c.owner = gone.id
        WHERE c.until >= clock_timestamp() AND c.namespace IS NOT DISTINCT FROM CAST(:namespace AS text)
          AND c.tenant IS NOT DISTINCT FROM CAST(:tenant AS uuid)
        FOR UPDATE OF c SKIP LOCKED),
      held AS MATERIALIZED (
        SELECT claim.id AS claim, i.id, i.key, i.n, t.{attempts} + 1 >= :max_attempts AS is_last
        FROM claim CROSS JOIN unnest(claim.ids, claim.keys) WITH ORDINALITY AS i(id, key, n)
          JOIN {table} t ON t.{id} = i.id AND t.{status} = 'pending'),
      counted AS (
        UPDATE {table} SET {attempts} = {attempts} + 1, {last_error} = '{unfinished}'
        WHERE {id} = ANY (ARRAY(SELECT id FROM held WHERE NOT is_last)) AND {status} = 'pending'
        RETURNING 1),
      freed AS (
        UPDATE {claims} c SET owner = {nobody},
          ids = ARRAY(SELECT h.id FROM held h WHERE h.claim = c.id AND h.is_last ORDER BY h.n),
          keys = ARRAY(SELECT h.key FROM held h WHERE h.claim = c.id AND h.is_last ORDER BY h.n)
        FROM claim WHERE c.id = claim.id
        RETURNING 1)
      SELECT (SELECT count(*) FROM counted) AS events, (SELECT count(*) FROM freed) AS leases""";

  private static final String HOLDS_ROWS =
      """
      EXISTS (SELECT FROM {table} t
          WHERE t.{status} = 'processing' AND t.{locked_by} = CAST(r.id AS {type_of_locked_by}))""";

  private static final String FREE_ROWS =
      """
      WITH {gone},
      held AS MATERIALIZED (
        SELECT t.{id} AS id, t.{locked_until} AS until, gone.id AS relay
        FROM {table} t JOIN gone ON t.{locked_by} = CAST(gone.id AS {type_of_locked_by})
        WHERE t.{status} = 'processing' AND t.{locked_until} >= clock_timestamp()
          AND t.{attempts} < :max_attempts{scope}
        FOR UPDATE OF t SKIP LOCKED),
      freed AS (
        UPDATE {table} SET
          {status} = 'pending', {locked_by} = NULL, {locked_until} = NULL, {updated_at} = now(),
          {last_error} = '{unfinished}'
        WHERE {id} = ANY (ARRAY(SELECT id FROM held))
        RETURNING 1),
      told AS (
        UPDATE {relays} r SET undecided_until = greatest(r.undecided_until, h.until)
        FROM (SELECT relay, max(until) AS until FROM held GROUP BY relay) h WHERE r.id = h.relay)
      SELECT count(*) AS events, 0 AS leases FROM freed""";

  private static final String HOLDS_CURSOR = "EXISTS (SELECT FROM {cursor} c WHERE c.owner = r.id)";

  private static final String FREE_CURSOR =
      """
      WITH {gone},
      freed AS (
        UPDATE {cursor} c SET
          owner = NULL, fence = c.fence + 1, until = '-infinity',
          undecided_until = greatest(c.undecided_until, c.until)
        FROM gone WHERE c.owner = gone.id AND c.until >= clock_timestamp()
        RETURNING 1)
      SELECT 0 AS events, count(*) AS leases FROM freed""";

  /** A relay with the session that it recorded, as far as that tells it from others. */
  record Gone(String id, long pid, long startedAt) {}

  /** How many events and leases were freed. */
  record Freed(long events, long leases) {}

  /** All that relays hold on a table of this layout. */
  static List<Holdings> of(DataSource dataSource, Layout layout, ClaimRequest request) {
    List<Holdings> all = new ArrayList<>();
    if (layout.isLog()) {
      all.add(
          of(
              layout,
              new Database(dataSource, layout),
              HOLDS_CURSOR,
              OneTransaction.of(TransactionStart.BEGIN, FREE_CURSOR),
              to -> to));
    }
    Layout table = layout.diverted().orElse(layout);
    if (table.lifecycle() instanceof Claimed) {
      @Nullable UUID tenant = request.tenant();
      all.add(
          of(
              layout,
              new Database(dataSource, table),
              HOLDS_CLAIMS,
              OneTransaction.of(TableLock.LOCK, FREE_CLAIMS),
              to ->
                  to.set("namespace", request.namespace())
                      .set("tenant", tenant == null ? null : tenant.toString())
                      .set("max_attempts", request.maxAttempts())));
    } else if (table.lifecycle() instanceof Leased) {
      all.add(
          of(
              layout,
              new Database(dataSource, table),
              HOLDS_ROWS,
              OneTransaction.of(TableLock.LOCK, FREE_ROWS)
                  .replace("{scope}", NamedSql.scope(request)),
              to -> to.set("max_attempts", request.maxAttempts()).setScope(request)));
    }
    return all;
  }

  private static Holdings of(
      Layout layout,
      Database database,
      String exist,
      String free,
      StatementWork<NamedStatement> more) {
    SqlTemplate template = new SqlTemplate(database.layout());
    Map<String, String> names = names(layout);
    return new Holdings(
        database,
        template.render(exist, names),
        template.statement(free.replace("{gone}", GONE), names),
        more);
  }

  /** The relays of a log have their rows beside it, not beside the table of diverted events. */
  private static Map<String, String> names(Layout layout) {
    return Map.of(
        "relays",
        layout.relays().sql(),
        "is_gone",
        IS_GONE,
        "started",
        STARTED,
        "nobody",
        Takeovers.NOBODY);
  }

  /** Finds relays that are gone and hold any of these. */
  static NamedSql find(Layout layout, List<Holdings> holdings) {
    String holds = holdings.stream().map(Holdings::exist).collect(joining(" OR "));
    return new SqlTemplate(layout).statement(FIND.replace("{holds}", holds), names(layout));
  }

  /** Frees what these relays hold, if they are still gone. */
  Freed free(List<Gone> relays) {
    return database.run(
        "take over from relays that are gone from",
        free,
        to ->
            more.on(to)
                .setTexts("ids", relays.stream().map(Gone::id).toList())
                .setNumbers("pids", relays.stream().map(Gone::pid).toList())
                .setNumbers("started", relays.stream().map(Gone::startedAt).toList())
                .row(row -> new Freed(row.getLong("events"), row.getLong("leases"))));
  }
}
