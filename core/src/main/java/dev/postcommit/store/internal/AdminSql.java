package dev.postcommit.store.internal;

import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Lifecycle.Claimed;
import dev.postcommit.layout.Lifecycle.Leased;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The operator's statements that look and prune, rendered once for a layout. Those over dead rows
 * begin with the seven parts of a filter, each of which is null or to be satisfied.
 *
 * @param status one row of counts
 * @param listDead id and error of the oldest dead rows
 * @param countDead the number of dead rows
 * @param prune deletes some delivered rows older than a number of milliseconds, and what is kept of
 *     them beside the table; returns their number
 * @param pruneOrphans deletes some failures of rows that somebody else deleted
 */
record AdminSql(
    String status, String listDead, String countDead, String prune, Optional<String> pruneOrphans) {

  /** Pending rows are counted in two parts, since there is an index for each. */
  private static final String CLAIMED_STATUS =
      """
      SELECT
        (SELECT count(*) FROM {table} WHERE {status} = 'pending' AND {due_at} IS NULL)
          + (SELECT count(*) FROM {table} WHERE {status} = 'pending' AND {due_at} IS NOT NULL),
        w.held,
        (SELECT count(*) FROM {table} WHERE {status} = 'pending' AND {due_at} > now()),
        (SELECT count(*) FROM {table} WHERE {status} = 'dead'),
        least(
          (SELECT {created_at} FROM {table} WHERE {status} = 'pending' AND {due_at} IS NULL
           ORDER BY {seq} LIMIT 1),
          (SELECT min({created_at}) FROM {table}
           WHERE {status} = 'pending' AND {due_at} IS NOT NULL AND {due_at} <= now())) AS oldest,
        now(), w.relays
      FROM ({working}) w""";

  private static final String CLAIMED_WORKING =
      """
      SELECT coalesce(sum(cardinality(ids)), 0) AS held, count(DISTINCT owner) AS relays
      FROM {claims} WHERE until >= now()""";

  private static final String LEASED_STATUS =
      """
      SELECT
        (SELECT count(*) FROM {table} WHERE {status} IN ('pending', 'processing')),
        w.held,
        (SELECT count(*) FROM {table} WHERE {status} = 'pending' AND {due_at} > now()),
        (SELECT count(*) FROM {table} WHERE {status} = 'dead'),
        (SELECT {created_at} FROM {table}
         WHERE {status} IN ('pending', 'processing') AND {due_at} <= now()
         ORDER BY {created_at}, {id} LIMIT 1) AS oldest,
        now(), w.relays
      FROM ({working}) w""";

  private static final String LEASED_WORKING =
      """
      SELECT count(*) AS held, count(DISTINCT {locked_by}) AS relays
      FROM {table} WHERE {status} = 'processing' AND {locked_until} >= now()""";

  /** The undelivered rows are read once. */
  private static final String HELD_STATUS =
      """
      SELECT b.pending, w.held, b.delayed, (SELECT count(*) FROM {from} WHERE {dead}), b.oldest,
        now(), w.relays
      FROM (
        SELECT count(*) AS pending, count(*) FILTER (WHERE NOT {due}) AS delayed,
          min({written_at}) FILTER (WHERE {due}) AS oldest
        FROM {from} WHERE {pending}) b, ({working}) w""";

  /**
   * Held rows are locked, which the table does not show. A transaction that holds rows has a shared
   * advisory lock whose key is the table and the number of rows; the relay whose turn it is has the
   * lock that claims begin with.
   */
  private static final String HELD_WORKING =
      """
      SELECT coalesce(sum(CAST(objid AS bigint))
          FILTER (WHERE objsubid = 1 AND classid = {oid}), 0) AS held,
        count(*) FILTER (WHERE objsubid = 2 AND classid = {lock_space} AND objid = {oid}) AS relays
      FROM pg_locks
      WHERE locktype = 'advisory' AND granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())""";

  private static final String FILTERED =
      """
      WITH filter AS (
        SELECT CAST(? AS text[]) AS ids, CAST(? AS text) AS type, CAST(? AS text) AS topic,
          CAST(? AS text) AS key, CAST(? AS text) AS error,
          CAST(? AS timestamptz) AS written_from, CAST(? AS timestamptz) AS written_before)
      SELECT {selected} FROM filter CROSS JOIN {from}
      WHERE {dead}
        AND (filter.ids IS NULL OR CAST(t.{id} AS text) = ANY (filter.ids))
        AND (filter.type IS NULL OR {type_text} = filter.type)
        AND (filter.topic IS NULL OR {topic_text} = filter.topic)
        AND (filter.key IS NULL OR {key_text} = filter.key)
        AND (filter.error IS NULL OR strpos({why}, filter.error) > 0)
        AND (filter.written_from IS NULL OR {written_at} >= filter.written_from)
        AND (filter.written_before IS NULL OR {written_at} < filter.written_before)""";

  private static final String PRUNE =
      """
      WITH gone AS (
        DELETE FROM {table} WHERE {id} = ANY (ARRAY(
          SELECT t.{id} FROM {from}
          WHERE {delivered} AND {settled_at} < now() - ? * interval '1 ms'
          LIMIT ?
          FOR UPDATE OF t SKIP LOCKED))
        RETURNING {id} AS id){beside}
      SELECT count(*) FROM gone""";

  private static final String PRUNE_ORPHANS =
      """
      DELETE FROM {failures} WHERE id = ANY (ARRAY(
        SELECT f.id FROM {failures} f
        WHERE NOT EXISTS (SELECT FROM {table} t WHERE t.{id} = f.id) LIMIT ?))""";

  static AdminSql of(Layout layout) {
    SqlTemplate template = new SqlTemplate(layout);
    Marks marks = Marks.of(layout);
    EventTexts texts = EventTexts.of(layout);
    Map<String, String> names = new HashMap<>(marks.names());
    names.put("type_text", texts.type());
    names.put("topic_text", texts.topic());
    names.put("key_text", texts.key());
    names.put("written_at", texts.writtenAt());
    names.put("working", working(layout));
    names.put("beside", Beside.delete(layout, "gone"));
    layout.failures().ifPresent(failures -> names.put("failures", failures.sql()));
    String list = "CAST(t.{id} AS text), " + marks.error();
    return new AdminSql(
        template.render(status(layout), names),
        template.render(
            FILTERED.replace("{selected}", list) + "\nORDER BY " + texts.order() + " LIMIT ?",
            names),
        template.render(FILTERED.replace("{selected}", "count(*)"), names),
        template.render(PRUNE, names),
        layout.failures().map(failures -> template.render(PRUNE_ORPHANS, names)));
  }

  /** How many rows are in flight, and how many relays have them. */
  static String working(Layout layout) {
    SqlTemplate template = new SqlTemplate(layout);
    if (layout.lifecycle() instanceof Claimed claimed) {
      return template.render(CLAIMED_WORKING, Map.of("claims", claimed.claims().sql()));
    }
    if (layout.lifecycle() instanceof Leased) {
      return template.render(LEASED_WORKING);
    }
    String oid = template.render("CAST(CAST('{table}' AS regclass) AS oid)");
    return template.render(HELD_WORKING, Map.of("lock_space", Stores.LOCK_SPACE, "oid", oid));
  }

  private static String status(Layout layout) {
    if (layout.lifecycle() instanceof Claimed) {
      return CLAIMED_STATUS;
    }
    return layout.lifecycle() instanceof Leased ? LEASED_STATUS : HELD_STATUS;
  }
}
