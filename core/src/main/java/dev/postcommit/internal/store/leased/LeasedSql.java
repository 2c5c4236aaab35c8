package dev.postcommit.internal.store.leased;

import dev.postcommit.Ordering;
import dev.postcommit.internal.jdbc.NamedSql;
import dev.postcommit.internal.jdbc.SqlTemplate;
import dev.postcommit.internal.jdbc.TableLock;
import dev.postcommit.internal.jdbc.TransactionStart;
import dev.postcommit.internal.store.DeferredEvents;
import dev.postcommit.layout.Layout;
import dev.postcommit.store.ClaimRequest;
import dev.postcommit.support.OneTransaction;
import java.util.HashMap;
import java.util.Map;

/**
 * The statements that claim events of the leased lifecycle.
 *
 * <p>A claim is several statements that are sent together as one transaction. Expired leases are
 * ended in a statement of their own, so that the statement that picks sees each key either with a
 * row in processing, which makes it busy, or as its last holder left it. A row that its holder is
 * settling at this moment is locked, so its lease is not ended and it keeps its key busy.
 *
 * <p>A claim that is limited to a namespace or a tenant ignores all other rows: their relays end
 * expired leases on them, by their own number of attempts, and a key is busy only with rows of the
 * claim's own namespace and tenant.
 */
final class LeasedSql {

  private static final String EXPIRE =
      """
      UPDATE {table} SET
        {status} = CASE WHEN {attempts} >= :max_attempts AND {is_decided} THEN 'dead' ELSE 'pending' END,
        {locked_by} = NULL, {locked_until} = NULL, {updated_at} = now(),
        {last_error} = '{unfinished}'
      WHERE {id} = ANY (ARRAY(
        SELECT {id} FROM {table} WHERE {status} = 'processing' AND {locked_until} < now(){scope}{not_old}
        FOR UPDATE SKIP LOCKED))""";

  /** For how many milliseconds messages of relays that were taken over may still arrive. */
  private static final String UNDECIDED =
      """
      (SELECT CAST(1000 * extract(epoch FROM max(undecided_until) - clock_timestamp()) AS bigint)
         FROM {relays})""";

  /**
   * What is due is decided by one time throughout, taken after the snapshot. The transaction's own
   * time is from before it waited for the lock. An event is due when its writer's transaction
   * began, so by that earlier time an event could be due and an earlier one of its key not.
   */
  private static final String NOW = "(SELECT at FROM moment)";

  private static final String PICK =
      """
      WITH moment AS MATERIALIZED (
        SELECT clock_timestamp() AS at),
      {lowest}{picked},
      known AS MATERIALIZED (
        SELECT *, size IS NULL AS is_compressed, size IS NOT NULL
            OR count(*) FILTER (WHERE size IS NULL) OVER (ORDER BY created_at, id) <= :most_measured
              AS is_measured
        FROM picked),
      sized AS MATERIALIZED (
        SELECT {known_columns}, is_measured,
          CASE WHEN NOT is_compressed THEN size WHEN is_measured THEN {measured_size} ELSE 0 END AS size
        FROM known),
      measured AS (
        SELECT *, sum(size) OVER (ORDER BY created_at, id) - size AS size_before,
          bool_and(is_measured) OVER (ORDER BY created_at, id) AS is_known{behind}
        FROM sized),
      taken AS (
        UPDATE {table} SET
          {status} = CASE WHEN {attempts} >= m.most THEN 'dead' ELSE 'processing' END,
          {attempts} = CASE WHEN {attempts} >= m.most THEN {attempts} ELSE {attempts} + 1 END,
          {locked_by} = CASE WHEN {attempts} >= m.most THEN NULL ELSE CAST(:holder AS {type_of_locked_by}) END,
          {locked_until} = CASE WHEN {attempts} >= m.most THEN NULL
            ELSE {lease_end} END,
          {updated_at} = now()
        FROM (SELECT CAST(:max_attempts AS int) + CASE WHEN {is_decided} THEN 0 ELSE 1000000 END AS most) m
        WHERE {id} = ANY (ARRAY(
          SELECT id FROM measured WHERE size_before < :bytes AND is_known{not_behind} AND {is_locked}))
        RETURNING {table}.{id}, {table}.{created_at}, {table}.{status}, {table}.{attempts})
      SELECT array_agg({id} ORDER BY {created_at}, {id}) AS ids,
        array_agg(CAST({attempts} AS bigint) ORDER BY {created_at}, {id}) AS attempts,
        {is_locked} AS is_locked, {waiting_exist} AS waiting_exist,
        {pages} - CAST(nullif(current_setting('postcommit.pages', true), '') AS bigint) AS pages,
        {busy_rows} AS busy_rows,
        (SELECT count(*) FROM known WHERE is_compressed AND is_measured) AS measured,
        (SELECT count(*) FROM known WHERE NOT is_measured) AS not_measured,
        {undecided} AS undecided, {epoch} AS epoch{sight}
      FROM taken WHERE {status} = 'processing'""";

