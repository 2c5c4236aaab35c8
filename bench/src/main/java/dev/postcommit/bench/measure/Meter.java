package dev.postcommit.bench.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** Measures the work that a contender causes in its JVM, the database and the broker. */
final class Meter {
  private static final String WRITES =
      """
      SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0'),
        (SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()),
        coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0),
        coalesce(sum(n_tup_upd + n_tup_del), 0)
      FROM pg_stat_user_tables s LEFT JOIN pg_inherits p ON p.inhrelid = s.relid
      WHERE coalesce(p.inhparent, s.relid) = ANY (CAST(? AS text[])::regclass[])
      """;

  /** Sessions of a contender that are older than the query. */
  private static final String OLDER_SESSIONS =
      """
      SELECT count(*) FROM pg_stat_activity
      WHERE application_name = ? AND backend_start < CAST(? AS timestamptz)
      """;

  private static final String END_OLDER_SESSIONS =
      OLDER_SESSIONS.replace("count(*)", "count(pg_terminate_backend(pid))");

  private static final Duration END_OF_SESSIONS = Duration.ofSeconds(5);
  private static final int LOOK_MILLIS = 20;
  private static final int MICROS_OF_TICK = 10_000;

  private final DataSource dataSource;
  private final ProcessHandle postmaster;
  private final ProcessHandle broker;
  private final ProcessHandle contender;
  private final String application;
  private final List<String> tables;
  private Writes writes;
  private Cpu cpu;

  private Meter(
      DataSource dataSource,
      ProcessHandle postmaster,
      ProcessHandle broker,
      ContenderProcess contender)
      throws SQLException {
    this.dataSource = dataSource;
    this.postmaster = postmaster;
    this.broker = broker;
    this.contender = ProcessHandle.of(contender.pid()).orElseThrow();
    this.application = contender.topic();
    this.tables = contender.tables();
    this.writes = writes();
    this.cpu = cpu();
  }

  /** Starts counting. */
  static Meter start(Servers servers, ContenderProcess contender) throws SQLException {
    return new Meter(servers.dataSource(), postmaster(servers.dataSource()), broker(), contender);
  }

  private static ProcessHandle postmaster(DataSource dataSource) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        ResultSet row = connection.createStatement().executeQuery("SELECT pg_backend_pid()")) {
      row.next();
      return ProcessHandle.of(row.getLong(1)).flatMap(ProcessHandle::parent).orElseThrow();
    }
  }

  private static ProcessHandle broker() {
    return ProcessHandle.current()
        .descendants()
        .filter(
            process ->
                process.info().arguments().stream()
                    .flatMap(Stream::of)
                    .anyMatch(argument -> argument.endsWith("KafkaBrokerMain")))
        .findFirst()
        .orElseThrow();
  }

  /** Resets the CPU time. */
  void restartCpu() {
    cpu = cpu();
  }

  /** Returns the CPU time so far, per event. */
  Map<String, Double> cpuPer(int events) {
    Cpu now = cpu();
    Map<String, Double> metrics = new LinkedHashMap<>();
    metrics.put("database_cpu_us", (now.database - cpu.database) / (double) events);
    metrics.put("relay_cpu_us", (now.contender - cpu.contender) / (double) events);
    metrics.put("broker_cpu_us", (now.broker - cpu.broker) / (double) events);
    return metrics;
  }

  /** Returns what was written, per event; open sessions may not have reported everything. */
  Map<String, Double> writesPer(int events) throws SQLException {
    Writes now = writes();
    Map<String, Double> metrics = new LinkedHashMap<>();
    metrics.put("wal_bytes", (now.wal - writes.wal) / events);
    metrics.put("commits", (now.commits - writes.commits) / events);
    metrics.put("rows_written", (now.rows - writes.rows) / events);
    metrics.put("dead_rows", (now.dead - writes.dead) / events);
    return metrics;
  }

  /**
   * Waits until the contender's sessions have ended and so reported what they wrote. Ends those of
   * a contender that continues to work after it was stopped.
   */
  void awaitEndOfSessions() throws SQLException, InterruptedException {
    try (Connection connection = dataSource.getConnection();
        Statement clock = connection.createStatement()) {
      String now = text(clock.executeQuery("SELECT CAST(clock_timestamp() AS text)"));
      if (!haveEnded(connection, OLDER_SESSIONS, now)
          && !haveEnded(connection, END_OLDER_SESSIONS, now)) {
        throw new IllegalStateException("sessions of " + application + " cannot be ended");
      }
    }
  }

  private boolean haveEnded(Connection connection, String count, String before)
      throws SQLException, InterruptedException {
    try (PreparedStatement sessions = connection.prepareStatement(count)) {
      sessions.setString(1, application);
      sessions.setString(2, before);
      long deadline = System.nanoTime() + END_OF_SESSIONS.toNanos();
      boolean ended = text(sessions.executeQuery()).equals("0");
      while (!ended && System.nanoTime() < deadline) {
        Thread.sleep(LOOK_MILLIS);
        ended = text(sessions.executeQuery()).equals("0");
      }
      return ended;
    }
  }

  private static String text(ResultSet rows) throws SQLException {
    try (rows) {
      rows.next();
      return rows.getString(1);
    }
  }

  private Writes writes() throws SQLException {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement select = connection.prepareStatement(WRITES)) {
      select.setArray(1, connection.createArrayOf("text", tables.toArray()));
      try (ResultSet row = select.executeQuery()) {
        row.next();
        return new Writes(row.getDouble(1), row.getDouble(2), row.getDouble(3), row.getDouble(4));
      }
    }
  }

  private Cpu cpu() {
    long sessions =
        Stream.concat(Stream.of(postmaster), postmaster.children()).mapToLong(Meter::micros).sum();
    return new Cpu(sessions + microsOfEnded(), micros(contender), micros(broker));
  }

  /** Returns what ended sessions used, where the system reports it. */
  private long microsOfEnded() {
    try {
      String state = Files.readString(Path.of("/proc", Long.toString(postmaster.pid()), "stat"));
      String[] afterName = state.substring(state.lastIndexOf(')') + 2).split(" ");
      return (Long.parseLong(afterName[13]) + Long.parseLong(afterName[14])) * MICROS_OF_TICK;
    } catch (IOException e) {
      return 0;
    }
  }

  private static long micros(ProcessHandle process) {
    return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1_000;
  }

  /**
   * What was written since the server started.
   *
   * @param dead versions of rows that updates and deletes left behind
   */
  private record Writes(double wal, double commits, double rows, double dead) {}

  private record Cpu(long database, long contender, long broker) {}
}
