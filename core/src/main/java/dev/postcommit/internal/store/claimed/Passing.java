package dev.postcommit.internal.store.claimed;

import dev.postcommit.internal.jdbc.Database;
import dev.postcommit.internal.jdbc.Parameters;
import dev.postcommit.internal.jdbc.ServerRun;
import dev.postcommit.internal.jdbc.SqlTemplate;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Goes past rows of keys that have very many, and looks at nothing else: it takes a fraction of the
 * time that a claim does, keeps no claim waiting, and teaches the {@link Floor} the same.
 *
 * <p>Whether any of these rows can be claimed is not asked, as each claim does that anew: see
 * {@link Bypass}.
 */
final class Passing {
  /** How many rows one step goes past: what takes about a millisecond. */
  private static final int ROWS = 4096;

  /** The transaction's id is from after the snapshot was taken: see {@link Floor}. */
  private static final String PASS =
      """
      WITH passed AS MATERIALIZED (
        SELECT {seq} AS seq, {key} AS key FROM {table}
        WHERE {status} = 'pending' AND {due_at} IS NULL AND {seq} >= (
          SELECT CASE WHEN {epoch} = ? AND {first_ended} IS NULL THEN CAST(? AS bigint) END)
        ORDER BY {seq} LIMIT ?)
      SELECT
        (SELECT count(*) FROM passed),
        (SELECT min(seq) FROM passed WHERE key IS NULL OR key <> ALL (CAST(? AS text[]))),
        (SELECT max(seq) FROM passed),
        (SELECT min({seq}) FROM {table}
         WHERE {status} = 'pending' AND {due_at} IS NULL AND {seq} >= ?),
        coalesce(
          (SELECT min(CAST(CAST(x AS text) AS bigint))
           FROM pg_snapshot_xip(pg_current_snapshot()) AS x
           WHERE CAST(CAST(x AS text) AS bigint) > ?),
          CAST(CAST(pg_snapshot_xmax(pg_current_snapshot()) AS text) AS bigint)),
        CAST(CAST(pg_current_xact_id() AS text) AS bigint),
        ARRAY(SELECT CAST(CAST(x AS text) AS bigint)
          FROM pg_snapshot_xip(pg_current_snapshot()) AS x
          WHERE CAST(CAST(x AS text) AS bigint) <= ?)""";

  private final Database database;
  private final String pass;

  Passing(Database database) {
    this.database = database;
    this.pass =
        new SqlTemplate(database.layout())
            .render(
                PASS.replace("{first_ended}", ClaimedSql.FIRST_ENDED),
                Map.of("epoch", ServerRun.EPOCH));
  }

  /**
   * What came of a step.
   *
   * @param sight what it saw; null if its view does not hold any more, or nothing is there
   * @param goesOn whether all rows were of these keys, and there are more
   */
  record Step(Floor.@Nullable Sight sight, boolean goesOn) {}

  /** Takes one step from where a view goes past rows of these keys. */
  Step step(Floor.View view, Set<String> keys) {
    return database.run(
        "look for events of",
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(pass)) {
            Parameters to = new Parameters(statement);
            to.add(view.epoch()).add(view.ignoredXids()).add(view.ignoredSeqs());
            to.add(view.beyond()).add(ROWS).add(keys.toArray(String[]::new)).add(view.seq());
            to.add(view.ignoredXid()).add(view.ignoredXid());
            try (ResultSet row = statement.executeQuery()) {
              row.next();
              return step(view, row);
            }
          }
        });
  }

  private static Step step(Floor.View view, ResultSet row) throws SQLException {
    int rows = row.getInt(1);
    if (rows == 0) {
      return new Step(null, false);
    }
    Floor.Beyond beyond = new Floor.Beyond(row.getLong(2), row.getLong(3), rows < ROWS);
    return new Step(
        new Floor.Sight(
            view.epoch(),
            view.claim(),
            row.getLong(4),
            row.getLong(5),
            row.getLong(6),
            List.of((Long[]) row.getArray(7).getArray()),
            beyond,
            true,
            Duration.ZERO),
        rows == ROWS && beyond.lowest() == 0);
  }
}
