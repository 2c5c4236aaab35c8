package dev.postcommit.internal.store.leased;

import dev.postcommit.internal.jdbc.ServerRun;
import dev.postcommit.internal.jdbc.SqlTemplate;
import java.util.Map;

/**
 * What is said in the {@linkplain LeasedSql statements of the leased lifecycle} for the sake of the
 * {@link LeasedFloor}.
 *
 * <p>Claims from a floor on have to find their rows by indexes that lead past old ones, whatever
 * the statistics say. There is no sort in them, so that only an index that has the order asked for
 * is used, also where the order itself does not matter.
 */
final class LeasedFloorSql {

  /** How many pages of the table this session has read; it may forget that between transactions. */
  private static final String PAGES =
      "pg_stat_get_xact_blocks_fetched(CAST('{table}' AS regclass))";

  /** Notes how many it were before the claim. */
  static final String COUNT_PAGES =
      ",\n  set_config('postcommit.pages', CAST({pages} AS text), true)";

  /**
   * The lowest age that a claim looks at, for those that walk over too much otherwise. An old row
   * that became due of late lowers it, and is not looked for by a claim that looks at everything.
   */
  private static final String LOWEST =
      """
      ended AS MATERIALIZED (
        SELECT {epoch} = ? AND clock_timestamp() >= {time} AS is_valid,
          (SELECT min(w.since) FROM unnest(CAST(? AS text[]), CAST(? AS bigint[])) AS w(name, since)
           WHERE w.name NOT IN (SELECT {running})) AS since),
      bound AS MATERIALIZED (
        SELECT {epoch_begin} + CASE WHEN is_valid THEN least(?, since) ELSE 0 END * {micros} AS floor,
          {epoch_begin} + CASE WHEN is_valid THEN least(?, since) ELSE 0 END * {micros} AS since
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

  private static final String NOT_OLD = " AND {created_at} >= {time}" + BY_AGE;

  /**
   * Tried events are due at most a minute before they were written, if their topic takes messages
   * again: see {@code DeferredEvents}. One whose time is older still has to come from elsewhere. It
   * is claimed late, and {@linkplain #WAITS_OR_IS_NOT_SEEN holds back} later ones of its key. The
   * index is that by time, which the age is not to lead past.
   */
  private static final String AGAIN_ABOVE =
      " AND {due_at} >= (SELECT due_floor FROM lowest) AND "
          + SqlTemplate.unindexed("{created_at} >= (SELECT floor FROM lowest)");

  private static final String WAITS_OR_IS_NOT_SEEN =
      SqlTemplate.unindexed(
          "earlier.{due_at} > {now} OR earlier.{due_at} < (SELECT due_floor FROM lowest)");

  /** Said as in the index that has these in the order of their age. */
  private static final String TRIED_BY_AGE =
      "{status} = 'pending' AND ({attempts} > 0 OR {last_error} IS NOT NULL)";

  private static final String OLDEST =
      "(SELECT {created_at} FROM {table} WHERE {which}" + ABOVE + BY_AGE + " LIMIT 1)";

  private static final String ANY_TRIED =
      "(" + OLDEST.replace("{which}", TRIED_BY_AGE) + " IS NOT NULL)";

  private static final String SIGHT =
      """
      ,
        {epoch},
        CAST(1000000 * extract(epoch FROM least(
          {oldest_pending},
          {oldest_processing})) AS bigint),
        (SELECT since IS NOT NULL FROM ended)"""
          .replace("{oldest_processing}", OLDEST.replace("{which}", "{status} = 'processing'"));

  private static final String OLDEST_PENDING = OLDEST.replace("{which}", "{status} = 'pending'");

  private static final String OLDEST_PENDING_BY_KIND =
      OLDEST.replace("{which}", "{untried}") + ",\n    " + OLDEST.replace("{which}", TRIED_BY_AGE);

  /** Also those of other databases; and those that are prepared, under a name of their own. */
  private static final String RUNNING =
      "virtualtransaction FROM pg_locks WHERE granted AND locktype IN ('virtualxid', 'transactionid')";

  /**
   * The time, and then the transactions that are running and may write to the table: not those of
   * other databases, nor of those who clean up, which have no user.
   */
  static final String LIST =
      """
      SELECT {epoch}, CAST(1000000 * extract(epoch FROM clock_timestamp()) AS bigint),
        ARRAY(SELECT {running} AND pid IS DISTINCT FROM pg_backend_pid()
          AND (pid IS NULL OR pid IN (
            SELECT a.pid FROM pg_stat_activity a
            WHERE a.datname = current_database() AND a.usesysid IS NOT NULL)))""";

  static final Map<String, String> NAMES =
      Map.of(
          "epoch", ServerRun.EPOCH,
          "running", RUNNING,
          "epoch_begin", "timestamptz 'epoch'",
          "micros", "interval '1 microsecond'",
          "time", "timestamptz 'epoch' + ? * interval '1 microsecond'");

  private LeasedFloorSql() {}

  /** A claim that looks at everything. */
  static String unbounded(String claim) {
    return claim
        .replace("{pages}", PAGES)
        .replace("{not_old}", "")
        .replace("{lowest}", "")
        .replace("{sight}", ",\n  {epoch}")
        .replace("{again_above}", "")
        .replace("{above}", "")
        .replace("{by_age}", "")
        .replace("{by_time}", "");
  }

  /**
   * A claim from a floor on. Parameters: the floor, after those of the first statement; and before
   * those of the second its epoch, the time of the last list, names and times of those watched, the
   * floor, and the time since when old rows may have become due.
   */
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
