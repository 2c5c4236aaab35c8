package dev.postcommit.internal.admin;

import dev.postcommit.internal.jdbc.NamedSql;
import dev.postcommit.internal.jdbc.SqlTemplate;
import dev.postcommit.layout.Layout;
import dev.postcommit.support.OneTransaction;
import java.util.Map;

/**
 * The operator's statements on a log, rendered once.
 *
 * @param backlog the rows not delivered: how many, when the oldest was written, the present time,
 *     which relay reads, and how many numbers lie between the cursor and the newest row
 * @param boundedBacklog the same, but not further than one beyond the bound of {@link GaugeSql}
 * @param partitions the partitions in their order: quoted name, lower and upper bound, whether a
 *     relay made it, and whether this user may drop it; none for that of all other rows
 * @param rest the partition of all other rows: quoted name, its size, and the constraints that
 *     {@link LogPartitionMaker} has put on it
 * @param expired whether a partition gets no more rows, having those below a number, and all it has
 *     are delivered, and were written more milliseconds ago than given
 * @param pruneRows deletes some delivered rows, written more milliseconds ago than given, from the
 *     low end
 * @param pruneKeys reads the next dedupe keys of that age, after a time, and deletes those that no
 *     event holds any more; returns how many of them are behind the cursor, and the last time
 */
