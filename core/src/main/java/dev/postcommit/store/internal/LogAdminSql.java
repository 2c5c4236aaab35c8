package dev.postcommit.store.internal;

import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Lifecycle.Log;
import java.util.Map;

/**
 * The operator's statements on a log, rendered once.
 *
 * @param backlog the rows not delivered: how many, when the oldest was written, the present time,
 *     which relay reads, and how many numbers lie between the cursor and the newest row
 * @param boundedBacklog the same, but not further than one beyond the bound of {@link GaugeSql}
 * @param partitions the partitions in their order: schema, name, lower and upper bound; none for
 *     that of all other rows
 * @param expired whether a partition gets no more rows, having those below a number, and all it has
 *     are delivered, and were written more milliseconds ago than given
 * @param pruneRows deletes some delivered rows, written more milliseconds ago than given, from the
 *     low end
 * @param pruneKeys deletes some dedupe keys of that age
 */
record LogAdminSql(
    String backlog,
    String boundedBacklog,
    String partitions,
    String expired,
    String pruneRows,
    String pruneKeys) {

  private static final String NOT_DELIVERED =
      """
      NOT pg_visible_in_snapshot(t.xid, c.seen)
          AND (c.upto IS NULL OR t.{seq} > c.position OR NOT pg_visible_in_snapshot(t.xid, c.upto))""";

  private static final String BACKLOG =
      """
      WITH c AS MATERIALIZED (SELECT * FROM {cursor})
      SELECT count(*), min(b.{created_at}), now(),
        (SELECT owner FROM c WHERE until >= clock_timestamp()),
        (SELECT s.last_value - greatest(c.floor, c.position) FROM {sequence} s, c)
      FROM (
        SELECT t.{created_at} FROM {table} t, c
        WHERE t.{seq} > (SELECT floor FROM c) AND {not_delivered}
        UNION ALL
        SELECT t.{created_at} FROM {table} t, c
        WHERE t.{seq} > c.base AND t.{seq} <= c.floor
          AND t.xid = ANY (ARRAY(SELECT pg_snapshot_xip(seen) FROM c)) AND {not_delivered}
        {limit}) b""";

  private static final String PARTITIONS =
      """
      SELECT n.nspname, p.relname, b.bound[1], b.bound[2]
      FROM pg_inherits i
        JOIN pg_class p ON p.oid = i.inhrelid JOIN pg_namespace n ON n.oid = p.relnamespace,
        regexp_match(pg_get_expr(p.relpartbound, p.oid),
          'FROM \\(''?(-?[0-9]+|MINVALUE)''?\\) TO \\(''?([0-9]+)''?\\)') AS b(bound)
      WHERE i.inhparent = CAST('{table}' AS regclass) AND b.bound IS NOT NULL
      ORDER BY CAST(b.bound[2] AS bigint)""";

  private static final String EXPIRED =
      """
      SELECT c.floor >= ? AND coalesce((SELECT p.{created_at} FROM {partition} p ORDER BY p.{seq} DESC LIMIT 1)
          < now() - ? * interval '1 ms', true)
        AND NOT EXISTS (
          SELECT FROM {partition} t
          WHERE t.xid >= pg_snapshot_xmax(c.seen) AND t.{seq} > c.base AND {not_delivered})
        AND NOT EXISTS (
          SELECT FROM {partition} t
          WHERE t.xid = ANY (ARRAY(SELECT pg_snapshot_xip(c.seen))) AND t.{seq} > c.base
            AND {not_delivered})
      FROM {cursor} c""";

  private static final String PRUNE_ROWS =
      """
      WITH gone AS (
        DELETE FROM {table} WHERE {seq} = ANY (ARRAY(
          SELECT t.{seq} FROM (SELECT * FROM {table} ORDER BY {seq} LIMIT ?) t, {cursor} c
          WHERE (t.{seq} <= c.base OR NOT ({not_delivered}))
            AND t.{created_at} < now() - ? * interval '1 ms'))
        RETURNING 1)
      SELECT count(*) FROM gone""";

  private static final String PRUNE_KEYS =
      """
      WITH gone AS (
        DELETE FROM {keys} WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM {keys} WHERE created_at < now() - ? * interval '1 ms' LIMIT ?))
        RETURNING 1)
      SELECT count(*) FROM gone""";

  LogAdminSql(Layout layout, Log lifecycle) {
    this(
        render(layout, lifecycle, BACKLOG.replace("{limit}", "")),
        render(layout, lifecycle, BACKLOG.replace("{limit}", "LIMIT " + (GaugeSql.BOUND + 1))),
        render(layout, lifecycle, PARTITIONS),
        render(layout, lifecycle, EXPIRED),
        render(layout, lifecycle, PRUNE_ROWS),
        render(layout, lifecycle, PRUNE_KEYS));
  }

  private static String render(Layout layout, Log lifecycle, String statement) {
    return new SqlTemplate(layout)
        .render(
            statement.replace("{not_delivered}", NOT_DELIVERED),
            Map.of(
                "cursor", lifecycle.cursor().sql(),
                "sequence", layout.table().withSuffix("_seq").sql(),
                "keys", layout.dedupeKeys().orElseThrow().sql(),
                "partition", "%s"));
  }
}
