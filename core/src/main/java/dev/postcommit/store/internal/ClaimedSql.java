package dev.postcommit.store.internal;

import dev.postcommit.Ordering;
import dev.postcommit.internal.OneTransaction;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Lifecycle.Claimed;
import dev.postcommit.store.ClaimRequest;
import java.util.Map;

/**
 * The statements of the claimed lifecycle.
 *
 * <p>Claiming is three statements sent together as {@linkplain OneTransaction one transaction}.
 * They are apart because each needs to see what was committed while the one before it waited: the
 * lock must be held before a snapshot is taken that is to show all claims, and expired claims must
 * be gone before rows are picked. Nothing large is returned while the lock is held, since a reader
 * that froze half-way would hold it for as long.
 *
 * <p>Claims and settlements do not wait for the disk. If the database crashes, the last of them may
 * be forgotten, and their events are delivered again; nothing else depends on them.
 */
final class ClaimedSql {

  /**
   * Takes the lock. What follows is planned once: values would not make its plan better, and to
   * plan it for each claim was a quarter of what an event cost the database at 1,000 a second.
   */
  private static final String LOCK =
      Stores.LOCK + ",\n  set_config('plan_cache_mode', 'force_generic_plan', true)";

  /** Drops claims whose time ran out, and counts the attempt that never finished. */
  private static final String EXPIRE =
      """
      WITH expired AS (
        DELETE FROM {claims} WHERE id IN (
          SELECT id FROM {claims} WHERE id >= {claim_floor} AND until < clock_timestamp()
          FOR UPDATE SKIP LOCKED)
        RETURNING ids)
      UPDATE {table} SET
        {attempts} = {attempts} + 1,
        {status} = CASE WHEN {attempts} + 1 >= ? THEN 'dead' ELSE 'pending' END,
        {last_error} = '{unfinished}'
      WHERE {id} = ANY (ARRAY(SELECT unnest(ids) FROM expired)) AND {status} = 'pending'""";

  /**
   * Picks due rows in order and records the claim. Rows due at once are found by seq from the floor
   * on, rows with a time of their own by that time; each kind is cut to the batch before they are
   * merged, so neither can overtake the other. A key with an event in a live claim or waiting for
   * its retry is passed over, but only so many rows are looked at: a long run of a busy key at the
   * head would otherwise be walked over by every claim. Rows with a time of their own are not taken
   * from beyond those, where earlier ones of their key may lie.
   *
   * <p>What is busy is gathered into one row of arrays. Postgres guesses that an array is short,
   * and makes a small hash table that grows; from the statistics of claims, which come and go by
   * the hundred, it would guess many, and take milliseconds to make a large one for a few.
   *
   * <p>The transaction's id is told only if it was given out after the snapshot was taken, so that
   * every transaction that had its own by then has a lower one: see {@link Floor}. A claim that
   * drops expired ones has its id too early.
   */
  private static final String PICK =
      """
      WITH live AS MATERIALIZED (
        SELECT id, ids, keys FROM {claims} WHERE id >= {claim_floor}),
      busy AS MATERIALIZED (
        SELECT ARRAY(SELECT unnest(ids) FROM live) AS ids,
          ARRAY(SELECT k FROM live, unnest(keys) AS k WHERE k IS NOT NULL) AS keys,
          pg_current_xact_id_if_assigned() AS xid_before),
      head AS NOT MATERIALIZED (
        SELECT {id}, {seq}, {key}, {payload} FROM {table}
        WHERE {status} = 'pending' AND {due_at} IS NULL AND {seq} >= {seq_floor}{scope}
          AND {not_taken}
        ORDER BY {seq} LIMIT ?),
      ready AS (
        SELECT {id} AS id, {seq} AS seq, {key} AS key, {payload_size} AS size
        FROM head WHERE {ready_in_turn}
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
            (SELECT max({seq}) FROM head HAVING count(*) >= ?), 9223372036854775807)) due
        ORDER BY seq LIMIT {limit}),
      measured AS (
        SELECT *, sum(size) OVER (ORDER BY seq) - size AS size_before FROM picked),
      claim AS (
        INSERT INTO {claims} (owner, until, ids, keys)
        SELECT CAST(? AS uuid), clock_timestamp() + ? * interval '1 ms',
          array_agg(id ORDER BY seq), array_agg(hashtextextended(key, 0) ORDER BY seq)
        FROM measured WHERE size_before < ? AND {is_locked} HAVING count(*) > 0
        RETURNING id, ids)
      SELECT
        (SELECT id FROM claim),
        (SELECT ids FROM claim),
        (SELECT min(id) FROM live),
        (SELECT min({seq}) FROM {table}
         WHERE {status} = 'pending' AND {due_at} IS NULL AND {seq} >= {seq_floor}),
        coalesce(
          (SELECT min(CAST(CAST(x AS text) AS bigint))
           FROM pg_snapshot_xip(pg_current_snapshot()) AS x
           WHERE CAST(CAST(x AS text) AS bigint) > ?),
          CAST(CAST(pg_snapshot_xmax(pg_current_snapshot()) AS text) AS bigint)),
        CASE WHEN (SELECT xid_before FROM busy) IS NULL
          THEN CAST(CAST(pg_current_xact_id_if_assigned() AS text) AS bigint) END,
        {epoch},
        CASE WHEN (SELECT count(*) FROM ready) < {limit} THEN (SELECT count(*) FROM head) ELSE -1 END,
        ARRAY(SELECT CAST(CAST(x AS text) AS bigint)
          FROM pg_snapshot_xip(pg_current_snapshot()) AS x
          WHERE CAST(CAST(x AS text) AS bigint) <= ?),
        (SELECT count(*) FROM ready),
        {is_locked}""";

