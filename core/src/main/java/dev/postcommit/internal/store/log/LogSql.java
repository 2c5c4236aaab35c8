package dev.postcommit.internal.store.log;

import static java.util.stream.Collectors.joining;

import dev.postcommit.internal.jdbc.EventReader;
import dev.postcommit.internal.jdbc.NamedSql;
import dev.postcommit.internal.jdbc.SqlTemplate;
import dev.postcommit.layout.Column;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Role;
import dev.postcommit.support.OneTransaction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The statements of a log's relay.
 *
 * <p>Only one of them waits for the disk. If the database crashes, the last moves of the cursor may
 * be forgotten, and the events are delivered again. Each write of the cursor returns the location
 * of its row, so that the next one finds it there, however many old versions of it Postgres has to
 * keep. It also returns its transaction's id, with the number that the sequence had reached before
 * the id was given out: see {@link Fences}.
 */
final class LogSql {

  private static final String NUMBER =
      """
      (SELECT last_value - CASE WHEN is_called THEN 0 ELSE 1 END AS number,
        set_config('synchronous_commit', 'off', true) FROM {sequence}) f""";

  private static final String WRITTEN =
      """
      RETURNING CAST(c.ctid AS text) AS location,
        CAST(CAST(pg_current_xact_id() AS text) AS bigint) AS xid, f.number AS number""";

  /** The transaction ids in a cursor are those of one run of the database. */
  private static final String MINE =
      "c.owner = CAST(:owner AS uuid) AND c.fence = :fence AND {epoch} = :epoch";

  /** A sequence gets a new file whenever it is altered or restarted, and at no other time. */
  private static final String NUMBERING = "CAST(pg_relation_filenode('{sequence}') AS bigint)";

  private static final String LEASED = "until = clock_timestamp() + :millis * interval '1 ms'";

  private static final String SYSTEM = "(SELECT system_identifier FROM pg_control_system())";

  /**
   * The number that the sequence has reached, and then the cursor, locked. Locking takes a
   * transaction id, and a number that is read after that is no {@linkplain Fences fence}; so the
   * number is part of the row before it is locked.
   */
  private static final String NUMBER_AND_CURSOR =
      """
      f AS MATERIALIZED (SELECT * FROM {number}),
      c AS MATERIALIZED (
        SELECT c.*, f.number FROM {cursor} c, f WHERE {mine} FOR UPDATE OF c)""";

  private static final String TAKE =
      """
      UPDATE {cursor} c SET fence = c.fence + 1, owner = CAST(:owner AS uuid), {leased}
      FROM {number}
      WHERE c.owner IS NULL OR c.owner = CAST(:owner AS uuid) OR c.until < clock_timestamp()
      {written},
        c.fence, c.system, c.system = {system} AS is_home, {epoch} AS epoch,
        c.base, c.floor, CAST(c.seen AS text) AS seen, CAST(c.upto AS text) AS upto, c.position,
        c.mark, CAST(c.checked AS text) AS checked, c.checked_floor,
        c.numbering = {numbering} AND f.number >= greatest(c.floor, c.position) AS is_intact,
        CAST(1000 * extract(epoch FROM c.undecided_until - clock_timestamp()) AS bigint)
          AS undecided_millis,
        (SELECT last_value FROM {sequence}) AS reached""";

  /**
   * Does nothing if the sequence was altered, restarted or set back since the lease was taken: a
   * later snapshot may see rows of low numbers, which were passed over.
   */
  private static final String MOVE =
      """
      UPDATE {cursor} c SET
        floor = :floor, seen = CAST(:seen AS pg_snapshot), upto = CAST(:upto AS pg_snapshot),
        position = :position, mark = :mark, {leased}, checked = CAST(:checked AS pg_snapshot),
        checked_floor = :checked_floor
      FROM {number}
      WHERE c.numbering = {numbering} AND f.number >= :known AND {location} AND {mine}
      {written}""";

  private static final String RELEASE =
      """
      UPDATE {cursor} c SET owner = NULL, until = '-infinity'
      WHERE c.owner = CAST(:owner AS uuid) AND c.fence = :fence""";

  /** Copies rows to the native table, if the lease is still held. */
  private static final String DIVERT =
      """
      WITH led AS (
        UPDATE {cursor} c SET {leased} FROM {number} WHERE {mine}
        {written}),
      copied AS (
        INSERT INTO {diverted} ({columns}, status, attempts, due_at, last_error)
        SELECT {columns_of_t}, d.status, d.attempts,
          clock_timestamp() + d.delay * interval '1 ms', d.error
        FROM led, unnest(CAST(:seqs AS bigint[]), CAST(:statuses AS text[]),
            CAST(:attempts AS bigint[]), CAST(:delays AS bigint[]), CAST(:errors AS text[]))
            WITH ORDINALITY AS d(seq, status, attempts, delay, error, n)
          JOIN {table} t ON t.{seq} = d.seq
        ORDER BY d.n
        ON CONFLICT (id) DO NOTHING)
      SELECT * FROM led""";

