package dev.postcommit.internal.admin;

import dev.postcommit.internal.jdbc.EventReader;
import dev.postcommit.internal.jdbc.EventTexts;
import dev.postcommit.internal.jdbc.NamedSql;
import dev.postcommit.internal.jdbc.RowStates;
import dev.postcommit.internal.jdbc.SideTables;
import dev.postcommit.internal.jdbc.SqlTemplate;
import dev.postcommit.internal.jdbc.TableLock;
import dev.postcommit.layout.Column;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Role;
import dev.postcommit.support.OneTransaction;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The operator's statements that read and prune, rendered once for a layout. Those over dead rows
 * take the seven parts of a filter, each of which is null or has to match.
 *
 * @param status one row of counts
 * @param deadIds the ids of the oldest dead rows, up to a number
 * @param countDead the number of dead rows
 * @param deadReasons how their errors begin, with the number of rows, up to a number
 * @param summaries what {@link EventReader#summary} reads of rows with these ids, their errors and
 *     the sizes of their payloads
 * @param prune deletes some delivered rows older than a number of milliseconds, and what side
 *     tables have of them; returns their number
 * @param pruneOrphans deletes some failures whose rows were deleted by others
 */
record AdminSql(
    NamedSql status,
    NamedSql deadIds,
    NamedSql countDead,
    NamedSql deadReasons,
    NamedSql summaries,
    NamedSql prune,
    Optional<NamedSql> pruneOrphans) {

  /** Pending rows are counted in two parts, since there is an index for each. */
  private static final String CLAIMED_STATUS =
      """
      SELECT
        (SELECT count(*) FROM {table} WHERE {status} = 'pending' AND {due_at} IS NULL)
          + (SELECT count(*) FROM {table} WHERE {status} = 'pending' AND {due_at} IS NOT NULL)
          AS pending,
        w.held,
        (SELECT count(*) FROM {table} WHERE {status} = 'pending' AND {due_at} > now()) AS delayed,
        (SELECT count(*) FROM {table} WHERE {status} = 'dead') AS dead,
        least(
          (SELECT {created_at} FROM {table} WHERE {status} = 'pending' AND {due_at} IS NULL
           ORDER BY {seq} LIMIT 1),
          (SELECT min({created_at}) FROM {table}
           WHERE {status} = 'pending' AND {due_at} IS NOT NULL AND {due_at} <= now())) AS oldest,
        now() AS now, w.relays
      FROM ({working}) w""";

  private static final String CLAIMED_WORKING =
      """
      SELECT coalesce(sum(cardinality(ids)), 0) AS held, count(DISTINCT owner) AS relays
      FROM {claims} WHERE until >= now()""";

  private static final String LEASED_STATUS =
      """
      SELECT
        (SELECT count(*) FROM {table} WHERE {status} IN ('pending', 'processing')) AS pending,
        w.held,
        (SELECT count(*) FROM {table} WHERE {status} = 'pending' AND {due_at} > now()) AS delayed,
        (SELECT count(*) FROM {table} WHERE {status} = 'dead') AS dead,
        (SELECT {created_at} FROM {table}
         WHERE {status} IN ('pending', 'processing') AND {due_at} <= now()
         ORDER BY {created_at}, {id} LIMIT 1) AS oldest,
        now() AS now, w.relays
      FROM ({working}) w""";

  private static final String LEASED_WORKING =
      """
      SELECT count(*) AS held, count(DISTINCT {locked_by}) AS relays
      FROM {table} WHERE {status} = 'processing' AND {locked_until} >= now()""";

  /** The undelivered rows are read once. */
  private static final String HELD_STATUS =
      """
      SELECT b.pending, w.held, b.delayed, (SELECT count(*) FROM {from} WHERE {dead}) AS dead, b.oldest,
        now() AS now, w.relays
      FROM (
        SELECT count(*) AS pending, count(*) FILTER (WHERE NOT {due}) AS delayed,
          min({written_at}) FILTER (WHERE {due}) AS oldest
        FROM {from} WHERE {pending}) b, ({working}) w""";

  /**
   * Held rows are locked, which the table does not show. A transaction that holds rows has a shared
   * advisory lock whose key is the table and the number of rows; the active relay has the lock that
   * claims begin with.
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
        SELECT CAST(:ids AS text[]) AS ids, CAST(:type AS text) AS type, CAST(:topic AS text) AS topic,
          CAST(:key AS text) AS key, CAST(:error AS text) AS error,
          CAST(:written_from AS timestamptz) AS written_from,
          CAST(:written_before AS timestamptz) AS written_before)
      SELECT {selected} FROM filter CROSS JOIN {from}
      WHERE {dead}
        AND (filter.ids IS NULL OR CAST(t.{id} AS text) = ANY (filter.ids))
        AND (filter.type IS NULL OR {type_text} = filter.type)
        AND (filter.topic IS NULL OR {topic_text} = filter.topic)
        AND (filter.key IS NULL OR {key_text} = filter.key)
        AND (filter.error IS NULL OR strpos({why}, filter.error) > 0)
        AND (filter.written_from IS NULL OR {written_at} >= filter.written_from)
        AND (filter.written_before IS NULL OR {written_at} < filter.written_before)""";

  private static final String SUMMARIES =
      """
      SELECT {summary}, {why} AS why, octet_length({content}) AS payload_bytes FROM {from}
      WHERE t.{id} = ANY (CAST(:ids AS {type_of_id}[]))""";

  /**
   * Where there is an index of times of delivery, it is used, whatever Postgres thinks of it: it
   * would rather read a whole table of which nothing is delivered, as that of diverted events may
   * be.
   */
  private static final String BY_INDEX =
      "SELECT set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true)";

  private static final String PRUNE =
      """
      WITH gone AS (
        DELETE FROM {table} WHERE {id} = ANY (ARRAY(
          SELECT t.{id} FROM {from}
          WHERE {delivered} AND {settled_at} < now() - :retention_millis * interval '1 ms'
          LIMIT :limit
          FOR UPDATE OF t SKIP LOCKED))
        RETURNING {id} AS id){side_tables}
      SELECT count(*) AS deleted FROM gone""";

  private static final String PRUNE_ORPHANS =
      """
      DELETE FROM {failures} WHERE id = ANY (ARRAY(
        SELECT f.id FROM {failures} f
        WHERE NOT EXISTS (SELECT FROM {table} t WHERE t.{id} = f.id) LIMIT :limit))""";

  static AdminSql of(Layout layout) {
    SqlTemplate template = new SqlTemplate(layout);
    Map<String, String> names = new HashMap<>(RowStates.of(layout).names());
    names.putAll(EventTexts.names(layout));
    names.put("working", working(layout));
    names.put("side_tables", SideTables.delete(layout, "gone"));
    names.put("summary", EventReader.summary(layout));
    names.put("content", content(layout.required(Role.PAYLOAD)));
    return new AdminSql(
        template.statement(status(layout), names),
        template.statement(
            FILTERED.replace("{selected}", "CAST(t.{id} AS text) AS event")
                + "\nORDER BY {order} LIMIT :limit",
            names),
        template.statement(FILTERED.replace("{selected}", "count(*) AS events"), names),
        template.statement(
            FILTERED.replace("{selected}", "left({why}, 200) AS reason, count(*) AS events")
                + "\nGROUP BY 1 ORDER BY 2 DESC, 1 LIMIT :limit",
            names),
        template.statement(SUMMARIES, names),
        template.statement(OneTransaction.of(BY_INDEX, PRUNE), names),
        layout.failures().map(failures -> template.statement(PRUNE_ORPHANS, names)));
  }

  /** The payload as it is read. */
  private static String content(Column payload) {
    return payload.isBinary() ? "t." + payload.sql() : "CAST(t." + payload.sql() + " AS text)";
  }

  /** How many rows are in flight, and how many relays have them. */
  static String working(Layout layout) {
    SqlTemplate template = new SqlTemplate(layout);
    return switch (layout.lifecycle().kind()) {
      case CLAIMED -> template.render(CLAIMED_WORKING);
      case LEASED -> template.render(LEASED_WORKING);
      default -> {
        String oid = template.render("CAST(CAST('{table}' AS regclass) AS oid)");
        yield template.render(HELD_WORKING, Map.of("lock_space", TableLock.LOCK_SPACE, "oid", oid));
      }
    };
  }

  private static String status(Layout layout) {
    return switch (layout.lifecycle().kind()) {
      case CLAIMED -> CLAIMED_STATUS;
      case LEASED -> LEASED_STATUS;
      default -> HELD_STATUS;
    };
  }
}
