package dev.postcommit.internal.store.leased;

import dev.postcommit.internal.jdbc.SqlTemplate;
import java.util.Map;

/**
 * The parts of the {@linkplain LeasedSql statements of the leased lifecycle} that apply the {@link
 * LeasedFloor}.
 *
 * <p>Claims above a floor must find their rows by indexes that skip old ones, whatever the
 * statistics say. They ask for an order, also where it does not matter, and sorting is disabled, so
 * only an index that has this order is used.
 */
final class LeasedFloorSql {

  /**
   * How many pages of the table this session has read; the count may restart between transactions.
   */
  private static final String PAGES =
      "pg_stat_get_xact_blocks_fetched(CAST('{table}' AS regclass))";

  /** Records the count from before the claim. */
  static final String COUNT_PAGES =
      ",\n  set_config('postcommit.pages', CAST({pages} AS text), true)";

  /**
   * The lowest age that a claim looks at. An old row that became due recently lowers it; a claim
   * that looks at everything needs no such row.
   */
  private static final String LOWEST =
      """
      ended AS MATERIALIZED (
        SELECT {epoch} = :floor_epoch
            AND clock_timestamp() >= {epoch_begin} + :listed * {micros} AS is_valid,
          (SELECT min(w.since)
           FROM unnest(CAST(:watched AS text[]), CAST(:watched_since AS bigint[])) AS w(name, since)
           WHERE w.name NOT IN (SELECT {running})) AS since),
      bound AS MATERIALIZED (
        SELECT {epoch_begin} + CASE WHEN is_valid THEN least(:floor, since) ELSE 0 END * {micros} AS floor,
          {epoch_begin} + CASE WHEN is_valid THEN least(:since, since) ELSE 0 END * {micros} AS since
        FROM ended),
      found AS MATERIALIZED (
        SELECT floor, CASE WHEN floor > {epoch_begin} THEN (
          SELECT min(due.created_at) FROM (
            (SELECT {created_at} AS created_at FROM {table}
             WHERE {status} = 'pending' AND {due_at} >= bound.since AND {due_at} <= {now}
             ORDER BY {due_at})
            UNION ALL
            (SELECT {created_at} FROM {table}
             WHERE {status} = 'processing' AND {due_at} >= bound.since
             ORDER BY {due_at})) due) END AS oldest
        FROM bound),
      lowest AS MATERIALIZED (
        SELECT least(floor, oldest) AS floor, CASE WHEN floor > {epoch_begin}
          THEN least(floor, oldest) - interval '2 minutes' ELSE timestamptz '-infinity' END AS due_floor
        FROM found),
      """;

  private static final String ABOVE = " AND {created_at} >= (SELECT floor FROM lowest)";

  private static final String BY_AGE = " ORDER BY {created_at}";

  private static final String BY_TIME = " ORDER BY {due_at}";

  private static final String NOT_OLD =
      " AND {created_at} >= {epoch_begin} + :floor * {micros}" + BY_AGE;

  /**
   * Tried events are due at most a minute before they were written, if their topic takes messages
   * again: see {@code DeferredEvents}. One with an even earlier time was written by someone else.
   * It is claimed late, and {@linkplain #WAITS_OR_IS_NOT_SEEN holds back} later ones of its key.
   * The condition on the age is hidden from the planner, so that it uses the index by time.
   */
  private static final String AGAIN_ABOVE =
      " AND {due_at} >= (SELECT due_floor FROM lowest) AND "
          + SqlTemplate.unindexed("{created_at} >= (SELECT floor FROM lowest)");

  private static final String WAITS_OR_IS_NOT_SEEN =
      SqlTemplate.unindexed(
          "earlier.{due_at} > {now} OR earlier.{due_at} < (SELECT due_floor FROM lowest)");

  /** Worded like the predicate of the index that has these in the order of their age. */
  private static final String TRIED_BY_AGE =
      "{status} = 'pending' AND ({attempts} > 0 OR {last_error} IS NOT NULL)";

  private static final String OLDEST =
      "(SELECT {created_at} FROM {table} WHERE {which}" + ABOVE + BY_AGE + " LIMIT 1)";

  private static final String ANY_TRIED =
      "(" + OLDEST.replace("{which}", TRIED_BY_AGE) + " IS NOT NULL)";

  private static final String SIGHT =
      """
      ,
        CAST(1000000 * extract(epoch FROM least(
          {oldest_pending},
          {oldest_processing})) AS bigint) AS lowest,
        (SELECT since IS NOT NULL FROM ended) AS has_ended"""
          .replace("{oldest_processing}", OLDEST.replace("{which}", "{status} = 'processing'"));

  private static final String OLDEST_PENDING = OLDEST.replace("{which}", "{status} = 'pending'");

  private static final String OLDEST_PENDING_BY_KIND =
      OLDEST.replace("{which}", "{untried}") + ",\n    " + OLDEST.replace("{which}", TRIED_BY_AGE);

  /** Includes other databases, and prepared transactions under a name of their own. */
  private static final String RUNNING =
      "virtualtransaction FROM pg_locks WHERE granted AND locktype IN ('virtualxid', 'transactionid')";

  /**
   * The time, and then the running transactions that may write to the table: not those of other
   * databases, nor of vacuum workers, which have no user.
   */
  static final String LIST =
      """
      SELECT {epoch} AS epoch,
        CAST(1000000 * extract(epoch FROM clock_timestamp()) AS bigint) AS micros,
        ARRAY(SELECT {running} AND pid IS DISTINCT FROM pg_backend_pid()
          AND (pid IS NULL OR pid IN (
            SELECT a.pid FROM pg_stat_activity a
            WHERE a.datname = current_database() AND a.usesysid IS NOT NULL))) AS running""";

  static final Map<String, String> NAMES =
      Map.of(
          "running",
          RUNNING,
          "epoch_begin",
          "timestamptz 'epoch'",
          "micros",
          "interval '1 microsecond'");

  private LeasedFloorSql() {}

  /** A claim without a floor. */
  static String unbounded(String claim) {
    return claim
        .replace("{pages}", PAGES)
        .replace("{not_old}", "")
        .replace("{lowest}", "")
        .replace("{sight}", "")
        .replace("{again_above}", "")
        .replace("{above}", "")
        .replace("{by_age}", "")
        .replace("{by_time}", "");
  }

  /** A claim above a floor, with the parameters that {@link LeasedStore} sets. */
  static String bounded(String claim, boolean byKind) {
    String text =
        byKind
            ? claim.replace("{any_tried}", ANY_TRIED).replace("{waits}", WAITS_OR_IS_NOT_SEEN)
            : claim;
    return text.replace("{pages}", PAGES)
        .replace("{not_old}", NOT_OLD)
        .replace("{lowest}", LOWEST)
        .replace("{sight}", SIGHT)
        .replace("{oldest_pending}", byKind ? OLDEST_PENDING_BY_KIND : OLDEST_PENDING)
        .replace("{again_above}", AGAIN_ABOVE)
        .replace("{above}", ABOVE)
        .replace("{by_age}", BY_AGE)
        .replace("{by_time}", BY_TIME);
  }
}