  private static final String CLAIM_FLOOR =
      "(SELECT CASE WHEN {epoch} = ? THEN CAST(? AS bigint) ELSE 0 END)";

  /**
   * The floor holds only while the transactions it does not wait for are open: what one of them
   * committed is to be seen by the very snapshot that sees what was written after it.
   */
  private static final String SEQ_FLOOR =
      """
      (SELECT CASE WHEN {epoch} = ? AND NOT EXISTS (
          SELECT FROM unnest(CAST(? AS bigint[])) AS x
          WHERE pg_visible_in_snapshot(CAST(CAST(x AS text) AS xid8), pg_current_snapshot()))
        THEN CAST(? AS bigint) ELSE 0 END)""";

  private static final String NOT_TAKEN = "{id} NOT IN (SELECT unnest(ids) FROM busy)";

  private static final String KEY_IS_FREE =
      """
      ({key} IS NULL OR hashtextextended({key}, 0) NOT IN (
            SELECT unnest(keys) FROM busy))""";

  private static final String READY_IN_ORDER =
      KEY_IS_FREE
          + """

          AND ({key} IS NULL OR {key} NOT IN (
            SELECT unnest(ARRAY(
              SELECT {key} FROM {table}
              WHERE {status} = 'pending' AND {due_at} IS NOT NULL AND {attempts} > 0
                AND {key} IS NOT NULL))))""";

  private static final String TIMED_IN_ORDER =
      KEY_IS_FREE
          + """

          AND ({key} IS NULL OR NOT EXISTS (
            SELECT FROM {table} earlier
            WHERE earlier.{status} = 'pending' AND earlier.{due_at} IS NOT NULL
              AND earlier.{attempts} > 0 AND earlier.{key} = t.{key} AND earlier.{seq} < t.{seq}))""";

