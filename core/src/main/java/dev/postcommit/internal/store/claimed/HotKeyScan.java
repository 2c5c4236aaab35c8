package dev.postcommit.internal.store.claimed;

import dev.postcommit.internal.jdbc.Database;
import dev.postcommit.internal.jdbc.NamedSql;
import dev.postcommit.internal.jdbc.SqlTemplate;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Scans rows of {@linkplain HotKeys hot keys}, and nothing else: it takes a fraction of the time
 * that a claim does, keeps no claim waiting, and teaches the {@link Floor} the same.
 *
 * <p>It does not ask whether any of these rows can be claimed, as each claim asks that anew.
 */
final class HotKeyScan {
  /** How many rows one step scans: what takes about a millisecond. */
  private static final int ROWS = 4096;

  /** The transaction's id is from after the snapshot was taken: see {@link Floor}. */
  private static final String SCAN =
      """
      WITH passed AS MATERIALIZED (
        SELECT {seq} AS seq, {key} AS key FROM {table}
        WHERE {status} = 'pending' AND {due_at} IS NULL AND {seq} >= (
          SELECT CASE WHEN {epoch} = :epoch AND {first_ended} IS NULL THEN CAST(:beyond AS bigint) END)
        ORDER BY {seq} LIMIT :rows)
      SELECT
        (SELECT count(*) FROM passed) AS scanned,
        (SELECT min(seq) FROM passed
         WHERE key IS NULL OR key <> ALL (CAST(:hot_keys AS text[]))) AS other_lowest,
        (SELECT max(seq) FROM passed) AS passed_to,
        (SELECT min({seq}) FROM {table}
         WHERE {status} = 'pending' AND {due_at} IS NULL AND {seq} >= :floor) AS lowest_seq,
        {running_xid} AS running_xid,
        CAST(CAST(pg_current_xact_id() AS text) AS bigint) AS own_xid,
        {open_ignored} AS open_ignored""";

  private final Database database;
  private final NamedSql scan;

  HotKeyScan(Database database) {
    this.database = database;
    this.scan =
        new SqlTemplate(database.layout())
            .statement(
                SCAN.replace("{first_ended}", ClaimSql.FIRST_ENDED),
                Map.of(
                    "running_xid", ClaimSql.RUNNING_XID,
                    "open_ignored", ClaimSql.OPEN_IGNORED));
  }

  /**
   * What came of a step.
   *
   * @param seen what it saw; null if its start does not hold any more, or nothing is there
   * @param goesOn whether all rows were of hot keys, and there are more
   */
  record Step(Floor.@Nullable Observation seen, boolean goesOn) {}

  /** Scans a few more rows. */
  Step step(ScanPosition.Start start) {
    Floor.Bounds bounds = start.bounds();
    return database.run(
        "scan events of",
        scan,
        to ->
            to.set("epoch", bounds.epoch())
                .setNumbers("ignored_xids", bounds.ignoredXids())
                .setNumbers("ignored_seqs", bounds.ignoredSeqs())
                .set("beyond", bounds.beyond())
                .set("rows", ROWS)
                .setTexts("hot_keys", start.hotKeys().keySet())
                .set("floor", bounds.seq())
                .set("ignored_xid", bounds.ignoredXid())
                .row(row -> step(bounds, row)));
  }

  private static Step step(Floor.Bounds bounds, ResultSet row) throws SQLException {
    int rows = row.getInt("scanned");
    if (rows == 0) {
      return new Step(null, false);
    }
    Floor.Beyond beyond =
        new Floor.Beyond(row.getLong("other_lowest"), row.getLong("passed_to"), rows < ROWS);
    return new Step(
        new Floor.Observation(
            bounds.epoch(),
            bounds.claim(),
            row.getLong("lowest_seq"),
            row.getLong("running_xid"),
            row.getLong("own_xid"),
            List.of((Long[]) row.getArray("open_ignored").getArray()),
            beyond,
            true,
            Duration.ZERO),
        rows == ROWS && beyond.lowest() == 0);
  }
}
