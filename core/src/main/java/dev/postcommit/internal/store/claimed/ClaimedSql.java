package dev.postcommit.internal.store.claimed;

import dev.postcommit.Ordering;
import dev.postcommit.internal.jdbc.RecordedErrors;
import dev.postcommit.internal.jdbc.ServerRun;
import dev.postcommit.internal.jdbc.SqlTemplate;
import dev.postcommit.internal.jdbc.TableLock;
import dev.postcommit.internal.jdbc.TransactionStart;
import dev.postcommit.internal.store.BlockedEvents;
import dev.postcommit.internal.store.ClaimStatements;
import dev.postcommit.internal.store.DeferredEvents;
import dev.postcommit.internal.store.Takeovers;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Lifecycle.Claimed;
import dev.postcommit.layout.TableName;
import dev.postcommit.store.ClaimRequest;
import dev.postcommit.support.OneTransaction;
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
public final class ClaimedSql {

  /**
   * Takes the lock. What follows is planned once: values would not make its plan better, and to
   * plan it for each claim was a quarter of what an event cost the database at 1,000 a second.
   */
  private static final String LOCK =
      TableLock.LOCK + ",\n  set_config('plan_cache_mode', 'force_generic_plan', true)";

  /**
   * Drops claims whose time ran out, and counts the attempt that never finished. Of rows outside of
   * the request's scope it says nothing: others know how often these may be tried.
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
        {status} = CASE WHEN {attempts} + 1 >= ? AND {is_decided} THEN 'dead' ELSE 'pending' END,
        {last_error} = '{unfinished}'
      WHERE {id} = ANY (ARRAY(SELECT unnest(ids) FROM expired)) AND {status} = 'pending'{scope}""";

  /**
   * Whether no message can arrive any more of a relay whose claims were {@linkplain Takeovers taken
   * over}: these stay until their time is up.
   */
  private static final String IS_DECIDED =
      "NOT EXISTS (SELECT FROM {claims} WHERE owner = {nobody} AND until >= clock_timestamp())";

  /** The same of a relay whose lease on the log beside was taken over. */
  private static final String IS_DECIDED_IN_LOG =
      "NOT EXISTS (SELECT FROM {cursor} WHERE undecided_until >= clock_timestamp())";

  private static final String AND_WHOSE =
      ", keys, owner, until, namespace AS claimed_namespace, tenant AS claimed_tenant";

