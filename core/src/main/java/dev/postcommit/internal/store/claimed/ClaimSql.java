package dev.postcommit.internal.store.claimed;

import dev.postcommit.Ordering;
import dev.postcommit.internal.jdbc.NamedSql;
import dev.postcommit.internal.jdbc.SqlTemplate;
import dev.postcommit.internal.jdbc.TableLock;
import dev.postcommit.internal.store.Takeovers;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.TableName;
import dev.postcommit.store.ClaimRequest;
import dev.postcommit.support.OneTransaction;
import java.util.Map;
import java.util.Optional;

/**
 * The statement that claims events of a claimed table. {@link ClaimRow} is the row it returns.
 *
 * <p>It is three statements sent together as {@linkplain OneTransaction one transaction}. They are
 * apart because each needs to see what was committed while the one before it waited: the lock must
 * be held before a snapshot is taken that is to show all claims, and expired claims must be gone
 * before rows are picked. Nothing large is returned while the lock is held, since a reader that
 * froze half-way would hold it for as long.
 *
 * <p>Claims and settlements do not wait for the disk. If the database crashes, the last of them may
 * be forgotten, and their events are delivered again; nothing else depends on them.
 */
final class ClaimSql {

  /**
   * Takes the lock. What follows is planned once: values would not make its plan better, and
   * planning each claim was a quarter of what an event cost the database at 1,000 a second.
   */
  static final String LOCK =
      TableLock.LOCK + ",\n  set_config('plan_cache_mode', 'force_generic_plan', true)";

  /**
   * Drops claims whose time ran out, and counts the attempt that never finished. It leaves rows
   * outside of the request's scope alone: other relays know how often these may be tried.
   */
  private static final String EXPIRE =
      """
      WITH expired AS (
        DELETE FROM {claims} WHERE id IN (
          SELECT id FROM {claims} WHERE id >= {claim_floor} AND until < clock_timestamp(){concerned}
          FOR UPDATE SKIP LOCKED)
        RETURNING ids{and_whose}){others}
      UPDATE {table} SET
        {attempts} = {attempts} + 1,
        {status} = CASE WHEN {attempts} + 1 >= :max_attempts AND {is_decided} THEN 'dead' ELSE 'pending' END,
        {last_error} = '{unfinished}'
      WHERE {id} = ANY (ARRAY(SELECT unnest(ids) FROM expired)) AND {status} = 'pending'{scope}""";

  /**
   * Whether no message can arrive any more of a relay whose claims were {@linkplain Takeovers taken
   * over}: these stay until their time is up.
   */
  private static final String IS_DECIDED =
      "NOT EXISTS (SELECT FROM {claims} WHERE owner = {nobody} AND until >= clock_timestamp())";

  /** The same of a relay whose lease on the log was taken over. */
  private static final String IS_DECIDED_IN_LOG =
      "NOT EXISTS (SELECT FROM {cursor} WHERE undecided_until >= clock_timestamp())";

  private static final String AND_WHOSE =
      ", keys, owner, until, namespace AS claimed_namespace, tenant AS claimed_tenant";

  /**
   * Keeps the part of a wider claim that is outside of the request's scope, as claims of that scope
   * alone. So this happens once, and their keys are not busy here.
   */
  private static final String OTHERS =
      """
      ,
      others AS (
        INSERT INTO {claims} (owner, until, ids, keys, namespace, tenant)
        SELECT e.owner, e.until, array_agg(c.id), array_agg(c.key), {whose}
        FROM expired e, unnest(e.ids, e.keys) AS c(id, key), {table} t
        WHERE t.{id} = c.id AND t.{status} = 'pending' AND (true{scope}) IS NOT TRUE
        GROUP BY e.owner, e.until, {whose})""";

  /** The tenant of events that have none, where null means all tenants. */
  private static final String NO_TENANT = "CAST('00000000-0000-0000-0000-000000000000' AS uuid)";

