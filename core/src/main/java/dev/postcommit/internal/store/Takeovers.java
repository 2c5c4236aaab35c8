package dev.postcommit.internal.store;

import static java.util.stream.Collectors.joining;

import dev.postcommit.internal.jdbc.Database;
import dev.postcommit.internal.jdbc.Parameters;
import dev.postcommit.internal.jdbc.RecordedErrors;
import dev.postcommit.internal.jdbc.SqlTemplate;
import dev.postcommit.internal.jdbc.TableLock;
import dev.postcommit.internal.jdbc.TransactionStart;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.LifecycleKind;
import dev.postcommit.store.ClaimRequest;
import dev.postcommit.support.OneTransaction;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Frees what relays hold that are gone, so that nobody has to wait for the end of their leases. For
 * use by one thread.
 *
 * <p>A relay is gone if the {@linkplain RelaySession session} that it recorded in its row has been
 * gone for a second. Its claims, rows or lease are freed under the lock under which they are made,
 * by a statement that asks once more whether the session in the row is the same and is gone. From
 * then on the relay can settle nothing, should it live after all: it has only lost its session.
 *
 * <p>Messages that it has sent may still arrive, up to the end of its lease. Freed events are
 * delivered from the first one on, in their order, as the relay did, so that first arrivals are in
 * order whichever relay's they are. But that holds only as long as none is left out. So until the
 * lease would have ended nothing is given up: see {@link
 * dev.postcommit.internal.store.RelayStore.Taken #undecided}, and events on their last attempt are
 * not freed at all.
 */
public final class Takeovers {
  private static final Logger log = LoggerFactory.getLogger(Takeovers.class);

  private static final long GRACE_NANOS = 1_000_000_000L;
  private static final long PAUSE_NANOS = 500_000_000L;

  /** Stands for the owner of claims that were taken over. */
  public static final String NOBODY = "CAST('00000000-0000-0000-0000-000000000000' AS uuid)";

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

  /** Sessions are looked at only if a relay holds something that others may be waiting for. */
  private static final String LOOK =
      """
      SELECT CAST(r.id AS text), r.backend_pid, {started}, r.host, r.pid FROM {relays} r
      WHERE r.id <> ? AND CASE WHEN {holds} THEN {is_gone} ELSE false END""";

  private static final String GONE =
      """
      gone AS MATERIALIZED (
        SELECT r.id
        FROM unnest(CAST(? AS text[]), CAST(? AS bigint[]), CAST(? AS bigint[])) AS g(id, pid, started)
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
        WHERE c.until >= clock_timestamp() AND c.namespace IS NOT DISTINCT FROM CAST(? AS text)
          AND c.tenant IS NOT DISTINCT FROM CAST(? AS uuid)
        FOR UPDATE OF c SKIP LOCKED),
      held AS MATERIALIZED (
        SELECT claim.id AS claim, i.id, i.key, i.n, t.{attempts} + 1 >= ? AS is_last
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
      SELECT (SELECT count(*) FROM counted), (SELECT count(*) FROM freed)""";

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
          AND t.{attempts} < ?{scope}
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
      SELECT count(*), 0 FROM freed""";

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
      SELECT 0, count(*) FROM freed""";

  /** What a statement binds besides relays. */
  private enum Scope {
    CLAIMS,
    ROWS,
    CURSOR
  }

  /** A table in which relays hold something. */
  private record Part(Database database, Scope scope, String holds, String free) {}

  /** A relay with the session that it recorded, as far as that tells it from others. */
  private record Gone(String id, long pid, long startedAt) {}

  private final Database database;
  private final UUID relay;
  private final ClaimRequest request;
  private final LongSupplier nanoTime;
  private final Map<String, String> names;
  private final List<Part> parts = new ArrayList<>();
  private final String look;
  private final Map<Gone, Long> seen = new HashMap<>();
  private long nextLook;

  /**
   * The take-overs of one relay.
   *
   * @param request what the relay claims: it takes over what it would claim
   */
  public Takeovers(DataSource dataSource, Layout layout, UUID relay, ClaimRequest request) {
    this(dataSource, layout, relay, request, System::nanoTime);
  }

  /**
   * The same.
   *
   * @param nanoTime says when to look, and for how long a relay has been gone
   */
  public Takeovers(
      DataSource dataSource,
      Layout layout,
      UUID relay,
      ClaimRequest request,
      LongSupplier nanoTime) {
    this.database = new Database(dataSource, layout);
    this.relay = relay;
    this.request = request;
    this.nanoTime = nanoTime;
    this.nextLook = nanoTime.getAsLong();
    this.names =
        Map.of(
            "relays", layout.relays().sql(),
            "is_gone", IS_GONE,
            "started", STARTED,
            "nobody", NOBODY,
            "unfinished", RecordedErrors.UNFINISHED);
    if (layout.cursor().isPresent()) {
      Map<String, String> cursor = Map.of("cursor", layout.cursor().get().sql());
      parts.add(
          part(database, Scope.CURSOR, HOLDS_CURSOR, TransactionStart.BEGIN, FREE_CURSOR, cursor));
      addClaims(new Database(dataSource, layout.diverted().orElseThrow()));
    } else if (layout.lifecycle().kind() == LifecycleKind.LEASED) {
      String free = FREE_ROWS.replace("{scope}", ClaimStatements.scope(request));
      parts.add(part(database, Scope.ROWS, HOLDS_ROWS, TableLock.LOCK, free, Map.of()));
    } else {
      addClaims(database);
    }
    String holds = parts.stream().map(Part::holds).collect(joining(" OR "));
    this.look = new SqlTemplate(layout).render(LOOK.replace("{holds}", holds), names);
  }

  private void addClaims(Database of) {
    if (of.layout().claims().isPresent()) {
      Map<String, String> claims = Map.of("claims", of.layout().claims().get().sql());
      parts.add(part(of, Scope.CLAIMS, HOLDS_CLAIMS, TableLock.LOCK, FREE_CLAIMS, claims));
    }
  }

  private Part part(
      Database of, Scope scope, String holds, String begin, String free, Map<String, String> more) {
    Map<String, String> all = new HashMap<>(names);
    all.putAll(more);
    SqlTemplate template = new SqlTemplate(of.layout());
    String text = OneTransaction.of(begin, free.replace("{gone}", GONE));
    return new Part(of, scope, template.render(holds, all), template.render(text, all));
  }

  /** Whether relays on a table of this layout hold anything without a session of their own. */
  public static boolean areNeeded(Layout layout) {
    return !layout.isHeld();
  }

  /**
   * Looks, if it is time, whether relays are gone, and frees what those held that have been gone
   * for long enough. It looks over the relay's own session, so that its loss is noticed too.
   *
   * @return whether anything was freed
   * @throws SQLException if the session is lost
   */
  public boolean run(RelaySession session) throws SQLException {
    long now = nanoTime.getAsLong();
    if (now - nextLook < 0) {
      return false;
    }
    nextLook = now + PAUSE_NANOS;
    Map<Gone, String> found = session.run(this::look).orElse(Map.of());
    seen.keySet().retainAll(found.keySet());
    found.keySet().forEach(gone -> seen.putIfAbsent(gone, now));
    Set<Gone> over = new HashSet<>();
    for (Map.Entry<Gone, Long> each : seen.entrySet()) {
      long freedAt = each.getValue() + GRACE_NANOS;
      if (now - freedAt >= 0) {
        over.add(each.getKey());
      } else if (freedAt - nextLook < 0) {
        nextLook = freedAt;
      }
    }
    return !over.isEmpty() && free(over, found);
  }

  private Map<Gone, String> look(Connection connection) throws SQLException {
    Map<Gone, String> found = new HashMap<>();
    try (PreparedStatement statement = connection.prepareStatement(look)) {
      new Parameters(statement).add(relay);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          found.put(
              new Gone(row.getString(1), row.getLong(2), row.getLong(3)),
              "%s (process %d on %s)"
                  .formatted(row.getString(1), row.getLong(5), row.getString(4)));
        }
      }
    }
    return found;
  }

  private boolean free(Set<Gone> over, Map<Gone, String> names) {
    long events = 0;
    long leases = 0;
    for (Part part : parts) {
      long[] freed = free(part, List.copyOf(over));
      events += freed[0];
      leases += freed[1];
    }
    if (events + leases == 0) {
      return false;
    }
    log.warn(
        "relay {} is gone, so {} is delivered by others from now on: {}",
        over.stream().map(names::get).collect(joining(", ")),
        database.layout().table(),
        events == 0
            ? "what it had not recorded as delivered is delivered again"
            : events + " events that it held are delivered again");
    return true;
  }

  private long[] free(Part part, List<Gone> over) {
    return part.database.run(
        "take over from relays that are gone from",
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(part.free)) {
            Parameters to = new Parameters(statement);
            to.add(over.stream().map(Gone::id).toArray(String[]::new));
            to.add(over.stream().map(Gone::pid).toList());
            to.add(over.stream().map(Gone::startedAt).toList());
            switch (part.scope) {
              case CLAIMS ->
                  to.addText(request.namespace())
                      .addText(request.tenant() == null ? null : request.tenant().toString())
                      .add(request.maxAttempts());
              case ROWS -> to.add(request.maxAttempts()).addScope(request);
              case CURSOR -> {}
            }
            OneTransaction.execute(statement);
            statement.getMoreResults();
            try (ResultSet row = statement.getResultSet()) {
              row.next();
              return new long[] {row.getLong(1), row.getLong(2)};
            }
          }
        });
  }

  /** For how long nothing may be given up, read from a column of milliseconds. */
  public static Duration undecided(ResultSet row, int column) throws SQLException {
    return Duration.ofMillis(Math.max(row.getLong(column), 0));
  }
}
