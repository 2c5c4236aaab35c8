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

  private static final String CLAIMED_STATUS =
      """
      SELECT
        (SELECT count(*) FROM {table} WHERE {status} = 'pending'),
        (SELECT coalesce(sum(cardinality(ids)), 0) FROM {claims} WHERE until >= now()),
        (SELECT count(*) FROM {table} WHERE {status} = 'pending' AND {due_at} > now()),
        (SELECT count(*) FROM {table} WHERE {status} = 'dead'),
        least(
          (SELECT {created_at} FROM {table} WHERE {status} = 'pending' AND {due_at} IS NULL
           ORDER BY {seq} LIMIT 1),
          (SELECT min({created_at}) FROM {table}
           WHERE {status} = 'pending' AND {due_at} IS NOT NULL AND {due_at} <= now())) AS oldest,
        now(),
        (SELECT count(DISTINCT owner) FROM {claims} WHERE until >= now())""";

  private static final String LEASED_STATUS =
      """
      SELECT
        (SELECT count(*) FROM {table} WHERE {status} IN ('pending', 'processing')),
        (SELECT count(*) FROM {table} WHERE {status} = 'processing' AND {locked_until} >= now()),
        (SELECT count(*) FROM {table} WHERE {status} = 'pending' AND {due_at} > now()),
        (SELECT count(*) FROM {table} WHERE {status} = 'dead'),
        (SELECT {created_at} FROM {table}
         WHERE {status} IN ('pending', 'processing') AND {due_at} <= now()
         ORDER BY {created_at}, {id} LIMIT 1) AS oldest,
        now(),
        (SELECT count(DISTINCT {locked_by}) FROM {table}
         WHERE {status} = 'processing' AND {locked_until} >= now())""";

  /**
   * Held rows are locked, which the table does not show. A transaction that holds rows has a shared
   * advisory lock whose key is the table and the number of rows; the relay whose turn it is has the
   * lock that claims begin with.
   */
  private static final String HELD_STATUS =
      """
      WITH held AS MATERIALIZED (
        SELECT classid, objid, objsubid FROM pg_locks
        WHERE locktype = 'advisory' AND granted
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))
      SELECT
        (SELECT count(*) FROM {from} WHERE {pending}),
        (SELECT coalesce(sum(CAST(objid AS bigint)), 0) FROM held
         WHERE objsubid = 1 AND classid = {oid}),
        (SELECT count(*) FROM {from} WHERE {pending} AND NOT {due}),
        (SELECT count(*) FROM {from} WHERE {dead}),
        (SELECT min({written_at}) FROM {from} WHERE {pending} AND {due}) AS oldest,
        now(),
        (SELECT count(*) FROM held
         WHERE objsubid = 2 AND classid = {lock_space} AND objid = {oid})""";

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
    names.put("lock_space", Stores.LOCK_SPACE);
    names.put("oid", template.render("CAST(CAST('{table}' AS regclass) AS oid)"));
    names.put("beside", Beside.delete(layout, "gone"));
    layout.failures().ifPresent(failures -> names.put("failures", failures.sql()));
    if (layout.lifecycle() instanceof Claimed claimed) {
      names.put("claims", claimed.claims().sql());
    }
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

  private static String status(Layout layout) {
    if (layout.lifecycle() instanceof Claimed) {
      return CLAIMED_STATUS;
    }
    return layout.lifecycle() instanceof Leased ? LEASED_STATUS : HELD_STATUS;
  }
}
