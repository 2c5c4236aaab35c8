package dev.postcommit.internal.store.leased;

import dev.postcommit.internal.jdbc.NamedSql;
import dev.postcommit.internal.jdbc.SqlTemplate;
import dev.postcommit.internal.jdbc.TableLock;
import dev.postcommit.internal.jdbc.TransactionStart;
import dev.postcommit.internal.store.BlockedEvents;
import dev.postcommit.internal.store.DeferredEvents;
import dev.postcommit.layout.Layout;
import dev.postcommit.support.OneTransaction;

/** The statements that settle and renew leases, and defer events. */
final class LeasedSettleSql {

  private static final String SETTLE =
      """
      WITH outcome AS MATERIALIZED (
        SELECT * FROM unnest(CAST(:ids AS {type_of_id}[]), CAST(:attempts AS bigint[]),
            CAST(:leases AS bigint[]), CAST(:statuses AS text[]), CAST(:delays AS bigint[]),
            CAST(:errors AS text[]), CAST(:uncounted AS bigint[]))
          AS o(id, attempt, lease, status, delay, error, uncounted)),
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
      SELECT (SELECT count(*) FROM deleted) + (SELECT count(*) FROM updated) AS settled""";

  /** Whether a row still has the lease under which it was delivered: see {@link LeaseNumber}. */
  private static final String HELD =
      """
      {table}.{id} = ANY (ARRAY(SELECT id FROM outcome)) AND {table}.{id} = o.id
          AND {table}.{locked_by} = CAST(:holder AS {type_of_locked_by}) AND {table}.{attempts} = o.attempt
          AND {lease_number} = o.lease
          AND\s"""
          + SqlTemplate.unindexed("{table}.{status} = 'processing'");

  private static final String RENEW =
      """
      UPDATE {table} SET
        {locked_until} = {lease_end}, {updated_at} = now()
      FROM unnest(CAST(:ids AS {type_of_id}[]), CAST(:attempts AS bigint[])) AS o(id, attempt)
      WHERE {table}.{id} = ANY (CAST(:ids AS {type_of_id}[])) AND {table}.{id} = o.id
        AND {table}.{locked_by} = CAST(:holder AS {type_of_locked_by}) AND {table}.{attempts} = o.attempt
        AND {lease_number} = :lease
        AND\s"""
          + SqlTemplate.unindexed("{table}.{status} = 'processing'");

  /** The leases that a holder has but those on the events given. */
  private static final String LEASED =
      """
      SELECT CAST({id} AS text) AS id, {attempts} AS attempt, {lease_number} AS lease FROM {table}
      WHERE {status} = 'processing' AND {locked_by} = CAST(:holder AS {type_of_locked_by})
        AND {id} <> ALL (CAST(:known AS {type_of_id}[])) AND {locked_until} > clock_timestamp()""";

  /**
   * Defers events behind one that waits for a topic, as if they waited for the topic themselves, so
   * that claims need not walk over them; returns how many. They are due with the event before them,
   * but not within seconds, which is for the one that probes the topic, and not all at once: every
   * claim looks at those that are due too early until they are deferred again.
   */
  private static final String DEFER_BEHIND =
      """
      WITH head AS MATERIALIZED (
        (SELECT {id} AS id, {created_at} AS created_at, {key} AS key FROM {table}
         WHERE {untried} AND {due_at} <= now() AND {key} IS NOT NULL
         ORDER BY {created_at}, {id} LIMIT :rows)
        UNION ALL
        (SELECT {id}, {created_at}, {key} FROM {table}
         WHERE {tried} AND {due_at} <= now() AND {key} IS NOT NULL
         LIMIT :rows)),
      behind AS MATERIALIZED (
        SELECT head.id, earlier.due_at, earlier.error
        FROM head CROSS JOIN LATERAL (
          SELECT {due_at} AS due_at, {last_error} AS error FROM {table} earlier
          WHERE {tried} AND earlier.{key} = head.key AND {waits}
            AND (earlier.{created_at}, earlier.{id}) < (head.created_at, head.id)
          LIMIT 1) earlier
        WHERE starts_with(earlier.error, '{waiting}')
        LIMIT {limit}),
      deferred AS (
        UPDATE {table} t SET
          {due_at} = greatest(behind.due_at, now() + interval '1 minute') + random() * interval '5 minutes',
          {last_error} = behind.error, {updated_at} = now()
        FROM behind
        WHERE t.{id} = behind.id AND t.{id} = ANY (ARRAY(SELECT id FROM behind))
          AND {still_pending}
        RETURNING 1)
      SELECT count(*) AS deferred FROM deferred""";

  final NamedSql settle;
  final NamedSql renew;
  final NamedSql leased;
  final NamedSql deferBehind;

  LeasedSettleSql(Layout layout) {
    SqlTemplate template = new SqlTemplate(layout);
    String deletes = Boolean.toString(!layout.keepsDelivered());
    settle =
        template.statement(
            OneTransaction.of(TransactionStart.SETTLE, SETTLE)
                .replace("{held}", HELD)
                .replace("{lease_number}", LeaseNumber.OF_ROW)
                .replace("{delete_delivered}", deletes));
    renew =
        template.statement(
            OneTransaction.of(TransactionStart.BY_IDS, RENEW)
                .replace("{lease_end}", LeaseNumber.END)
                .replace("{lease_number}", LeaseNumber.OF_ROW));
    leased = template.statement(LEASED.replace("{lease_number}", LeaseNumber.OF_ROW));
    deferBehind =
        template.statement(
            OneTransaction.of(TableLock.LOCK + TransactionStart.IN_ORDER, DEFER_BEHIND)
                .replace("{untried}", LeasedSql.UNTRIED)
                .replace("{tried}", LeasedSql.TRIED)
                .replace("{waits}", LeasedSql.WAITS)
                .replace("{now}", "now()")
                .replace("{still_pending}", SqlTemplate.unindexed("t.{status} = 'pending'"))
                .replace("{waiting}", DeferredEvents.WAITING)
                .replace("{limit}", Integer.toString(BlockedEvents.AT_ONCE)));
  }
}