  /**
   * Takes a snapshot, unless one is given, and returns which of the given keys wait for diverted
   * events, whether any key does, and whether a diverted event is due, without or with a due time.
   * Keys are looked up one by one, so it does not matter how many events wait.
   *
   * <p>The rows are then read by the index of their numbers, up to as many as are wanted, whatever
   * Postgres estimates: its statistics may know nothing of a recent backlog, and then it would read
   * and sort all of it for each page. The generic plan saves planning each time.
   */
  private static final String POLL =
      """
      SELECT set_config('postcommit.upto',
          coalesce(CAST(:upto AS text), CAST(pg_current_snapshot() AS text)), true) AS upto,
        {epoch} AS epoch,
        ARRAY(SELECT k FROM unnest(CAST(:keys AS text[])) AS k WHERE {k_waits}) AS waiting_keys,
        (SELECT true FROM {diverted} WHERE status = 'pending' AND due_at IS NULL
         ORDER BY seq LIMIT 1) IS NOT NULL AS has_due,
        set_config('jit', 'off', true), set_config('plan_cache_mode', 'force_generic_plan', true),
        set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
        set_config('enable_sort', 'off', true),
        {any_waits} AS has_waiting,
        (SELECT true FROM {diverted}
         WHERE status = 'pending' AND due_at IS NOT NULL AND due_at <= now()
         ORDER BY due_at LIMIT 1) IS NOT NULL AS has_timed""";

  /** Diverted events that hold back their key; a delayed one that was never tried does not. */
  private static final String WAITS =
      "d.status = 'pending' AND (d.due_at IS NULL OR d.last_error IS NOT NULL)";

  /**
   * This and the following ask for the first entry of an index, in its order. If all waiting events
   * have one key, Postgres would otherwise assume the same of any key, and scan the table.
   */
  private static final String ANY_WAITS =
      "(SELECT true FROM {diverted} d WHERE "
          + WAITS
          + " AND d.key IS NOT NULL ORDER BY d.key LIMIT 1) IS NOT NULL";

  /** Whether the first waiting event from a key on has this key. */
  private static final String KEY_WAITS =
      "(SELECT d.key = %1$s FROM {diverted} d WHERE "
          + WAITS
          + " AND d.key >= %1$s ORDER BY d.key LIMIT 1) IS TRUE";

  /** Whether the key of a row waits; usually no key does, and that is evaluated once. */
  private static final String ROW_WAITS =
      "t.{key} IS NOT NULL AND (SELECT {any_waits}) AND " + KEY_WAITS.formatted("t.{key}");

  /**
   * Whether a row was given up beside the log, by an earlier leaseholder whose cursor had not
   * passed it. Only rows up to the number that was reached when the lease was taken can be; others
   * are not looked up. Usually nothing is dead, and that is evaluated once. Two events with the
   * same id are told apart by their times.
   */
  private static final String ROW_IS_DEAD =
      """
      t.{seq} <= :reached
        AND (SELECT true FROM {diverted} WHERE status = 'dead' ORDER BY seq LIMIT 1) IS NOT NULL
        AND (SELECT d.status = 'dead' AND d.created_at = t.{created_at}
             FROM {diverted} d WHERE d.id = t.{id} LIMIT 1) IS TRUE""";

  private static final String UPTO =
      "(SELECT CAST(current_setting('postcommit.upto') AS pg_snapshot))";

  private static final String NEW_ROWS =
      """
      SELECT * FROM {table}
      WHERE {seq} > :above AND NOT pg_visible_in_snapshot(xid, CAST(:seen AS pg_snapshot))
        AND pg_visible_in_snapshot(xid, {upto})
      ORDER BY {seq} LIMIT :limit""";

  /**
   * Rows of long transactions. Adding 0 to their numbers makes Postgres find them by the index of
   * ids; where transactions wrote many rows each, it would otherwise scan all numbers up to the
   * floor.
   */
  private static final String OLD_ROWS =
      """
      SELECT * FROM {table}
      WHERE xid = ANY (ARRAY(
          SELECT x FROM unnest(CAST(CAST(:old AS text[]) AS xid8[])) AS x
          WHERE pg_visible_in_snapshot(x, {upto})))
        AND {seq} + 0 > :old_above AND {seq} + 0 <= :floor
      ORDER BY {seq} + 0 LIMIT :limit""";

