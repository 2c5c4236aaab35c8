package dev.postcommit.internal.store.log;

import dev.postcommit.PostcommitException;
import dev.postcommit.internal.check.Readiness;
import dev.postcommit.internal.jdbc.Database;
import dev.postcommit.internal.jdbc.Parameters;
import dev.postcommit.internal.jdbc.SqlTemplate;
import dev.postcommit.internal.store.Snapshot;
import dev.postcommit.internal.store.log.LogPassed.Range;
import dev.postcommit.layout.Layout;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;

/**
 * Finds rows of a log that its reader does not, because their numbers are lower, or their
 * transaction ids higher, than those of any writer should be.
 *
 * <p>A reader begins above its {@linkplain Fences floor}, which holds as long as the sequence gives
 * out higher and higher numbers. If it is altered or restarted, the cursor is not moved any more,
 * so that no snapshot counts as delivered which may see rows that were passed over; who leads next
 * lowers the floor to where they are. What shows in neither way (a sequence that was set back and
 * has gone on since, a number of a writer's own choice) is looked up by its id about once a second:
 * of the transactions that completed since the last time, those with a number below the floor that
 * their window had.
 */
final class LogRepair {

  /** Rows that were passed over: the lowest number, how many there are, and their transactions. */
  record Missed(long lowest, long rows, List<String> ids) {}

  private static final String BY_INDEX =
      """
      SELECT set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
        set_config('jit', 'off', true)""";

  /** Nothing is added to the numbers, so that rows are found by the index of ids. */
  private static final String MISSED =
      """
      SELECT min(m.{seq} + 0), count(*), CAST(array_agg(DISTINCT m.xid) AS text[])
      FROM (
        SELECT t.xid, t.{seq}
        FROM unnest(CAST(CAST(? AS text[]) AS xid8[]), CAST(CAST(? AS text[]) AS xid8[]),
            CAST(? AS bigint[])) AS r(first, past, floor)
          JOIN {table} t ON t.xid >= r.first AND t.xid < r.past
            AND t.{seq} + 0 > ? AND t.{seq} + 0 <= r.floor
        OFFSET 0) m
      WHERE pg_visible_in_snapshot(m.xid, CAST(? AS pg_snapshot))""";

  /** Rows up to the cursor's base keep ids of another cluster; few are looked at. */
  private static final String AHEAD =
      """
      SELECT min(a.{seq} + 0), count(*), CAST(NULL AS text[])
      FROM (
        SELECT {seq} FROM {table}
        WHERE xid >= (SELECT pg_snapshot_xmax(pg_current_snapshot())) ORDER BY xid LIMIT 1000) a
      WHERE a.{seq} > ?""";

  /** A snapshot that is as another, but does not see some transactions. */
  private static final String WITHOUT =
      """
      (SELECT CAST(concat(least(pg_snapshot_xmin({of}), (array_agg(x ORDER BY x))[1]), ':',
            pg_snapshot_xmax({of}), ':', string_agg(CAST(x AS text), ',' ORDER BY x)) AS pg_snapshot)
          FROM (SELECT pg_snapshot_xip({of})
            UNION SELECT m FROM missed WHERE m < pg_snapshot_xmax({of})) AS r(x))""";

  /**
   * Lowers the floor to where rows are that the cursor has not passed. Those that are not committed
   * yet are looked up later, as the numbers below the new floor are.
   */
  private static final String RENUMBER =
      """
      WITH {number_and_cursor},
      below AS MATERIALIZED (
        SELECT least(c.floor, c.checked_floor, f.number, (
          SELECT min(t.{seq} + 0) - 1 FROM {table} t
          WHERE t.xid >= pg_snapshot_xmax(c.seen) AND t.xid < pg_snapshot_xmax(pg_current_snapshot())
            AND (t.{seq} + 0 > c.base OR f.number < c.base))) AS floor
        FROM c, f)
      UPDATE {cursor} c SET
        numbering = {numbering}, floor = below.floor, checked_floor = below.floor,
        base = least(c.base, below.floor), {leased}
      FROM f, below
      {written}, c.base, c.floor""";