  /**
   * Picks due rows in order and records the claim. Rows due at once are found by seq from the floor
   * on, rows with a time of their own by that time; each kind is cut to the batch before they are
   * merged, so neither can overtake the other. A key with an event in a live claim or waiting for
   * its retry is passed over, but only so many rows are scanned: every claim would otherwise walk
   * over a long run of a busy key at the head. Rows with a time of their own are not taken from
   * beyond those, where earlier ones of their key may lie.
   *
   * <p>What is busy is gathered into one row of arrays. Postgres guesses that an array is short,
   * and makes a small hash table that grows; from the statistics of claims, which come and go by
   * the hundred, it would guess many, and take milliseconds to make a large one for a few.
   *
   * <p>The transaction's id is told only if it was given out after the snapshot was taken, so that
   * every transaction that had its own by then has a lower one: see {@link Floor}. A claim that
   * drops expired ones has its id too early.
   *
   * <p>Rows of {@linkplain HotKeys hot keys} are skipped if none of them can be claimed. What is
   * seen of them includes what is in claims, as it may be given back.
   */
  private static final String PICK =
      """
      WITH back AS MATERIALIZED (
        SELECT clock_timestamp() AS began, {below_floor} AS seq, clock_timestamp() AS ended),
      live AS MATERIALIZED (
        SELECT id, owner, until, ids, keys, true{concerned} AS concerned
        FROM {claims} WHERE id >= {claim_floor}),
      busy AS MATERIALIZED (
        SELECT ARRAY(SELECT unnest(ids) FROM live WHERE concerned) AS ids,
          ARRAY(SELECT k FROM live, unnest(keys) AS k WHERE concerned AND k IS NOT NULL) AS keys,
          pg_current_xact_id_if_assigned() AS xid_before),
      skipped AS MATERIALIZED (
        SELECT *, {holds} AS holds, (SELECT max(l) FROM unnest(given.lowest) AS l) AS above
        FROM (SELECT CAST(:beyond AS bigint) AS beyond, CAST(:hot_keys AS text[]) AS keys,
          CAST(:hot_lowest AS bigint[]) AS lowest) given),
      lowest AS MATERIALIZED (
        SELECT base, CASE WHEN known > 0 AND base = known AND ended IS NULL AND holds
          THEN greatest(base, beyond) ELSE base END AS floor
        FROM skipped, (
          SELECT known, ended, CASE WHEN is_same THEN least(known, ended, below) ELSE 0 END AS base
          FROM (SELECT {epoch} = :epoch AS is_same, {first_ended} AS ended, CAST(:floor AS bigint) AS known,
            (SELECT seq FROM back) AS below) given) seen),
      head AS NOT MATERIALIZED (
        SELECT {id}, {seq}, {key}, {payload}{scope_columns} FROM {table}
        WHERE {status} = 'pending' AND {due_at} IS NULL AND {seq} >= (SELECT floor FROM lowest){scope}
          AND {not_taken}
        ORDER BY {seq} LIMIT :rows),
      ready AS (
        SELECT {id} AS id, {seq} AS seq, {key} AS key, {payload_size} AS size
        FROM head WHERE {not_skipped} AND {ready_in_turn}
        ORDER BY {seq} LIMIT {limit}),
      timed AS (
        SELECT {id} AS id, {seq} AS seq, {key} AS key, {payload_size} AS size
        FROM {table} t
        WHERE {status} = 'pending' AND {due_at} IS NOT NULL AND {due_at} <= now(){scope}
          AND {not_taken} AND {timed_in_turn}
        ORDER BY {seq} LIMIT {limit}),
      picked AS (
        SELECT * FROM (
          SELECT * FROM ready
          UNION ALL
          SELECT * FROM timed WHERE seq <= coalesce(
            (SELECT max({seq}) FROM head HAVING count(*) >= :rows), 9223372036854775807)) due
        ORDER BY seq LIMIT {limit}),
      measured AS (
        SELECT *, sum(size) OVER (ORDER BY seq) - size AS size_before FROM picked),
      claim AS (
        INSERT INTO {claims} (owner, until, ids, keys{scope_names})
        SELECT CAST(:owner AS uuid), clock_timestamp() + :lease_millis * interval '1 ms',
          array_agg(id ORDER BY seq), array_agg(hashtextextended(key, 0) ORDER BY seq){scope_values}
        FROM measured WHERE size_before < :bytes AND {is_locked} HAVING count(*) > 0
        RETURNING id, ids),
      scanned AS MATERIALIZED (
        SELECT CASE WHEN (SELECT count(*) FROM ready) < {limit}
          THEN (SELECT count(*) FROM head) ELSE -1 END AS rows),
      passed AS MATERIALIZED (
        SELECT {seq} AS seq, {key} AS key FROM {table}
        WHERE {status} = 'pending' AND {due_at} IS NULL AND {seq} >= (SELECT floor FROM lowest)
        ORDER BY {seq} LIMIT :rows),
      hot AS MATERIALIZED (
        SELECT key, min(seq) AS lowest FROM passed WHERE key IS NOT NULL
        GROUP BY key HAVING count(*) >= {many} ORDER BY count(*) DESC LIMIT {most_keys})
      SELECT
        (SELECT id FROM claim) AS claim,
        (SELECT ids FROM claim) AS ids,
        {is_locked} AS is_locked,
        (SELECT rows FROM scanned) AS scanned,
        (SELECT count(*) FROM ready) AS ready,
        EXISTS (SELECT FROM picked) AS finds,
        EXISTS (SELECT FROM {table} WHERE {tried}) AS tried,
        {epoch} AS epoch,
        (SELECT min(id) FROM live) AS lowest_claim,
        (SELECT min({seq}) FROM {table}
         WHERE {status} = 'pending' AND {due_at} IS NULL AND {seq} >= (SELECT base FROM lowest)) AS lowest_seq,
        {running_xid} AS running_xid,
        CASE WHEN (SELECT xid_before FROM busy) IS NULL
          THEN CAST(CAST(
            CASE WHEN (SELECT rows FROM scanned) >= :rows AND (SELECT holds FROM skipped)
              THEN pg_current_xact_id() ELSE pg_current_xact_id_if_assigned() END AS text) AS bigint)
        END AS own_xid,
        {open_ignored} AS open_ignored,
        (SELECT holds FROM skipped) AS holds,
        CASE WHEN (SELECT holds FROM skipped) THEN (
          SELECT min(seq) FROM passed
          WHERE key IS NULL OR key <> ALL (CAST((SELECT keys FROM skipped) AS text[])))
        END AS other_lowest,
        CASE WHEN (SELECT holds FROM skipped) THEN (SELECT max(seq) FROM passed) END AS passed_to,
        CASE WHEN (SELECT rows FROM scanned) >= :rows THEN ARRAY(SELECT key FROM hot) END AS hot_keys,
        CASE WHEN (SELECT rows FROM scanned) >= :rows THEN ARRAY(SELECT lowest FROM hot) END AS hot_lowest,
        (SELECT CAST(1000000 * extract(epoch FROM ended - began) AS bigint) FROM back) AS back_micros,
        (SELECT CAST(1000 * extract(epoch FROM max(until) - clock_timestamp()) AS bigint)
         FROM live WHERE owner = {nobody}) AS undecided_millis""";