  /**
   * Compressed payloads must be read to be measured, so their number is limited. The first one
   * beyond the limit is not taken, nor is anything behind it, which may have the same key.
   */
  private static final String MEASURED_SIZE =
      "(SELECT coalesce({size_in_memory}, 0) FROM {table} WHERE {table}.{id} = known.id)";

  /** Picks due rows in order, wherever they are found. */
  private static final String PICKED =
      """
      picked AS MATERIALIZED (
        SELECT {id} AS id, {created_at} AS created_at, {size_if_stored_so} AS size{probe}
        FROM {table}
        WHERE {status} = 'pending' AND {due_at} <= {now}{scope}{is_free}{above}
        ORDER BY {created_at}, {id} LIMIT {limit}
        FOR UPDATE SKIP LOCKED)""";

  private static final String KEY_IS_FREE =
      """

          AND ({key} IS NULL OR {key} NOT IN (
            (SELECT {key} FROM {table}
             WHERE {status} = 'processing' AND {key} IS NOT NULL{scope}{above}{by_age})
            UNION ALL
            (SELECT {key} FROM {table}
             WHERE {status} = 'pending' AND {due_at} > {now}
               AND ({attempts} > 0 OR {last_error} IS NOT NULL)
               AND {key} IS NOT NULL{scope}{by_time})))""";

  /**
   * The same with the indexes of a table that Postcommit created. Untried rows are found in order
   * and tried ones by their time, so claims do not walk over rows that wait. Each kind is cut to
   * the batch before they are merged, so neither can overtake the other.
   */
  private static final String PICKED_BY_KIND =
      """
      {busy}fresh AS MATERIALIZED (
        SELECT {id} AS id, {created_at} AS created_at, {size_if_stored_so} AS size{probe}
        FROM {table} t
        WHERE {untried} AND {due_at} <= {now}{scope}{is_free}{above}
        ORDER BY {created_at}, {id} LIMIT {limit}
        FOR UPDATE SKIP LOCKED),
      again AS MATERIALIZED (
        SELECT {id} AS id, {created_at} AS created_at, {size_if_stored_so} AS size{probe}
        FROM {table} t
        WHERE {tried} AND {due_at} <= {now}{scope}{is_free}{again_above}
        ORDER BY {created_at}, {id} LIMIT {limit}
        FOR UPDATE SKIP LOCKED),
      picked AS MATERIALIZED (
        SELECT * FROM (SELECT * FROM fresh UNION ALL SELECT * FROM again) due
        ORDER BY created_at, id LIMIT {limit})""";

  private static final String BUSY =
      """
      busy AS MATERIALIZED (
        SELECT {key} AS key FROM {table}
        WHERE {status} = 'processing' AND {key} IS NOT NULL{scope}{above}{by_age}),
      """;

  /**
   * Each row is looked up by its key, so it does not matter how many others wait. Usually none
   * does, which is checked once.
   */
  private static final String KEY_IS_FREE_BY_LOOKUP =
      """

          AND ({key} IS NULL OR ({key} NOT IN (SELECT key FROM busy)
            AND ((SELECT NOT {any_tried})
              OR (SELECT true FROM {table} earlier
                WHERE {tried} AND earlier.{key} = t.{key} AND {waits}{scope}
                  AND (earlier.{created_at}, earlier.{id}) < (t.{created_at}, t.{id}){above}
                LIMIT 1) IS NULL)))""";

  private static final String ANY_TRIED = "EXISTS (SELECT FROM {table} WHERE {tried})";

  /** The suffixes of the indexes by which rows are picked by kind. */
  static final String[] KINDS = {"_fresh", "_tried", "_again"};

