package dev.postcommit.testkit.explorer.oracle;

import dev.postcommit.layout.Layout;
import dev.postcommit.testkit.explorer.scenario.Violation;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.UUID;

/**
 * Looks at how far a log is delivered, by its cursor and by checkpoints of a broker.
 *
 * <p>Whatever a cursor has passed is delivered, or was diverted. And of transactions that a
 * snapshot does not tell of, no row is at or below the floor that goes with the snapshot.
 */
public final class CursorCheck {
  private static final String PASSED =
      """
      SELECT CAST(t.id AS text), CAST(c.* AS text) FROM %1$s t, %2$s
      WHERE NOT (t.seq > c.base
          AND (t.seq > c.floor OR NOT pg_visible_in_snapshot(t.xid, c.seen))
          AND (c.upto IS NULL OR t.seq > c.position OR NOT pg_visible_in_snapshot(t.xid, c.upto)))
        AND NOT EXISTS (SELECT FROM %3$s d WHERE d.id = t.id)""";

  private static final String FLOORS =
      """
      SELECT CAST(pg_snapshot_xmax(seen) AS text), floor, CAST(pg_snapshot_xmax(checked) AS text),
        checked_floor
      FROM %s""";

  private static final String BELOW =
      """
      SELECT CAST(t.id AS text), CAST(t.xid AS text), t.seq FROM %s t, %s c
      WHERE t.seq > c.base AND t.xid >= CAST(? AS xid8) AND t.seq <= ?""";

  /** Rows of transactions from this id on have higher numbers than the floor. */
  private record Floor(String from, long floor, String what) {}

  private final History history;
  private final String table;
  private final String cursor;
  private final String passed;
  private final String passedCheckpoint;
  private final Set<Floor> floors = new LinkedHashSet<>();

  public CursorCheck(Layout layout, History history) {
    this.history = history;
    this.table = layout.table().sql();
    this.cursor = layout.cursor().orElseThrow().sql();
    String diverted = layout.diverted().orElseThrow().table().sql();
    this.passed = PASSED.formatted(table, cursor + " c", diverted);
    this.passedCheckpoint =
        PASSED.formatted(
            table,
            """
            (SELECT (SELECT base FROM %s) AS base, CAST(? AS bigint) AS floor,
              CAST(? AS pg_snapshot) AS seen, CAST(? AS pg_snapshot) AS upto,
              CAST(? AS bigint) AS position) c"""
                .formatted(cursor),
            diverted);
  }

  /** Checks the cursor as it is now, and notes its floors. */
  public void check(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(passed)) {
      requireArrived(statement, "the cursor");
    }
    try (PreparedStatement statement = connection.prepareStatement(FLOORS.formatted(cursor));
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        floors.add(new Floor(row.getString(1), row.getLong(2), "the cursor's floor"));
        floors.add(new Floor(row.getString(3), row.getLong(4), "the floor that was checked"));
      }
    }
  }

  /** Checks a checkpoint that a broker has, and notes its floor. */
  public void checkCheckpoint(Connection connection, String checkpoint) throws SQLException {
    String[] parts = checkpoint.split(" ", -1);
    try (PreparedStatement statement = connection.prepareStatement(passedCheckpoint)) {
      statement.setLong(1, Long.parseLong(parts[3]));
      statement.setString(2, parts[4]);
      statement.setString(3, parts[5].equals("-") ? null : parts[5]);
      statement.setLong(4, Long.parseLong(parts[6]));
      requireArrived(statement, "the broker's checkpoint");
    }
    floors.add(
        new Floor(parts[4].split(":", -1)[1], Long.parseLong(parts[3]), "a checkpoint's floor"));
  }

  private void requireArrived(PreparedStatement statement, String what) throws SQLException {
    Set<String> arrivals = history.arrivals();
    Set<String> ids = history.ids();
    try (ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        String id = row.getString(1);
        if (ids.contains(id) && !arrivals.contains(id)) {
          throw new Violation(
              "%s counts %s as delivered, and it is not: %s"
                  .formatted(what, history.name(id), row.getString(2)));
        }
      }
    }
  }

  /** Checks all floors that there were, once all rows are there. */
  public void checkFloors(Connection connection) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(BELOW.formatted(table, cursor))) {
      for (Floor floor : floors) {
        statement.setString(1, floor.from());
        statement.setLong(2, floor.floor());
        try (ResultSet row = statement.executeQuery()) {
          if (row.next()) {
            throw new Violation(
                "%s is %d for transactions from %s on, but %s of transaction %s has number %d"
                    .formatted(
                        floor.what(),
                        floor.floor(),
                        floor.from(),
                        history.name(row.getString(1)),
                        row.getString(2),
                        row.getLong(3)));
          }
        }
      }
    }
  }

  /** Whether a relay has the lease by the database's clock. */
  public boolean isLeading(Connection connection, UUID relay) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT FROM " + cursor + " WHERE owner = ? AND until > clock_timestamp()")) {
      statement.setObject(1, relay);
      try (ResultSet row = statement.executeQuery()) {
        return row.next();
      }
    }
  }
}
