package dev.postcommit.internal.store.claimed;

import dev.postcommit.internal.jdbc.NamedSql;
import dev.postcommit.internal.jdbc.SqlTemplate;
import dev.postcommit.internal.jdbc.TransactionStart;
import dev.postcommit.internal.store.BlockedEvents;
import dev.postcommit.internal.store.DeferredEvents;
import dev.postcommit.layout.Layout;
import dev.postcommit.support.OneTransaction;

/** The statements that settle, renew and give back claims, and defer events behind others. */
final class SettleSql {

  /** Settles events if the claim is still held; returns how many claims were. */
  private static final String SETTLE =
      """
      WITH held AS (
        {give_up}),
      delivered AS (
        {deliver}
        WHERE {id} = ANY (CAST(:delivered AS uuid[])) AND {status} = 'pending' AND EXISTS (SELECT FROM held)),
      failed AS (
        UPDATE {table} SET
          {attempts} = {attempts} + 1 - f.uncounted,
          {status} = f.status,
          {due_at} = clock_timestamp() + f.delay * interval '1 ms',
          {last_error} = f.error
        FROM unnest(CAST(:failed AS uuid[]), CAST(:statuses AS text[]), CAST(:delays AS bigint[]),
          CAST(:errors AS text[]), CAST(:uncounted AS bigint[])) AS f(id, status, delay, error, uncounted)
        WHERE {table}.{id} = ANY (CAST(:failed AS uuid[])) AND {table}.{id} = f.id
          AND {table}.{status} = 'pending' AND EXISTS (SELECT FROM held))
      SELECT count(*) AS held FROM held""";

  private static final String MARK =
      """
      UPDATE {table} SET
        {status} = 'delivered', {attempts} = {attempts} + 1, {delivered_at} = clock_timestamp()""";

  private static final String DELETE = "DELETE FROM {table}";

  private static final String GIVE_UP_ALL =
      """
      DELETE FROM {claims}
      WHERE id = :claim AND owner = CAST(:owner AS uuid)
        AND cardinality(ids) = cardinality(CAST(:settled AS uuid[]))
      RETURNING id""";

  private static final String GIVE_UP_SOME =
      """
      UPDATE {claims} SET
        ids = ARRAY(SELECT i FROM unnest(ids, keys) AS c(i, k) WHERE i <> ALL (s.settled)),
        keys = ARRAY(SELECT k FROM unnest(ids, keys) AS c(i, k) WHERE i <> ALL (s.settled))
      FROM (
        SELECT CAST(:claim AS bigint) AS claim, CAST(:owner AS uuid) AS owner,
          CAST(:settled AS uuid[]) AS settled) s
      WHERE id = s.claim AND {claims}.owner = s.owner AND ids @> s.settled
      RETURNING id""";

  private static final String RENEW =
      """
      UPDATE {claims} SET until = clock_timestamp() + :lease_millis * interval '1 ms'
      WHERE id = :claim AND owner = CAST(:owner AS uuid)""";

  /**
   * Deletes the claims of an owner but those given. The attempts of ended ones are to be counted.
   */
  private static final String GIVE_BACK =
      """
      DELETE FROM {claims}
      WHERE owner = CAST(:owner AS uuid) AND id <> ALL (CAST(:kept AS bigint[]))
        AND until > clock_timestamp()""";

  /**
   * Defers events behind one that waits for a topic, as if they waited for that topic themselves,
   * so that claims need not walk over them; returns how many. They are due with the one before
   * them, but no sooner than in a minute, as the first one comes early to probe the topic. They are
   * sorted so that all are found before the first is written: a lookup would walk over what was.
   * Keys are asked first, as most events may be of one that waits for another reason.
   */
  private static final String DEFER_BEHIND =
      """
      WITH head AS MATERIALIZED (
        (SELECT {id} AS id, {seq} AS seq, {key} AS key FROM {table}
         WHERE {status} = 'pending' AND {due_at} IS NULL AND {seq} >= :from AND {key} IS NOT NULL
         ORDER BY {seq} LIMIT :rows)
        UNION ALL
        (SELECT {id}, {seq}, {key} FROM {table}
         WHERE {status} = 'pending' AND {due_at} IS NOT NULL AND {due_at} <= now()
           AND {key} IS NOT NULL
         LIMIT :rows)),
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
      SELECT count(*) AS deferred FROM deferred""";

  final NamedSql settleAll;
  final NamedSql settleSome;
  final NamedSql renew;
  final NamedSql giveBack;
  final NamedSql deferBehind;

  SettleSql(Layout layout) {
    SqlTemplate template = new SqlTemplate(layout);
    String settle =
        OneTransaction.of(TransactionStart.SETTLE, SETTLE)
            .replace("{deliver}", layout.keepsDelivered() ? MARK : DELETE);
    settleAll = template.statement(settle.replace("{give_up}", GIVE_UP_ALL));
    settleSome = template.statement(settle.replace("{give_up}", GIVE_UP_SOME));
    renew = template.statement(RENEW);
    giveBack = template.statement(GIVE_BACK);
    deferBehind =
        template.statement(
            OneTransaction.of(ClaimSql.LOCK, DEFER_BEHIND)
                .replace("{waits}", ClaimSql.WAITS)
                .replace("{waiting}", DeferredEvents.WAITING)
                .replace("{limit}", Integer.toString(BlockedEvents.AT_ONCE)));
  }
}