  static final String UNTRIED =
      SqlTemplate.unindexed("{status} = 'pending' AND {attempts} = 0 AND {last_error} IS NULL");

  static final String TRIED =
      SqlTemplate.unindexed(
          "{status} = 'pending' AND ({attempts} > 0 OR {last_error} IS NOT NULL)");

  /** Hidden from the planner, so that it uses the index by key and not the one by time. */
  static final String WAITS = SqlTemplate.unindexed("earlier.{due_at} > {now}");

  /** An event that probes a topic is taken alone: later ones of its key would be given back. */
  private static final String PROBE =
      ", {key} AS key, starts_with({last_error}, '" + DeferredEvents.WAITING + "') AS probe";

  private static final String BEHIND =
      """
      ,
          bool_or(probe) OVER (PARTITION BY key ORDER BY created_at, id
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AND key IS NOT NULL AS behind""";

  private final SqlTemplate template;
  private final boolean byKind;
  private final boolean asksRelays;

  /** The running transactions, for the {@linkplain LeasedFloor floor}. */
  final NamedSql list;

  /**
   * The claims of a table.
   *
   * @param byKind whether the table has the {@linkplain #KINDS indexes} to pick rows by kind
   * @param asksRelays whether the table of relays, which tells what was taken over, can be read
   */
  LeasedSql(Layout layout, boolean byKind, boolean asksRelays) {
    this.byKind = byKind;
    this.asksRelays = asksRelays;
    template = new SqlTemplate(layout);
    list = template.statement(LeasedFloorSql.LIST, LeasedFloorSql.NAMES);
  }

  /** A claim: lock, expire, pick. */
  NamedSql claim(ClaimRequest request) {
    return claim(request, false);
  }

  /** A claim of rows above a {@linkplain LeasedFloor floor}. */
  NamedSql claimAbove(ClaimRequest request) {
    return claim(request, true);
  }

  private NamedSql claim(ClaimRequest request, boolean isBounded) {
    boolean ordered = request.ordering() == Ordering.PER_KEY;
    Map<String, String> names = new HashMap<>(LeasedFloorSql.NAMES);
    names.put("limit", Integer.toString(request.batchSize()));
    names.put("is_locked", ordered ? TableLock.IS_LOCKED : "true");
    return template.statement(
        template(request, isBounded).replace("{scope}", NamedSql.scope(request)), names);
  }

  private String template(ClaimRequest request, boolean isBounded) {
    boolean ordered = request.ordering() == Ordering.PER_KEY;
    String isFree = byKind ? KEY_IS_FREE_BY_LOOKUP : KEY_IS_FREE;
    String pick =
        PICK.replace("{picked}", byKind ? PICKED_BY_KIND : PICKED)
            .replace("{is_free}", ordered ? isFree : "")
            .replace("{probe}", ordered ? PROBE : "")
            .replace("{known_columns}", "id, created_at" + (ordered ? ", key, probe" : ""))
            .replace("{measured_size}", MEASURED_SIZE)
            .replace("{lease_end}", LeaseNumber.END)
            .replace("{behind}", ordered ? BEHIND : "")
            .replace("{not_behind}", ordered ? " AND behind IS NOT TRUE" : "")
            .replace("{busy}", ordered ? BUSY : "")
            .replace("{busy_rows}", ordered && byKind ? "(SELECT count(*) FROM busy)" : "0")
            .replace("{waiting_exist}", byKind ? "{any_tried}" : "false");
    String begin =
        (ordered ? TableLock.LOCK : TransactionStart.BEGIN)
            + TransactionStart.IN_ORDER
            + LeasedFloorSql.COUNT_PAGES;
    String claim = OneTransaction.of(begin, EXPIRE, pick);
    return (isBounded ? LeasedFloorSql.bounded(claim, byKind) : LeasedFloorSql.unbounded(claim))
        .replace("{is_decided}", asksRelays ? "({undecided} > 0) IS NOT TRUE" : "true")
        .replace("{undecided}", asksRelays ? UNDECIDED : "0")
        .replace("{any_tried}", ANY_TRIED)
        .replace("{untried}", UNTRIED)
        .replace("{tried}", TRIED)
        .replace("{waits}", WAITS)
        .replace("{now}", NOW);
  }
}