  /**
   * Takes transactions, and all rows of low numbers that nobody sees yet, out of what the cursor
   * has passed. A broker's place knows nothing of that, and is void.
   */
  private static final String STEP_BACK =
      """
      WITH missed AS MATERIALIZED (SELECT unnest(CAST(CAST(? AS text[]) AS xid8[])) AS m)
      UPDATE {cursor} c SET
        floor = least(c.floor, ?), checked_floor = ?, checked = CAST(? AS pg_snapshot),
        seen = {seen}, upto = CASE WHEN c.upto IS NOT NULL THEN {upto_without} END, mark = NULL
      WHERE {mine}""";

  private final Layout layout;
  private final String missed;
  private final String ahead;

  /** Parameters: see {@link LogLease}, which binds them. */
  final String renumber;

  final String stepBack;

  LogRepair(Layout layout, LogSql sql) {
    this.layout = layout;
    SqlTemplate template = new SqlTemplate(layout);
    this.missed = template.render(MISSED, Map.of());
    this.ahead = template.render(AHEAD, Map.of());
    this.renumber = sql.render(RENUMBER);
    this.stepBack =
        sql.render(
            STEP_BACK
                .replace("{seen}", WITHOUT.replace("{of}", "c.seen"))
                .replace("{upto_without}", WITHOUT.replace("{of}", "c.upto")));
  }

  /** What keeps everybody from leading the log. */
  List<String> problems(Connection connection) throws SQLException {
    return Readiness.problems(connection, layout);
  }

  /** Whether there are rows of transactions that have not begun, as far as ids tell. */
  List<String> ahead(Connection connection, long base) throws SQLException {
    Missed found = byIndex(connection, ahead, to -> to.add(base));
    return found.rows() == 0
        ? List.of()
        : List.of(
            "rows of %1$s from number %2$d on have transaction ids of another cluster: they were loaded without their cursor; wait until all of them are there, then UPDATE %3$s SET system = 0, and what is not delivered gets ids of this cluster"
                .formatted(layout.table(), found.lowest(), layout.table().withSuffix("_cursor")));
  }

  /** The rows that were left out, as far as {@code read} sees them. */
  Missed missed(Connection connection, List<Range> passed, Snapshot read, long base)
      throws SQLException {
    List<Range> ranges =
        passed.stream().filter(r -> r.floor() > base && r.from() < read.xmax()).toList();
    if (ranges.isEmpty()) {
      return new Missed(0, 0, List.of());
    }
    return byIndex(
        connection,
        missed,
        to ->
            to.add(ranges.stream().map(r -> Long.toString(r.from())).toArray(String[]::new))
                .add(
                    ranges.stream()
                        .map(r -> Long.toString(Math.min(r.to(), read.xmax())))
                        .toArray(String[]::new))
                .add(ranges.stream().map(Range::floor).toList())
                .add(base)
                .add(read.text()));
  }

  @FunctionalInterface
  private interface Binding {
    Parameters to(Parameters parameters) throws SQLException;
  }

  private static Missed byIndex(Connection connection, String query, Binding values)
      throws SQLException {
    connection.setAutoCommit(false);
    try (Statement settings = connection.createStatement();
        PreparedStatement statement = connection.prepareStatement(query)) {
      settings.execute(BY_INDEX);
      values.to(new Parameters(statement));
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return new Missed(row.getLong(1), row.getLong(2), Database.ids(row.getArray(3)));
      }
    } finally {
      connection.rollback();
      connection.setAutoCommit(true);
    }
  }

  /** Says why nobody leads. */
  PostcommitException refusal(List<String> problems) {
    return new PostcommitException(
        "%s cannot be read: %s".formatted(layout.table(), String.join("; ", problems)));
  }
}
