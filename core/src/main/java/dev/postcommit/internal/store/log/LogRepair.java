package dev.postcommit.internal.store.log;

import dev.postcommit.PostcommitException;
import dev.postcommit.internal.check.Readiness;
import dev.postcommit.internal.jdbc.Database;
import dev.postcommit.internal.jdbc.Database.StatementWork;
import dev.postcommit.internal.jdbc.NamedSql;
import dev.postcommit.internal.jdbc.NamedStatement;
import dev.postcommit.internal.jdbc.TransactionStart;
import dev.postcommit.internal.store.Snapshot;
import dev.postcommit.internal.store.log.LogLease.Grant;
import dev.postcommit.internal.store.log.LogPassed.Range;
import dev.postcommit.layout.Layout;
import dev.postcommit.support.OneTransaction;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds and corrects what keeps a log's reader from finding all rows: numbers that are lower, or
 * transaction ids that are higher, than those of any writer should be.
 *
 * <p>A reader begins above its {@linkplain Fences floor}, which is right as long as the sequence
 * gives out rising numbers. If the sequence is altered or restarted, the cursor is not moved any
 * more, so no snapshot that may see rows that were passed over counts as delivered; the next
 * leaseholder lowers the floor to where these rows are. What shows neither way (a sequence that was
 * set back and has caught up, a number that a writer chose) is looked up by transaction id about
 * once a second: rows of transactions that completed since the last check, with a number below the
 * floor that their window had.
 */
final class LogRepair {
  private static final Logger log = LoggerFactory.getLogger(LogRepair.class);

  /** Rows that were passed over: the lowest number, how many there are, and their transactions. */
  record Missed(long lowest, long rows, List<String> ids) {}

  /** Adding 0 to the numbers makes Postgres find rows by the index of ids. */
  private static final String MISSED =
      """
      SELECT min(m.{seq} + 0) AS lowest, count(*) AS rows,
        CAST(array_agg(DISTINCT m.xid) AS text[]) AS ids
      FROM (
        SELECT t.xid, t.{seq}
        FROM unnest(CAST(CAST(:firsts AS text[]) AS xid8[]), CAST(CAST(:pasts AS text[]) AS xid8[]),
            CAST(:floors AS bigint[])) AS r(first, past, floor)
          JOIN {table} t ON t.xid >= r.first AND t.xid < r.past
            AND t.{seq} + 0 > :base AND t.{seq} + 0 <= r.floor
        OFFSET 0) m
      WHERE pg_visible_in_snapshot(m.xid, CAST(:read AS pg_snapshot))""";

  /** Rows up to the cursor's base keep ids of another cluster; only some are examined. */
  private static final String AHEAD =
      """
      SELECT min(a.{seq} + 0) AS lowest, count(*) AS rows, CAST(NULL AS text[]) AS ids
      FROM (
        SELECT {seq} FROM {table}
        WHERE xid >= (SELECT pg_snapshot_xmax(pg_current_snapshot())) ORDER BY xid LIMIT 1000) a
      WHERE a.{seq} > :base""";

  private static final String UNDELIVERED =
      """
      t.{seq} > c.base
            AND (t.{seq} > c.floor OR NOT pg_visible_in_snapshot(t.xid, c.seen))
            AND (c.upto IS NULL OR t.{seq} > c.position OR NOT pg_visible_in_snapshot(t.xid, c.upto))""";

  /**
   * Gives rows that came from another cluster, and were not delivered there, the id of this
   * transaction, for their own ids mean nothing here; and rows among them that were, one that every
   * snapshot sees. Rows of a number that was not given out when the cursor was last written may be
   * of either cluster, and are all taken for undelivered. Those of transactions that are open are
   * not touched: they have higher numbers than the cursor's floor. Nobody takes the lease while
   * this lasts.
   */
  private static final String ADOPT =
      """
      WITH {number_and_cursor},
      below AS MATERIALIZED (
        SELECT least(c.floor, (SELECT min(t.{seq}) - 1 FROM {table} t, c WHERE {undelivered})) AS floor
        FROM c),
      adopted AS (
        UPDATE {table} t
        SET xid = CASE WHEN {undelivered} THEN pg_current_xact_id() ELSE CAST('2' AS xid8) END
        FROM c, below WHERE t.{seq} > below.floor
        RETURNING t.xid = pg_current_xact_id() AS undelivered)
      UPDATE {cursor} c SET
        system = {system}, base = below.floor, floor = below.floor, seen = pg_current_snapshot(),
        upto = NULL, position = 0, mark = NULL, adopted = pg_current_xact_id(), adopted_at = now(),
        numbering = {numbering}, checked = pg_current_snapshot(), checked_floor = below.floor,
        {leased}
      FROM f, below
      {written}, c.floor, CAST(c.seen AS text) AS seen,
        (SELECT count(*) FROM adopted WHERE undelivered) AS undelivered""";