public record LogAdminSql(
    NamedSql backlog,
    NamedSql boundedBacklog,
    NamedSql partitions,
    NamedSql rest,
    String expired,
    NamedSql pruneRows,
    NamedSql pruneKeys) {

  private static final String NOT_DELIVERED =
      """
      NOT pg_visible_in_snapshot(t.xid, c.seen)
          AND (c.upto IS NULL OR t.{seq} > c.position OR NOT pg_visible_in_snapshot(t.xid, c.upto))""";

  private static final String BACKLOG =
      """
      WITH c AS MATERIALIZED (SELECT * FROM {cursor})
      SELECT count(*) AS rows, min(b.{created_at}) AS oldest, now() AS now,
        (SELECT owner FROM c WHERE until >= clock_timestamp()) AS leader,
        (SELECT s.last_value - greatest(c.floor, c.position) FROM {sequence} s, c) AS distance
      FROM (
        SELECT t.{created_at} FROM {table} t, c
        WHERE t.{seq} > (SELECT floor FROM c) AND {not_delivered}
        UNION ALL
        SELECT t.{created_at} FROM {table} t, c
        WHERE t.{seq} > c.base AND t.{seq} <= c.floor
          AND t.xid = ANY (ARRAY(SELECT pg_snapshot_xip(seen) FROM c)) AND {not_delivered}
        UNION ALL
        {below_floor}
        {limit}) b""";

  /** Rows whose numbers are lower than those of earlier transactions: see {@code LogRepair}. */
  private static final String BELOW_FLOOR =
      """
      SELECT t.{created_at} FROM c, (
          SELECT * FROM {table}
          WHERE xid >= (SELECT least(pg_snapshot_xmax(checked), pg_snapshot_xmax(seen)) FROM c)
            AND xid < (SELECT pg_snapshot_xmax(pg_current_snapshot()))
          {limit}) t
        WHERE t.{seq} > c.base AND t.{seq} <= c.floor
          AND (t.xid >= pg_snapshot_xmax(c.seen)
            OR (t.xid >= pg_snapshot_xmax(c.checked) AND t.{seq} <= c.checked_floor))""";

  private static final String PARTITIONS =
      """
      SELECT format('%I.%I', n.nspname, p.relname) AS name, b.lower, b.upper,
        p.relnamespace = l.relnamespace AND p.relkind = 'r'
          AND left(p.relname, length(l.relname) + 1) = l.relname || '_'
          AND substr(p.relname, length(l.relname) + 2) ~ '^[0-9]+$' AS is_ours,
        pg_has_role(p.relowner, 'USAGE') AS may_drop
      FROM pg_inherits i
        JOIN pg_class l ON l.oid = i.inhparent
        JOIN pg_class p ON p.oid = i.inhrelid
        JOIN pg_namespace n ON n.oid = p.relnamespace,
        regexp_match(pg_get_expr(p.relpartbound, p.oid),
          'FROM \\(''?(-?[0-9]+|MINVALUE)''?\\) TO \\(''?(-?[0-9]+|MAXVALUE)''?\\)') AS m(bound),
        LATERAL (SELECT
          CAST(replace(m.bound[1], 'MINVALUE', '-9223372036854775808') AS bigint) AS lower,
          CAST(replace(m.bound[2], 'MAXVALUE', '9223372036854775807') AS bigint) AS upper) b
      WHERE i.inhparent = CAST('{table}' AS regclass) AND m.bound IS NOT NULL
      ORDER BY b.upper""";

  private static final String REST =
      """
      SELECT format('%I.%I', n.nspname, p.relname) AS name, pg_relation_size(p.oid) AS bytes,
        ARRAY(SELECT CAST(c.conname AS text) FROM pg_constraint c
          WHERE c.conrelid = p.oid AND starts_with(c.conname, '{prefix}')) AS leftovers
      FROM pg_partitioned_table t
        JOIN pg_class p ON p.oid = t.partdefid
        JOIN pg_namespace n ON n.oid = p.relnamespace
      WHERE t.partrelid = CAST('{table}' AS regclass)""";

  private static final String EXPIRED =
      """
      SELECT c.floor >= :upper AND coalesce((SELECT p.{created_at} FROM {partition} p ORDER BY p.{seq} DESC LIMIT 1)
          < now() - :millis * interval '1 ms', true)
        AND NOT EXISTS (
          SELECT FROM {partition} t
          WHERE t.xid >= pg_snapshot_xmax(c.seen) AND t.{seq} > c.base AND {not_delivered})
        AND NOT EXISTS (
          SELECT FROM {partition} t
          WHERE t.xid = ANY (ARRAY(SELECT pg_snapshot_xip(c.seen))) AND t.{seq} > c.base
            AND {not_delivered}) AS is_expired
      FROM {cursor} c""";

  private static final String PRUNE_ROWS =
      """
      WITH gone AS (
        DELETE FROM {table} WHERE {seq} = ANY (ARRAY(
          SELECT t.{seq} FROM (SELECT * FROM {table} ORDER BY {seq} LIMIT :limit) t, {cursor} c
          WHERE (t.{seq} <= c.base OR NOT ({not_delivered}))
            AND t.{created_at} < now() - :millis * interval '1 ms'))
        RETURNING 1)
      SELECT count(*) AS deleted FROM gone""";

  private static final String BY_INDEX =
      """
      SELECT set_config('jit', 'off', true), set_config('enable_seqscan', 'off', true),
        set_config('enable_bitmapscan', 'off', true), set_config('enable_sort', 'off', true),
        set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)""";

  /**
   * An event and its key are written by one transaction. If the cursor's snapshot sees it, the
   * event is delivered, or in the table beside the log, whose rows hold their keys. If not, it is
   * not delivered, unless the transaction wrote nothing into the log: while that is idle, the
   * snapshot stays as it is. Keys from another cluster have ids that mean nothing here, and are
   * held until all is delivered that came from there.
   *
   * <p>Everything is found by index. A planner that knows little of the tables, or sees few large
   * transactions in them, would read all old keys to find the first, and for each of these all rows
   * of its transaction.
   */
  private static final String PRUNE_KEYS =
      """
      WITH old AS MATERIALIZED (
        SELECT k.location, k.id, k.created_at,
          CASE WHEN k.created_at < c.adopted_at THEN pg_visible_in_snapshot(c.adopted, c.seen)
            ELSE pg_visible_in_snapshot(k.xid, c.seen)
              OR (SELECT true FROM {table} t WHERE t.xid = k.xid AND t.{seq} > c.base LIMIT 1) IS NULL
          END AS behind
        FROM {cursor} c, (
          SELECT ctid AS location, * FROM {keys}
          WHERE created_at > :after AND created_at < now() - :millis * interval '1 ms'
          ORDER BY created_at FETCH FIRST :limit ROWS WITH TIES) k),
      gone AS (
        DELETE FROM {keys} WHERE ctid = ANY (ARRAY(
          SELECT location FROM old
          WHERE behind AND NOT EXISTS (SELECT FROM {diverted} d WHERE d.id = old.id))))
      SELECT count(*) FILTER (WHERE behind) AS behind, max(created_at) AS last FROM old""";

  public LogAdminSql(Layout layout) {
    this(
        statement(layout, backlog("")),
        statement(layout, backlog("LIMIT " + (GaugeSql.BOUND + 1))),
        statement(layout, PARTITIONS),
        statement(layout, REST),
        render(layout, EXPIRED),
        statement(layout, PRUNE_ROWS),
        statement(layout, OneTransaction.of(BY_INDEX, PRUNE_KEYS)));
  }

  private static String backlog(String limit) {
    return BACKLOG.replace("{below_floor}", BELOW_FLOOR).replace("{limit}", limit);
  }

  private static NamedSql statement(Layout layout, String statement) {
    return NamedSql.of(render(layout, statement));
  }

  private static String render(Layout layout, String statement) {
    return new SqlTemplate(layout)
        .render(
            statement.replace("{not_delivered}", NOT_DELIVERED),
            Map.of("partition", "{partition}", "prefix", LogPartitionMaker.PREFIX));
  }
}