  /**
   * Leaves to others what they have in a claim that was made for a wider scope than the request's,
   * and narrows it, so that this happens once and their keys are not busy here.
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

  /** Stands for the tenant of events that have none where null stands for all. */
  private static final String NO_TENANT = "CAST('00000000-0000-0000-0000-000000000000' AS uuid)";

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
   *
   * <p>Rows of keys that have very many are gone past, if none of them can be claimed: see {@link
   * Bypass}. What of them is seen includes what is in claims, as it may be given back.
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
      bypass AS MATERIALIZED (
        SELECT *, {bypass_holds} AS holds, (SELECT max(l) FROM unnest(given.lowest) AS l) AS above
        FROM (SELECT CAST(? AS bigint) AS beyond, CAST(? AS text[]) AS keys,
          CAST(? AS bigint[]) AS lowest) given),
      lowest AS MATERIALIZED (
        SELECT base, CASE WHEN known > 0 AND base = known AND ended IS NULL AND holds
          THEN greatest(base, beyond) ELSE base END AS floor
        FROM bypass, (
          SELECT known, ended, CASE WHEN is_same THEN least(known, ended, below) ELSE 0 END AS base
          FROM (SELECT {epoch} = ? AS is_same, {first_ended} AS ended, CAST(? AS bigint) AS known,
            (SELECT seq FROM back) AS below) given) seen),
      head AS NOT MATERIALIZED (
        SELECT {id}, {seq}, {key}, {payload}{scope_columns} FROM {table}
        WHERE {status} = 'pending' AND {due_at} IS NULL AND {seq} >= (SELECT floor FROM lowest){scope}
          AND {not_taken}
        ORDER BY {seq} LIMIT ?),
      ready AS (
        SELECT {id} AS id, {seq} AS seq, {key} AS key, {payload_size} AS size
        FROM head WHERE {not_gone_past} AND {ready_in_turn}
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
        INSERT INTO {claims} (owner, until, ids, keys{scope_names})
        SELECT CAST(? AS uuid), clock_timestamp() + ? * interval '1 ms',
          array_agg(id ORDER BY seq), array_agg(hashtextextended(key, 0) ORDER BY seq){scope_values}
        FROM measured WHERE size_before < ? AND {is_locked} HAVING count(*) > 0
        RETURNING id, ids),
      looked AS MATERIALIZED (
        SELECT CASE WHEN (SELECT count(*) FROM ready) < {limit}
          THEN (SELECT count(*) FROM head) ELSE -1 END AS rows),
      passed AS MATERIALIZED (
        SELECT {seq} AS seq, {key} AS key FROM {table}
        WHERE {status} = 'pending' AND {due_at} IS NULL AND {seq} >= (SELECT floor FROM lowest)
        ORDER BY {seq} LIMIT ?),
      hot AS MATERIALIZED (
        SELECT key, min(seq) AS lowest FROM passed WHERE key IS NOT NULL
        GROUP BY key HAVING count(*) >= {many} ORDER BY count(*) DESC LIMIT {most_keys})
      SELECT
        (SELECT id FROM claim),
        (SELECT ids FROM claim),
        (SELECT min(id) FROM live),
        (SELECT min({seq}) FROM {table}
         WHERE {status} = 'pending' AND {due_at} IS NULL AND {seq} >= (SELECT base FROM lowest)),
        coalesce(
          (SELECT min(CAST(CAST(x AS text) AS bigint))
           FROM pg_snapshot_xip(pg_current_snapshot()) AS x
           WHERE CAST(CAST(x AS text) AS bigint) > ?),
          CAST(CAST(pg_snapshot_xmax(pg_current_snapshot()) AS text) AS bigint)),
        CASE WHEN (SELECT xid_before FROM busy) IS NULL
          THEN CAST(CAST(
            CASE WHEN (SELECT rows FROM looked) >= ? AND (SELECT holds FROM bypass)
              THEN pg_current_xact_id() ELSE pg_current_xact_id_if_assigned() END AS text) AS bigint) END,
        {epoch},
        (SELECT rows FROM looked),
        ARRAY(SELECT CAST(CAST(x AS text) AS bigint)
          FROM pg_snapshot_xip(pg_current_snapshot()) AS x
          WHERE CAST(CAST(x AS text) AS bigint) <= ?),
        (SELECT count(*) FROM ready),
        {is_locked},
        EXISTS (SELECT FROM {table} WHERE {tried}),
        (SELECT holds FROM bypass),
        CASE WHEN (SELECT holds FROM bypass) THEN (
          SELECT min(seq) FROM passed WHERE key IS NULL OR key <> ALL (CAST((SELECT keys FROM bypass) AS text[]))) END,
        CASE WHEN (SELECT holds FROM bypass) THEN (SELECT max(seq) FROM passed) END,
        CASE WHEN (SELECT rows FROM looked) >= ? THEN ARRAY(SELECT key FROM hot) END,
        CASE WHEN (SELECT rows FROM looked) >= ? THEN ARRAY(SELECT lowest FROM hot) END,
        (SELECT CAST(1000000 * extract(epoch FROM ended - began) AS bigint) FROM back),
        (SELECT CAST(1000 * extract(epoch FROM max(until) - clock_timestamp()) AS bigint)
         FROM live WHERE owner = {nobody}),
        EXISTS (SELECT FROM picked)""";

  private static final String CLAIM_FLOOR =
      "(SELECT CASE WHEN {epoch} = ? THEN CAST(? AS bigint) ELSE 0 END)";

  /**
   * The floor holds only while the transactions it does not wait for are open: what one of them
   * committed is to be seen by the very snapshot that sees what was written after it. So it is
   * looked from where its rows may lie if one has ended, which may also be above the floor: then
   * only that nothing is gone past.
   */
  static final String FIRST_ENDED =
      """
      (SELECT min(i.from_seq) FROM unnest(CAST(? AS bigint[]), CAST(? AS bigint[])) AS i(xid, from_seq)
             WHERE pg_visible_in_snapshot(CAST(CAST(i.xid AS text) AS xid8), pg_current_snapshot()))""";

  /**
   * The lowest row that is due and lies below the floor, as far as this claim looks for one: among
   * those that are due again, and among some of the numbers.
   */
  private static final String BELOW_FLOOR =
      """
      least(
          CASE WHEN ? THEN (SELECT min({seq}) FROM {table} WHERE {again}) END,
          (SELECT min({seq}) FROM {table}
           WHERE {status} = 'pending' AND {due_at} IS NULL AND {seq} >= ? AND {seq} < ?))""";

  /**
   * Whether every key that has many rows is busy, or waits for an event that comes before all of
   * them. An event that is due again may be one of the rows gone past, and ends that. How many were
   * tried is asked only up to a number; beyond it nothing is gone past. The order is that of the
   * index of tried events.
   */
  private static final String BYPASS_HOLDS =
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

  /**
   * Spares the lookups of {@link #IN_ORDER} for rows of which it is known that they have to wait.
   */
  private static final String NOT_GONE_PAST =
      """
      ({key} IS NULL OR {seq} < (SELECT above FROM bypass) OR NOT (SELECT holds FROM bypass)
            OR {key} <> ALL (CAST((SELECT keys FROM bypass) AS text[])))""";

  private static final String NOT_TAKEN = "{id} NOT IN (SELECT unnest(ids) FROM busy)";

  private static final String KEY_IS_FREE =
      """
      ({key} IS NULL OR hashtextextended({key}, 0) NOT IN (
            SELECT unnest(keys) FROM busy))""";

  /**
   * An event that failed or was deferred keeps its error while it waits, which tells it from a
   * delayed event that nobody has tried: that one does not hold back its key.
   */
  private static final String TRIED = "{status} = 'pending' AND {last_error} IS NOT NULL";

  /** Said in this way for the index of tried events, which no other index can stand in for. */
  private static final String WAITS = TRIED + " AND num_nulls({due_at}) = 0";

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

  /** Claims that may have rows of the request's scope: null stands for all. */
  private static final String OF_NAMESPACE = " AND (namespace IS NULL OR namespace = ?)";

  private static final String OF_TENANT = " AND (tenant IS NULL OR tenant = CAST(? AS uuid))";

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
          {attempts} = {attempts} + 1 - f.uncounted,
          {status} = f.status,
          {due_at} = clock_timestamp() + f.delay * interval '1 ms',
          {last_error} = f.error
        FROM unnest(CAST(? AS uuid[]), CAST(? AS text[]), CAST(? AS bigint[]), CAST(? AS text[]),
          CAST(? AS bigint[])) AS f(id, status, delay, error, uncounted)
        WHERE {table}.{id} = ANY (CAST(? AS uuid[])) AND {table}.{id} = f.id
          AND {table}.{status} = 'pending' AND EXISTS (SELECT FROM held))
      SELECT count(*) FROM held""";

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