  /** Settles events if the claim is still held; returns how many claims were. */
  private static final String SETTLE =
      """
      WITH held AS (
        {give_up}),
      delivered AS (
        {deliver}
        WHERE {id} = ANY (CAST(? AS uuid[])) AND {status} = 'pending' AND EXISTS (SELECT FROM held)),
      failed AS (
        UPDATE {table} SET
          {attempts} = {attempts} + 1,
          {status} = f.status,
          {due_at} = clock_timestamp() + f.delay * interval '1 ms',
          {last_error} = f.error
        FROM unnest(CAST(? AS uuid[]), CAST(? AS text[]), CAST(? AS bigint[]), CAST(? AS text[]))
          AS f(id, status, delay, error)
        WHERE {table}.{id} = ANY (CAST(? AS uuid[])) AND {table}.{id} = f.id
          AND {table}.{status} = 'pending' AND EXISTS (SELECT FROM held))
      SELECT count(*), set_config('synchronous_commit', 'off', true) FROM held""";

  private static final String MARK =
      """
      UPDATE {table} SET
        {status} = 'delivered', {attempts} = {attempts} + 1, {delivered_at} = clock_timestamp()""";

  private static final String DELETE = "DELETE FROM {table}";

  private static final String GIVE_UP_ALL =
      """
      DELETE FROM {claims}
      WHERE id = ? AND owner = CAST(? AS uuid) AND cardinality(ids) = cardinality(CAST(? AS uuid[]))
      RETURNING id""";

  private static final String GIVE_UP_SOME =
      """
      UPDATE {claims} SET
        ids = ARRAY(SELECT i FROM unnest(ids, keys) AS c(i, k) WHERE i <> ALL (s.settled)),
        keys = ARRAY(SELECT k FROM unnest(ids, keys) AS c(i, k) WHERE i <> ALL (s.settled))
      FROM (SELECT CAST(? AS bigint) AS claim, CAST(? AS uuid) AS owner, CAST(? AS uuid[]) AS settled) s
      WHERE id = s.claim AND {claims}.owner = s.owner AND ids @> s.settled
      RETURNING id""";

  private static final String RENEW =
      """
      UPDATE {claims} SET until = clock_timestamp() + ? * interval '1 ms'
      WHERE id = ? AND owner = CAST(? AS uuid)""";

  private final SqlTemplate template;
  private final Map<String, String> names;

  /** Parameters: see {@link ClaimedStore}, which binds them. */
  final String settleAll;

  final String settleSome;
  final String renew;

  ClaimedSql(Layout layout, Claimed lifecycle) {
    template = new SqlTemplate(layout);
    names =
        Map.of(
            "claims",
            lifecycle.claims().sql(),
            "epoch",
            Stores.EPOCH,
            "is_locked",
            Stores.IS_LOCKED);
    String deliver = layout.keepsDelivered() ? MARK : DELETE;
    settleAll = render(SETTLE.replace("{give_up}", GIVE_UP_ALL).replace("{deliver}", deliver));
    settleSome = render(SETTLE.replace("{give_up}", GIVE_UP_SOME).replace("{deliver}", deliver));
    renew = render(RENEW);
  }

  /** Claims as {@code request} says: lock, expire, pick. */
  String claim(ClaimRequest request) {
    boolean ordered = request.ordering() == Ordering.PER_KEY;
    String pick =
        PICK.replace("{not_taken}", NOT_TAKEN)
            .replace("{ready_in_turn}", ordered ? READY_IN_ORDER : "true")
            .replace("{timed_in_turn}", ordered ? TIMED_IN_ORDER : "true")
            .replace("{scope}", Stores.scope(request))
            .replace("{limit}", Integer.toString(request.batchSize()));
    String expire = EXPIRE.replace("{unfinished}", Stores.UNFINISHED);
    return render(
        OneTransaction.of(LOCK, expire, pick)
            .replace("{claim_floor}", CLAIM_FLOOR)
            .replace("{seq_floor}", SEQ_FLOOR));
  }

  private String render(String statement) {
    return template.render(statement, names);
  }
}