  private static final String CLAIM_FLOOR =
      "(SELECT CASE WHEN {epoch} = :epoch THEN CAST(:claim_floor AS bigint) ELSE 0 END)";

  /**
   * The floor holds only while the transactions it does not wait for are open: what one of them
   * committed has to be seen by the very snapshot that sees what was written after it. So once one
   * has ended, the scan starts where its rows may lie. If that is above the floor, it only means
   * that no row is skipped.
   */
  static final String FIRST_ENDED =
      """
      (SELECT min(i.from_seq) FROM unnest(CAST(:ignored_xids AS bigint[]), CAST(:ignored_seqs AS bigint[])) AS i(xid, from_seq)
             WHERE pg_visible_in_snapshot(CAST(CAST(i.xid AS text) AS xid8), pg_current_snapshot()))""";

  /** The lowest transaction that is running and not ignored, or else the next one to begin. */
  static final String RUNNING_XID =
      """
      coalesce(
          (SELECT min(CAST(CAST(x AS text) AS bigint))
           FROM pg_snapshot_xip(pg_current_snapshot()) AS x
           WHERE CAST(CAST(x AS text) AS bigint) > :ignored_xid),
          CAST(CAST(pg_snapshot_xmax(pg_current_snapshot()) AS text) AS bigint))""";