  /**
   * Deletes the claims of an owner but those given. The attempts of ended ones are to be counted.
   */
  private static final String GIVE_BACK =
      """
      DELETE FROM {claims}
      WHERE owner = CAST(? AS uuid) AND id <> ALL (CAST(? AS bigint[])) AND until > clock_timestamp()""";

  /**
   * Puts off events that wait behind one that waits for a topic, as if they waited for that topic
   * themselves, so that claims need not walk over them; returns how many. They are due with the one
   * before them, but not within seconds, as the one is that probes the topic. They are sorted so
   * that all are found before the first is written: a lookup would walk over what was. Keys are
   * asked first, as most events may be of one that waits for another reason.
   */
  private static final String DEFER_BEHIND =
      """
      WITH head AS MATERIALIZED (
        (SELECT {id} AS id, {seq} AS seq, {key} AS key FROM {table}
         WHERE {status} = 'pending' AND {due_at} IS NULL AND {seq} >= ? AND {key} IS NOT NULL
         ORDER BY {seq} LIMIT ?)
        UNION ALL
        (SELECT {id}, {seq}, {key} FROM {table}
         WHERE {status} = 'pending' AND {due_at} IS NOT NULL AND {due_at} <= now()
           AND {key} IS NOT NULL
         LIMIT ?)),
      blocked AS MATERIALIZED (
        SELECT k.key FROM (SELECT DISTINCT key FROM head) k
        WHERE (SELECT true FROM {table} earlier
               WHERE {waits} AND earlier.{key} = k.key AND starts_with({last_error}, '{waiting}')
               LIMIT 1)),
      behind AS MATERIALIZED (
        SELECT head.id, earlier.due_at, earlier.error
        FROM (SELECT * FROM head WHERE key IN (SELECT key FROM blocked) OFFSET 0) head
        CROSS JOIN LATERAL (
          SELECT {due_at} AS due_at, {last_error} AS error FROM {table} earlier
          WHERE {waits} AND earlier.{key} = head.key AND earlier.{seq} < head.seq
          ORDER BY earlier.{seq} DESC LIMIT 1) earlier
        WHERE earlier.due_at > now() AND starts_with(earlier.error, '{waiting}')
        ORDER BY head.seq LIMIT {limit}),
      deferred AS (
        UPDATE {table} t SET
          {due_at} = greatest(behind.due_at, now() + interval '1 minute'),
          {last_error} = behind.error
        FROM behind
        WHERE t.{id} = behind.id
        RETURNING 1)
      SELECT count(*) FROM deferred""";

