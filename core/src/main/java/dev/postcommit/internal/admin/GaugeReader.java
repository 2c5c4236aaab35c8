package dev.postcommit.internal.admin;

import dev.postcommit.internal.admin.GaugeSql.Rows;
import dev.postcommit.internal.jdbc.Database;
import dev.postcommit.internal.jdbc.Database.StatementWork;
import dev.postcommit.internal.jdbc.NamedSql;
import dev.postcommit.internal.store.Pauses;
import dev.postcommit.store.OutboxAdmin.Count;
import dev.postcommit.store.OutboxAdmin.Gauges;
import dev.postcommit.store.OutboxAdmin.RelayPresence;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads figures that are cheap however many rows there are: see {@link GaugeSql}. */
final class GaugeReader {
  private static final String QUERY_CANCELED = "57014";
  private static final Pattern PLAN_ROWS = Pattern.compile("\"Plan Rows\": *(\\d+)");

  private final Database database;
  private final GaugeSql sql;
  private final Pauses pauses;

  GaugeReader(Database database, Pauses pauses) {
    this.database = database;
    this.sql = GaugeSql.of(database.layout());
    this.pauses = pauses;
  }

  /**
   * What was read of the undelivered rows.
   *
   * @param whole whether that was all of them
   */
  private record Backlog(boolean whole, long pending, long delayed, long dead, long oldestMillis) {

    static Backlog read(ResultSet part) throws SQLException {
      return new Backlog(
          part.getLong("rows") <= GaugeSql.BOUND,
          part.getLong("pending"),
          part.getLong("delayed"),
          part.getLong("dead"),
          part.getLong("oldest_millis"));
    }

    Backlog plus(Backlog other) {
      return new Backlog(
          whole && other.whole,
          pending + other.pending,
          delayed + other.delayed,
          dead + other.dead,
          Math.max(oldestMillis, other.oldestMillis));
    }
  }

  /** Rows in flight, and the relays that have them. */
  private record Working(long rows, long relays) {}

  Gauges read() {
    Optional<List<RelayPresence>> relays = pauses.relays();
    boolean paused = pauses.paused().isPresent();
    try {
      Connection connection = database.open();
      try {
        Working working = working(connection);
        long alive =
            relays
                .map(rows -> rows.stream().filter(RelayPresence::isAlive).count())
                .orElse(working.relays());
        @Nullable Backlog backlog = backlog(connection);
        @Nullable Count dead = dead(connection, backlog);
        return new Gauges(
            pending(connection, backlog, dead),
            working.rows(),
            delayed(connection, backlog),
            dead,
            backlog == null ? null : Duration.ofMillis(backlog.oldestMillis()),
            alive,
            paused,
            null);
      } finally {
        Database.end(connection);
      }
    } catch (SQLException e) {
      throw database.failure("read the figures of", e);
    }
  }

  private Working working(Connection connection) throws SQLException {
    return NamedSql.of(sql.working())
        .run(
            connection,
            to -> to.row(row -> new Working(row.getLong("held"), row.getLong("relays"))));
  }

  private @Nullable Backlog backlog(Connection connection) throws SQLException {
    @Nullable List<Backlog> parts = query(connection, sql.backlog(), to -> to.rows(Backlog::read));
    return parts == null
        ? null
        : parts.stream().reduce(new Backlog(true, 0, 0, 0, 0), Backlog::plus);
  }

  private @Nullable Count pending(
      Connection connection, @Nullable Backlog backlog, @Nullable Count dead) throws SQLException {
    if (backlog == null || backlog.whole()) {
      return backlog == null ? null : new Count(backlog.pending(), true);
    }
    long others = sql.undeliveredHasDead() && dead != null ? dead.rows() : 0;
    long expected = estimate(connection, sql.undelivered()) - others;
    return new Count(Math.max(backlog.pending(), expected), false);
  }

  private @Nullable Count delayed(Connection connection, @Nullable Backlog backlog)
      throws SQLException {
    return backlog != null && backlog.whole()
        ? new Count(backlog.delayed(), true)
        : count(connection, sql.delayed());
  }

  private @Nullable Count dead(Connection connection, @Nullable Backlog backlog)
      throws SQLException {
    if (!sql.deadByAttempts()) {
      return sql.dead().isPresent() ? count(connection, sql.dead().get()) : null;
    }
    if (backlog != null && backlog.whole()) {
      return new Count(backlog.dead(), true);
    }
    @Nullable Count known = sql.dead().isPresent() ? count(connection, sql.dead().get()) : null;
    if (known == null && backlog == null) {
      return null;
    }
    long read = backlog == null ? 0 : backlog.dead();
    return new Count(known == null ? read : Math.max(read, known.rows()), false);
  }

  /** The number of rows, exactly or as the planner sees it; null if there was no time. */
  private static @Nullable Count count(Connection connection, Rows rows) throws SQLException {
    @Nullable Long counted =
        query(connection, rows.count(), to -> to.row(row -> row.getLong("rows")));
    if (counted == null || counted <= GaugeSql.BOUND) {
      return counted == null ? null : new Count(counted, true);
    }
    return new Count(Math.max(counted, estimate(connection, rows.all())), false);
  }

  private static long estimate(Connection connection, String rows) throws SQLException {
    try {
      String plan =
          NamedSql.of(GaugeSql.estimate(rows))
              .run(connection, to -> to.row(row -> row.getString("QUERY PLAN")));
      Matcher matcher = PLAN_ROWS.matcher(plan);
      return matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
    } finally {
      connection.rollback();
    }
  }

  /** Runs a statement for as long as the settings allow; null if that was not long enough. */
  private static <T> @Nullable T query(Connection connection, String text, StatementWork<T> reading)
      throws SQLException {
    try {
      return NamedSql.of(GaugeSql.SETTINGS + ";\n" + text).run(connection, reading);
    } catch (SQLException e) {
      if (QUERY_CANCELED.equals(e.getSQLState())) {
        return null;
      }
      throw e;
    } finally {
      connection.rollback();
    }
  }
}