  /** The ignored transactions that are running. */
  static final String OPEN_IGNORED =
      """
      ARRAY(SELECT CAST(CAST(x AS text) AS bigint)
          FROM pg_snapshot_xip(pg_current_snapshot()) AS x
          WHERE CAST(CAST(x AS text) AS bigint) <= :ignored_xid)""";

  /**
   * The lowest row that is due and lies below the floor, as far as this claim searches for one:
   * among those that are due again, and in a strip of numbers.
   */
  private static final String BELOW_FLOOR =
      """
      least(
          CASE WHEN :looks_for_again THEN (SELECT min({seq}) FROM {table} WHERE {again}) END,
          (SELECT min({seq}) FROM {table}
           WHERE {status} = 'pending' AND {due_at} IS NULL AND {seq} >= :strip_from AND {seq} < :strip_to))""";

  /**
   * Whether every hot key is busy, or waits for an event that comes before all of its rows. An
   * event that is due again may be one of the rows skipped, and ends that. Tried events are counted
   * only up to a number; beyond it nothing is skipped. The order is that of the index of tried
   * events.
   */
  private static final String HOLDS =
      """
      CASE WHEN cardinality(given.keys) = 0 THEN false ELSE
          NOT EXISTS (
            SELECT FROM unnest(given.keys, given.lowest) AS many(key, lowest)
            WHERE hashtextextended(many.key, 0) <> ALL (CAST((SELECT keys FROM busy) AS bigint[]))
              AND (SELECT true FROM {table} earlier
                   WHERE {waits} AND earlier.{key} = many.key AND earlier.{seq} < many.lowest
                   LIMIT 1) IS NULL)
          AND (SELECT count(*) < {most_tried}
                 AND count(*) FILTER (WHERE again AND seq < given.beyond) = 0
               FROM (
                 SELECT {seq} AS seq, {due_at} IS NULL AS again FROM {table} WHERE {tried}
                 ORDER BY {key}, num_nulls({due_at}), {seq} LIMIT {most_tried}) first_tried)
        END""";

  /** Spares the lookups of {@link #IN_ORDER} for rows that are known to have to wait. */
  private static final String NOT_SKIPPED =
      """
      ({key} IS NULL OR {seq} < (SELECT above FROM skipped) OR NOT (SELECT holds FROM skipped)
            OR {key} <> ALL (CAST((SELECT keys FROM skipped) AS text[])))""";

  private static final String NOT_TAKEN = "{id} NOT IN (SELECT unnest(ids) FROM busy)";

  private static final String KEY_IS_FREE =
      """
      ({key} IS NULL OR hashtextextended({key}, 0) NOT IN (
            SELECT unnest(keys) FROM busy))""";

  /**
   * An event that failed or was deferred keeps its error while it waits, which tells it from a
   * delayed event that nobody has tried: that one does not hold back its key.
   */
  static final String TRIED = "{status} = 'pending' AND {last_error} IS NOT NULL";

  /** Written in this way so that Postgres uses the index of tried events, and no other. */
  static final String WAITS = TRIED + " AND num_nulls({due_at}) = 0";

  /**
   * An event that an operator replayed, whose relay crashed, or whose topic takes messages again.
   * It is due, and may lie below the floor, where this claim does not see it.
   */
  private static final String AGAIN = TRIED + " AND num_nulls({due_at}) = 1";

  /**
   * Each row is looked up by its key, so that it does not matter how many others wait. Usually none
   * does, and that is asked once. Subqueries have a limit so that they are not turned into a hash
   * table of all that wait.
   */
  private static final String IN_ORDER =
      KEY_IS_FREE
          + """

          AND ({key} IS NULL
            OR (SELECT NOT EXISTS (SELECT FROM {table} WHERE {tried}))
            OR ((SELECT true FROM {table} earlier
                 WHERE {waits}{same_scope} AND earlier.{key} = {row}.{key} AND earlier.{seq} < {row}.{seq}
                 LIMIT 1) IS NULL
              AND (SELECT true FROM {table} earlier
                 WHERE {again}{same_scope} AND earlier.{key} = {row}.{key} AND earlier.{seq} < {row}.{seq}
                   AND earlier.{seq} < (SELECT floor FROM lowest)
                 LIMIT 1) IS NULL))""";