  /** The same snapshot, except that it does not see some transactions. */
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
   * has passed. A broker's checkpoint does not reflect that, so it is made void.
   */
  private static final String STEP_BACK =
      """
      WITH missed AS MATERIALIZED (SELECT unnest(CAST(CAST(:ids AS text[]) AS xid8[])) AS m)
      UPDATE {cursor} c SET
        floor = least(c.floor, :below), checked_floor = :below, checked = CAST(:checked AS pg_snapshot),
        seen = {seen}, upto = CASE WHEN c.upto IS NOT NULL THEN {upto_without} END, mark = NULL
      WHERE {mine}""";

  private final Layout layout;
  private final NamedSql missed;
  private final NamedSql ahead;
  private final NamedSql stepBack;
  final NamedSql adopt;
  final NamedSql renumber;
  private boolean isElsewhere;

  LogRepair(Layout layout, LogSql sql) {
    this.layout = layout;
    this.missed = sql.statement(OneTransaction.of(TransactionStart.BY_INDEX, MISSED));
    this.ahead = sql.statement(OneTransaction.of(TransactionStart.BY_INDEX, AHEAD));
    this.adopt = sql.statement(ADOPT.replace("{undelivered}", UNDELIVERED));
    this.renumber = sql.statement(RENUMBER);
    this.stepBack =
        sql.statement(
            STEP_BACK
                .replace("{seen}", WITHOUT.replace("{of}", "c.seen"))
                .replace("{upto_without}", WITHOUT.replace("{of}", "c.upto")));
  }

  /** What keeps the log from being read. */
  List<String> problems(Connection connection) throws SQLException {
    return Readiness.problems(connection, layout);
  }

  /** Whether there are rows whose transaction ids have not been assigned yet. */
  List<String> ahead(Connection connection, long base) throws SQLException {
    Missed found = find(connection, ahead, to -> to.set("base", base));
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
    return find(
        connection,
        missed,
        to ->
            to.setTexts("firsts", ranges.stream().map(r -> Long.toString(r.from())).toList())
                .setTexts(
                    "pasts",
                    ranges.stream().map(r -> Long.toString(Math.min(r.to(), read.xmax()))).toList())
                .setNumbers("floors", ranges.stream().map(Range::floor).toList())
                .set("base", base)
                .set("read", read.text()));
  }

  private static Missed find(
      Connection connection, NamedSql query, StatementWork<NamedStatement> values)
      throws SQLException {
    return query.run(
        connection,
        to ->
            values
                .on(to)
                .row(
                    row ->
                        new Missed(
                            row.getLong("lowest"),
                            row.getLong("rows"),
                            Database.ids(row.getArray("ids")))));
  }

  /** Notes whether the cursor is one of this cluster. */
  void noteHome(boolean isHome, String system) {
    if (!isHome && !isElsewhere) {
      log.info(
          "{} came from another cluster, {}: it is adopted once it is complete",
          layout.table(),
          system);
    }
    isElsewhere = !isHome;
  }

  /** What is granted once rows from another cluster are rows of this one. */
  Grant adopted(Grant found, ResultSet row) throws SQLException {
    isElsewhere = false;
    long floor = row.getLong("floor");
    Snapshot seen = Snapshot.of(row.getString("seen"));
    log.info(
        "adopted {}: {} rows above number {} were not delivered where it came from, and are now",
        layout.table(),
        row.getLong("undelivered"),
        floor);
    return new Grant(
        floor, LogCursor.at(floor, seen), found.epoch(), null, Long.MAX_VALUE, seen, floor);
  }

  /** What is granted once the floor is where the sequence gives out numbers now. */
  Grant renumbered(Grant found, ResultSet row) throws SQLException {
    long floor = row.getLong("floor");
    log.warn(
        "the sequence of {} was altered, restarted or set back: rows from number {} on are looked"
            + " at again, and what is not delivered is",
        layout.table(),
        floor + 1);
    return new Grant(
        row.getLong("base"),
        found.cursor().withFloorUpTo(floor),
        found.epoch(),
        found.mark(),
        Long.MAX_VALUE,
        found.checked(),
        floor);
  }

  /** Sets the cursor back to before rows that were passed over. */
  void stepBack(
      Connection connection, Missed rows, Snapshot checked, StatementWork<NamedStatement> owned)
      throws SQLException {
    log.warn(
        "{} rows of {}, from number {} on, have lower numbers than rows of earlier transactions: they"
            + " are delivered now, later than those",
        rows.rows(),
        layout.table(),
        rows.lowest());
    stepBack.run(
        connection,
        to ->
            owned
                .on(to)
                .setTexts("ids", rows.ids())
                .set("below", rows.lowest() - 1)
                .set("checked", checked.text())
                .update());
  }

  /** The error that says why the log is not read. */
  PostcommitException refusal(List<String> problems) {
    return new PostcommitException(
        "%s cannot be read: %s".formatted(layout.table(), String.join("; ", problems)));
  }
}