  private final SqlTemplate template;
  private final Map<String, String> names;
  private final String isDecided;

  /** Parameters: see {@link ClaimedStore}, which binds them. */
  final String settleAll;

  final String settleSome;
  final String renew;

  /** Parameters: the owner, and the claims to keep. */
  final String giveBack;

  /** Parameters: the number to look from, and how many events to look at, twice. */
  final String deferBehind;

  /** The statements for a table of its own. */
  public ClaimedSql(Layout layout, Claimed lifecycle) {
    this(layout, lifecycle, IS_DECIDED);
  }

  /** The statements for the table beside a log that has this cursor. */
  public ClaimedSql(Layout layout, Claimed lifecycle, TableName cursor) {
    this(
        layout,
        lifecycle,
        IS_DECIDED + " AND " + IS_DECIDED_IN_LOG.replace("{cursor}", cursor.sql()));
  }

  private ClaimedSql(Layout layout, Claimed lifecycle, String isDecided) {
    this.isDecided = isDecided;
    template = new SqlTemplate(layout);
    names =
        Map.of(
            "claims",
            lifecycle.claims().sql(),
            "epoch",
            ServerRun.EPOCH,
            "is_locked",
            TableLock.IS_LOCKED,
            "nobody",
            Takeovers.NOBODY);
    String deliver = layout.keepsDelivered() ? MARK : DELETE;
    String settle =
        OneTransaction.of(TransactionStart.SETTLE, SETTLE).replace("{deliver}", deliver);
    settleAll = render(settle.replace("{give_up}", GIVE_UP_ALL));
    settleSome = render(settle.replace("{give_up}", GIVE_UP_SOME));
    renew = render(RENEW);
    giveBack = render(GIVE_BACK);
    deferBehind =
        render(
            OneTransaction.of(LOCK, DEFER_BEHIND)
                .replace("{waits}", WAITS)
                .replace("{waiting}", DeferredEvents.WAITING)
                .replace("{limit}", Integer.toString(BlockedEvents.AT_ONCE)));
  }

  /** Claims as {@code request} says: lock, expire, pick. */
  String claim(ClaimRequest request) {
    boolean ordered = request.ordering() == Ordering.PER_KEY;
    String pick =
        PICK.replace("{below_floor}", BELOW_FLOOR)
            .replace("{bypass_holds}", BYPASS_HOLDS)
            .replace("{many}", "(SELECT count(*) FROM passed) / " + Bypass.MOST_KEYS)
            .replace("{most_keys}", Integer.toString(Bypass.MOST_KEYS))
            .replace("{most_tried}", Integer.toString(Bypass.MOST_TRIED))
            .replace("{not_taken}", NOT_TAKEN)
            .replace("{not_gone_past}", ordered ? NOT_GONE_PAST : "true")
            .replace("{ready_in_turn}", ordered ? inOrder(request, "head") : "true")
            .replace("{timed_in_turn}", ordered ? inOrder(request, "t") : "true")
            .replace("{waits}", WAITS)
            .replace("{again}", AGAIN)
            .replace("{tried}", TRIED)
            .replace("{scope_columns}", narrowed(request, ", {namespace}", ", {tenant}"))
            .replace("{scope_names}", narrowed(request, ", namespace", ", tenant"))
            .replace("{scope_values}", narrowed(request, ", CAST(? AS text)", ", CAST(? AS uuid)"))
            .replace("{limit}", Integer.toString(request.batchSize()));
    String expire =
        EXPIRE
            .replace("{and_whose}", request.isScoped() ? AND_WHOSE : "")
            .replace(
                "{others}", request.isScoped() ? OTHERS.replace("{whose}", whose(request)) : "")
            .replace("{is_decided}", isDecided)
            .replace("{unfinished}", RecordedErrors.UNFINISHED);
    return render(
        OneTransaction.of(LOCK, expire, pick)
            .replace("{concerned}", narrowed(request, OF_NAMESPACE, OF_TENANT))
            .replace("{scope}", ClaimStatements.scope(request))
            .replace("{claim_floor}", CLAIM_FLOOR)
            .replace("{first_ended}", FIRST_ENDED));
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

  private String render(String statement) {
    return template.render(statement, names);
  }
}
