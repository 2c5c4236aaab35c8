package dev.postcommit.internal.store.held;

import dev.postcommit.Ordering;
import dev.postcommit.internal.jdbc.NamedSql;
import dev.postcommit.internal.jdbc.RowStates;
import dev.postcommit.internal.jdbc.SqlTemplate;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.LifecycleKind;
import dev.postcommit.layout.Role;
import dev.postcommit.store.ClaimRequest;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The statements by which a held table is listed in parts, so that many waiting rows are passed
 * over rarely. See {@link RecentRows} for when each is used.
 *
 * <p>All of them need an index in the order of writing, and one by key, whose condition the {@code
 * CASE} expressions repeat: no other index can stand in for it, whatever the statistics say.
 */
final class RecentSql {

  /**
   * The rows of the last moments. Kind 0 is one row that counts those that were passed over or
   * listed. Kind 1 are the keys of those that are due, if no event of the key waits, and whether
   * the key has an older row that is still to be delivered. Kind 2 are the rows that are due.
   *
   * <p>Each key is looked up once, however many rows it has, and the caller joins the two kinds.
   */
  private static final String RECENT =
      """
      WITH walked AS MATERIALIZED (
        SELECT t.{id} AS event, t.{key} AS ordering_key, t.{written} AS written,
          coalesce({payload_size}, 0) AS bytes, CAST({due_time} AS double precision) AS due, {compressed} AS compressed,
          {is_due} AS is_due, row_number() OVER (ORDER BY t.{written}, t.{id}) AS position
        FROM {table} t
        WHERE {row} AND t.{written} > {since}{scope}
        ORDER BY t.{written}, t.{id} LIMIT :limit),
      listed AS MATERIALIZED (SELECT w.* FROM walked w WHERE w.is_due{not_failed}),
      parts AS (
        SELECT 0 AS kind, CAST(NULL AS text) AS event, CAST(NULL AS text) AS ordering_key,
          count(*) AS bytes, CAST(NULL AS double precision) AS due, false AS flag, 0 AS position
        FROM walked
        UNION ALL
        SELECT 1, NULL, CAST(k.ordering_key AS text), 0, NULL, coalesce({oldest} <= {since}, false), 0
        FROM (SELECT DISTINCT l.ordering_key FROM listed l WHERE {asks} AND l.ordering_key IS NOT NULL) k
        WHERE {is_free}
        UNION ALL
        SELECT 2, CAST(l.event AS text), CAST(l.ordering_key AS text), l.bytes, l.due, l.compressed, l.position
        FROM listed l)
      SELECT kind, event, ordering_key, bytes, due, flag FROM parts ORDER BY kind, position""";

  /** All rows of some keys that are due, if no event of the key waits, in the order of writing. */
  private static final String KEYS =
      """
      WITH keys AS MATERIALIZED (
        SELECT k.ordering_key
        FROM unnest(CAST(CAST(:keys AS text[]) AS {type_of_key}[])) AS k(ordering_key) WHERE {is_free})
      SELECT CAST(r.event AS text) AS event, CAST(k.ordering_key AS text) AS ordering_key,
        r.bytes, r.due, r.compressed
      FROM keys k CROSS JOIN LATERAL (
        SELECT w.event, w.written, w.bytes, w.due, w.compressed
        FROM (
          SELECT t.{id} AS event, t.{written} AS written, coalesce({payload_size}, 0) AS bytes,
            CAST({due_time} AS double precision) AS due, {compressed} AS compressed
          FROM {table} t
          WHERE {row_by_key} AND t.{key} = k.ordering_key AND {unindexed_is_due}{scope}
          ORDER BY t.{written}, t.{id} LIMIT :limit) w
        WHERE true{not_failed}) r
      ORDER BY r.written, r.event LIMIT :limit""";

  /**
   * A few rows in the order of writing. Kind 0 is one row with the number of rows passed over and
   * the position of the last. Kind 1 are the keys of those that are due, if no event of the key
   * waits. Kind 2 are rows that are due and that no key speaks for.
   */
  private static final String STEP =
      """
      WITH walked AS MATERIALIZED (
        SELECT t.{id} AS event, t.{key} AS ordering_key, t.{written} AS written, {is_due} AS is_due
        FROM {table} t
        WHERE {row} AND {from_position} AND t.{written} <= statement_timestamp() - {moment}{scope}
        ORDER BY t.{written}, t.{id} LIMIT :limit),
      listed AS MATERIALIZED (SELECT w.* FROM walked w WHERE w.is_due{not_failed}),
      parts AS (
        SELECT 0 AS kind, count(*) AS walked, max(w.written) AS written,
          (SELECT CAST(o.event AS text) FROM walked o ORDER BY o.written DESC, o.event DESC LIMIT 1) AS event,
          CAST(NULL AS text) AS ordering_key
        FROM walked w
        UNION ALL
        SELECT 1, 0, NULL, NULL, CAST(k.ordering_key AS text)
        FROM (SELECT DISTINCT l.ordering_key FROM listed l WHERE {asks} AND l.ordering_key IS NOT NULL) k
        WHERE {is_free}
        UNION ALL
        SELECT 2, 0, NULL, CAST(l.event AS text), NULL
        FROM listed l WHERE NOT {asks} OR l.ordering_key IS NULL{undated})
      SELECT kind, walked, CAST(written AS text) AS written, event, ordering_key FROM parts ORDER BY kind""";

