package dev.postcommit.store.internal;

import dev.postcommit.Ordering;
import dev.postcommit.internal.OneTransaction;
import dev.postcommit.layout.Layout;
import dev.postcommit.store.ClaimRequest;
import java.util.Map;

/**
 * The statements of the leased lifecycle.
 *
 * <p>As with claim records, claiming is statements sent together as one transaction. Expired leases
 * are ended in a statement of their own, so that the one that picks sees each key either with a row
 * in processing, which makes it busy, or as its last holder left it. A row that its holder is
 * settling at this moment is locked, is not taken back, and keeps its key busy.
 *
 * <p>A claim that is narrowed to a namespace or a tenant has nothing to do with rows of others: it
 * leaves it to their relays to take back what crashed and to say how often that may happen, and
 * keys are busy only with rows of its own.
 */
final class LeasedSql {

  private static final String EXPIRE =
      """
      UPDATE {table} SET
        {status} = CASE WHEN {attempts} >= ? THEN 'dead' ELSE 'pending' END,
        {locked_by} = NULL, {locked_until} = NULL, {updated_at} = now(),
        {last_error} = '{unfinished}'
      WHERE {id} = ANY (ARRAY(
        SELECT {id} FROM {table} WHERE {status} = 'processing' AND {locked_until} < now(){scope}
        FOR UPDATE SKIP LOCKED))""";

  private static final String PICK =
      """
      WITH picked AS MATERIALIZED (
        SELECT {id} AS id, {created_at} AS created_at, {payload_size} AS size{probe}
        FROM {table}
        WHERE {status} = 'pending' AND {due_at} <= now(){scope}{is_free}
        ORDER BY {created_at}, {id} LIMIT {limit}
        FOR UPDATE SKIP LOCKED),
      measured AS (
        SELECT id, sum(size) OVER (ORDER BY created_at, id) - size AS size_before{behind}
        FROM picked),
      taken AS (
        UPDATE {table} SET
          {status} = CASE WHEN {attempts} >= m.most THEN 'dead' ELSE 'processing' END,
          {attempts} = CASE WHEN {attempts} >= m.most THEN {attempts} ELSE {attempts} + 1 END,
          {locked_by} = CASE WHEN {attempts} >= m.most THEN NULL ELSE CAST(? AS {type_of_locked_by}) END,
          {locked_until} = CASE WHEN {attempts} >= m.most THEN NULL
            ELSE clock_timestamp() + ? * interval '1 ms' END,
          {updated_at} = now()
        FROM (SELECT CAST(? AS int) AS most) m
        WHERE {id} = ANY (ARRAY(
          SELECT id FROM measured WHERE size_before < ?{not_behind} AND {is_locked}))
        RETURNING {table}.{id}, {table}.{created_at}, {table}.{status}, {table}.{attempts})
      SELECT array_agg({id} ORDER BY {created_at}, {id}),
        array_agg(CAST({attempts} AS bigint) ORDER BY {created_at}, {id}), {is_locked}
      FROM taken WHERE {status} = 'processing'""";

  private static final String KEY_IS_FREE =
      """

          AND ({key} IS NULL OR {key} NOT IN (
            SELECT {key} FROM {table} WHERE {status} = 'processing' AND {key} IS NOT NULL{scope}
            UNION ALL
            SELECT {key} FROM {table}
            WHERE {status} = 'pending' AND {due_at} > now()
              AND ({attempts} > 0 OR {last_error} IS NOT NULL)
              AND {key} IS NOT NULL{scope}))""";

  /**
   * An event that probes a topic is taken alone: the later ones of its key would only be given
   * back.
   */
  private static final String PROBE =
      ", {key} AS key, starts_with({last_error}, '" + DeferredEvents.WAITING + "') AS probe";

  private static final String BEHIND =
      """
      ,
          bool_or(probe) OVER (PARTITION BY key ORDER BY created_at, id
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AND key IS NOT NULL AS behind""";

  /** The guard is holder and attempt: the attempt rises with each lease, so it tells them apart. */
  private static final String SETTLE =
      """
      WITH outcome AS MATERIALIZED (
        SELECT * FROM unnest(CAST(? AS {type_of_id}[]), CAST(? AS bigint[]), CAST(? AS text[]),
          CAST(? AS bigint[]), CAST(? AS text[]), CAST(? AS bigint[]))
          AS o(id, attempt, status, delay, error, uncounted)),
      deleted AS (
        DELETE FROM {table} USING outcome o
        WHERE {delete_delivered} AND o.status = 'delivered' AND {held}
        RETURNING 1),
      updated AS (
        UPDATE {table} SET
          {status} = o.status, {attempts} = {attempts} - o.uncounted,
          {due_at} = coalesce(clock_timestamp() + o.delay * interval '1 ms', {due_at}),
          {last_error} = coalesce(o.error, {last_error}),
          {locked_by} = NULL, {locked_until} = NULL, {updated_at} = now()
        FROM outcome o
        WHERE NOT ({delete_delivered} AND o.status = 'delivered') AND {held}
        RETURNING 1)
      SELECT (SELECT count(*) FROM deleted) + (SELECT count(*) FROM updated),
        set_config('synchronous_commit', 'off', true)""";

  private static final String HELD =
      """
      {table}.{id} = ANY (ARRAY(SELECT id FROM outcome)) AND {table}.{id} = o.id
          AND {table}.{status} = 'processing' AND {table}.{locked_by} = CAST(? AS {type_of_locked_by})
          AND {table}.{attempts} = o.attempt""";

  private static final String RENEW =
      """
      UPDATE {table} SET
        {locked_until} = clock_timestamp() + ? * interval '1 ms', {updated_at} = now()
      FROM unnest(CAST(? AS {type_of_id}[]), CAST(? AS bigint[])) AS o(id, attempt)
      WHERE {table}.{id} = o.id AND {table}.{status} = 'processing'
        AND {table}.{locked_by} = CAST(? AS {type_of_locked_by}) AND {table}.{attempts} = o.attempt""";

  private final SqlTemplate template;
  final String settle;
  final String renew;

  LeasedSql(Layout layout) {
    template = new SqlTemplate(layout);
    String deletes = Boolean.toString(!layout.keepsDelivered());
    settle = template.render(SETTLE.replace("{held}", HELD).replace("{delete_delivered}", deletes));
    renew = template.render(RENEW);
  }

  /** Claims as {@code request} says: lock, expire, pick. */
  String claim(ClaimRequest request) {
    boolean ordered = request.ordering() == Ordering.PER_KEY;
    String pick =
        PICK.replace("{is_free}", ordered ? KEY_IS_FREE : "")
            .replace("{probe}", ordered ? PROBE : "")
            .replace("{behind}", ordered ? BEHIND : "")
            .replace("{not_behind}", ordered ? " AND behind IS NOT TRUE" : "");
    return template.render(
        OneTransaction.of(ordered ? Stores.LOCK : Stores.BEGIN, EXPIRE, pick)
            .replace("{scope}", Stores.scope(request)),
        Map.of(
            "unfinished",
            Stores.UNFINISHED,
            "limit",
            Integer.toString(request.batchSize()),
            "is_locked",
            ordered ? Stores.IS_LOCKED : "true"));
  }
}