  private static final String SAME_NAMESPACE = " AND earlier.{namespace} = {row}.{namespace}";
  private static final String SAME_TENANT = " AND earlier.{tenant} = {row}.{tenant}";

  /** Claims that may have rows of the request's scope: null means all. */
  private static final String OF_NAMESPACE = " AND (namespace IS NULL OR namespace = :namespace)";

  private static final String OF_TENANT = " AND (tenant IS NULL OR tenant = CAST(:tenant AS uuid))";

  private static final Map<String, String> NAMES =
      Map.of(
          "nobody", Takeovers.NOBODY,
          "running_xid", RUNNING_XID,
          "open_ignored", OPEN_IGNORED);

  private final SqlTemplate template;
  private final String isDecided;

  /**
   * The claims of a table.
   *
   * @param cursor that of the log whose diverted events are in the table, if there is one
   */
  ClaimSql(Layout layout, Optional<TableName> cursor) {
    template = new SqlTemplate(layout);
    isDecided =
        IS_DECIDED
            + cursor.map(c -> " AND " + IS_DECIDED_IN_LOG.replace("{cursor}", c.sql())).orElse("");
  }

  /** Claims as {@code request} says: lock, expire, pick. */
  NamedSql claim(ClaimRequest request) {
    boolean ordered = request.ordering() == Ordering.PER_KEY;
    String pick =
        PICK.replace("{below_floor}", BELOW_FLOOR)
            .replace("{holds}", HOLDS)
            .replace("{many}", "(SELECT count(*) FROM passed) / " + HotKeys.MOST_KEYS)
            .replace("{most_keys}", Integer.toString(HotKeys.MOST_KEYS))
            .replace("{most_tried}", Integer.toString(HotKeys.MOST_TRIED))
            .replace("{not_taken}", NOT_TAKEN)
            .replace("{not_skipped}", ordered ? NOT_SKIPPED : "true")
            .replace("{ready_in_turn}", ordered ? inOrder(request, "head") : "true")
            .replace("{timed_in_turn}", ordered ? inOrder(request, "t") : "true")
            .replace("{waits}", WAITS)
            .replace("{again}", AGAIN)
            .replace("{tried}", TRIED)
            .replace("{scope_columns}", narrowed(request, ", {namespace}", ", {tenant}"))
            .replace("{scope_names}", narrowed(request, ", namespace", ", tenant"))
            .replace(
                "{scope_values}",
                narrowed(request, ", CAST(:namespace AS text)", ", CAST(:tenant AS uuid)"))
            .replace("{limit}", Integer.toString(request.batchSize()));
    String others = request.isScoped() ? OTHERS.replace("{whose}", whose(request)) : "";
    String expire =
        EXPIRE
            .replace("{and_whose}", request.isScoped() ? AND_WHOSE : "")
            .replace("{others}", others)
            .replace("{is_decided}", isDecided);
    return template.statement(
        OneTransaction.of(LOCK, expire, pick)
            .replace("{concerned}", narrowed(request, OF_NAMESPACE, OF_TENANT))
            .replace("{scope}", NamedSql.scope(request))
            .replace("{claim_floor}", CLAIM_FLOOR)
            .replace("{first_ended}", FIRST_ENDED),
        NAMES);
  }

  /** What there is to say of each part of the scope that is set. */
  private static String narrowed(ClaimRequest request, String namespace, String tenant) {
    return (request.namespace() == null ? "" : namespace)
        + (request.tenant() == null ? "" : tenant);
  }

  /** The scope that has rows outside of the request's, and none that are in it. */
  private static String whose(ClaimRequest request) {
    return (request.namespace() == null ? "e.claimed_namespace" : "t.{namespace}")
        + ", "
        + (request.tenant() == null
            ? "e.claimed_tenant"
            : "coalesce(t.{tenant}, " + NO_TENANT + ")");
  }

  /** The condition that no earlier event of a row's key has to come first. */
  private static String inOrder(ClaimRequest request, String row) {
    return IN_ORDER
        .replace("{same_scope}", narrowed(request, SAME_NAMESPACE, SAME_TENANT))
        .replace("{row}", row);
  }
}