  /** A row without a time of writing is in no part of the table but all of it. */
  private static final String UNDATED =
      """

        UNION ALL
        (SELECT 2, 0, NULL, CAST(t.{id} AS text), NULL FROM {table} t
         WHERE {row} AND t.{written} IS NULL AND {unindexed_is_due}{scope}
         ORDER BY t.{written}, t.{id} LIMIT 1)""";

  private static final String FROM_FIRST = "t.{written} > timestamptz '-infinity'";

  private static final String FROM_POSITION =
      "(t.{written}, t.{id}) > (CAST(:written AS timestamptz), CAST(:id AS {type_of_id}))";

  private static final String SINCE = "statement_timestamp() - :millis * interval '1 ms'";

  private static final String MOMENT = RecentRows.SHORTEST_MOMENT.toMillis() + " * interval '1 ms'";

  private static final String NOT_FAILED =
      """

        AND (SELECT true FROM {failures} f WHERE f.id = w.event AND ({deferred}) LIMIT 1) IS NULL""";

  /** Ordered, so that no index but that by key and time is used. */
  private static final String OLDEST =
      """
      (SELECT e.{written} FROM {table} e
          WHERE {row_by_key_e} AND e.{key} = k.ordering_key{scope}
          ORDER BY e.{written}, e.{id} LIMIT 1)""";

  /** Subqueries have a limit so that they are not turned into a hash table of all that wait. */
  private static final String NO_ROW_WAITS =
      """
      (SELECT true FROM {table} e
          WHERE {row_by_key_e} AND e.{key} = k.ordering_key AND {waiting_e}{scope}
          ORDER BY e.{written}, e.{id} LIMIT 1) IS NULL""";

  private static final String NO_FAILURE_WAITS =
      """
      (SELECT true FROM {failures} f
          WHERE f.key = CAST(k.ordering_key AS text) AND f.due_at > statement_timestamp(){of_scope}
          LIMIT 1) IS NULL""";

  /** Failures do not tell whose they are. */
  static final String OF_SCOPE = " AND EXISTS (SELECT FROM {table} s WHERE s.{id} = f.id{scope})";

  private final Layout layout;
  private final Map<String, String> names;

  /**
   * The statements for a layout.
   *
   * @param names what {@link HeldSql} calls things
   */
  RecentSql(Layout layout, Map<String, String> names) {
    this.layout = layout;
    this.names = new LinkedHashMap<>(names);
    RowStates states = RowStates.of(layout);
    String byKey = rowByKey(states);
    this.names.put("row", states.row());
    this.names.put("row_by_key", byKey);
    this.names.put("row_by_key_e", ofE(byKey));
    this.names.put("waiting_e", SqlTemplate.unindexed(ofE(states.waiting())));
    String isDue = layout.column(Role.DUE_AT).isPresent() ? states.due() : "true";
    this.names.put("is_due", isDue);
    this.names.put("unindexed_is_due", SqlTemplate.unindexed(isDue));
    this.names.put("since", SINCE);
    this.names.put("moment", MOMENT);
  }

  /** Said in the words of the index by key, and no other. */
  private String rowByKey(RowStates states) {
    String isPending = SqlTemplate.unindexed(states.row());
    return layout.lifecycle().kind() == LifecycleKind.PUBLISHED_AT
        ? SqlTemplate.unindexed("t." + layout.sql(Role.DELIVERED_AT) + " IS NULL")
            + " AND "
            + isPending
        : isPending;
  }

  private static String ofE(String condition) {
    return condition.replace("t.\"", "e.\"");
  }

  /** Lists up to {@code :limit} rows of the last {@code :millis} milliseconds. */
  NamedSql recent(ClaimRequest request) {
    return render(RECENT.replace("{oldest}", OLDEST), request);
  }

  /** Lists up to {@code :limit} rows of {@code :keys}. */
  NamedSql keys(ClaimRequest request) {
    return render(KEYS, request);
  }

  /** Reads the first {@code :limit} rows. */
  NamedSql firstStep(ClaimRequest request) {
    return render(
        STEP.replace("{from_position}", FROM_FIRST).replace("{undated}", UNDATED), request);
  }

  /** Reads the next {@code :limit} rows after the one {@code :written} then with an {@code :id}. */
  NamedSql nextStep(ClaimRequest request) {
    return render(STEP.replace("{from_position}", FROM_POSITION).replace("{undated}", ""), request);
  }

  private NamedSql render(String text, ClaimRequest request) {
    boolean failures = layout.failures().isPresent();
    String isFree = layout.column(Role.DUE_AT).isPresent() ? NO_ROW_WAITS : NO_FAILURE_WAITS;
    return new SqlTemplate(layout)
        .statement(
            text.replace("{not_failed}", failures ? NOT_FAILED : "")
                .replace("{is_free}", isFree)
                .replace("{asks}", String.valueOf(request.ordering() == Ordering.PER_KEY))
                .replace("{of_scope}", request.isScoped() ? OF_SCOPE : "")
                .replace("{scope}", NamedSql.scope(request)),
            names);
  }
}