  /**
   * Payloads that are larger than their share of a page are withheld. To examine all sizes first
   * would take longer than reading.
   */
  private static final String SMALL_ROWS =
      """
      SELECT {event}, t.{seq} AS number, {row_waits} AS waits, {row_is_dead} AS is_dead,
        t.{payload} IS NULL AS is_large
      FROM (
        SELECT {columns_but_payload}, {seq},
          CASE WHEN {payload_size} <= :share THEN {payload} END AS {payload}
        FROM ({rows}) t) t
      ORDER BY t.{seq}""";

  private static final String MEASURED_ROWS =
      """
      SELECT {event}, t.{seq} AS number, {row_waits} AS waits, {row_is_dead} AS is_dead, t.rows_read
      FROM (
        SELECT t.*, count(*) OVER () AS rows_read,
          sum({payload_size}) OVER (ORDER BY {seq}) - {payload_size} AS size_before
        FROM ({rows}) t) t
      WHERE t.size_before < :bytes
      ORDER BY t.{seq}""";

  /**
   * Rows that were read before, in the same order, as many as fit. The id of a deleted row is null.
   */
  private static final String AGAIN =
      """
      SELECT {event}, t.{id} IS NULL AS is_gone FROM (
        SELECT t.*, p.n AS nth, sum(coalesce({payload_size}, 0)) OVER (ORDER BY p.n)
          - coalesce({payload_size}, 0) AS size_before
        FROM unnest(CAST(:seqs AS bigint[])) WITH ORDINALITY AS p(seq, n)
          LEFT JOIN {table} t ON t.{seq} = p.seq) t
      WHERE t.size_before < :bytes
      ORDER BY t.nth""";

  private final SqlTemplate template;
  private final NamedSql[] pages;
  private final Map<String, String> names = new HashMap<>();

  final NamedSql take;
  final NamedSql move;
  final NamedSql moveAtLocation;
  final NamedSql moveDurably;
  final NamedSql moveAtLocationDurably;
  final NamedSql release;
  final NamedSql divert;
  final NamedSql readAgain;

  LogSql(Layout layout, EventReader reader) {
    template = new SqlTemplate(layout);
    names.put("event", reader.columns());
    names.put("columns", columns(layout, "", Role.SEQ));
    names.put("columns_of_t", columns(layout, "t.", Role.SEQ));
    take = statement(TAKE);
    String anywhere = MOVE.replace("{location}", "true");
    String atLocation = MOVE.replace("{location}", "c.ctid = CAST(:location AS tid)");
    move = statement(anywhere);
    moveAtLocation = statement(atLocation);
    moveDurably = durably(anywhere);
    moveAtLocationDurably = durably(atLocation);
    release = statement(RELEASE);
    divert = statement(DIVERT);
    readAgain = statement(AGAIN);
    names.put("columns_but_payload", columns(layout, "", Role.SEQ, Role.PAYLOAD));
    pages =
        new NamedSql[] {page(false, false), page(false, true), page(true, false), page(true, true)};
  }

  /**
   * Reads a page.
   *
   * @param hasOld whether to look up rows of old transactions too
   * @param isMeasured whether to limit the page by payload size; otherwise large payloads are
   *     withheld
   */
  NamedSql read(boolean hasOld, boolean isMeasured) {
    return pages[(hasOld ? 2 : 0) + (isMeasured ? 1 : 0)];
  }

  private NamedSql page(boolean hasOld, boolean isMeasured) {
    String rows =
        hasOld
            ? "(%s) UNION ALL (%s) ORDER BY {seq} LIMIT :limit".formatted(OLD_ROWS, NEW_ROWS)
            : NEW_ROWS;
    String read = (isMeasured ? MEASURED_ROWS : SMALL_ROWS).replace("{rows}", rows);
    return statement(OneTransaction.of(POLL, read));
  }

  private NamedSql durably(String statement) {
    return statement(
        statement.replace(
            "{number}",
            NUMBER.replace("'synchronous_commit', 'off'", "'synchronous_commit', 'on'")));
  }

  private static String columns(Layout layout, String prefix, Role... without) {
    return layout.columns().entrySet().stream()
        .filter(entry -> !List.of(without).contains(entry.getKey()))
        .map(Map.Entry::getValue)
        .map(Column::sql)
        .map(name -> prefix + name)
        .collect(joining(", "));
  }

  NamedSql statement(String statement) {
    return template.statement(
        statement
            .replace("{number_and_cursor}", NUMBER_AND_CURSOR)
            .replace("{number}", NUMBER)
            .replace("{numbering}", NUMBERING)
            .replace("{written}", WRITTEN)
            .replace("{mine}", MINE)
            .replace("{leased}", LEASED)
            .replace("{system}", SYSTEM)
            .replace("{upto}", UPTO)
            .replace("{row_waits}", ROW_WAITS)
            .replace("{row_is_dead}", ROW_IS_DEAD)
            .replace("{k_waits}", KEY_WAITS.formatted("k"))
            .replace("{any_waits}", ANY_WAITS),
        names);
  }
}
