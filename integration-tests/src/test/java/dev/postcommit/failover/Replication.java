package dev.postcommit.failover;

import dev.postcommit.testkit.postgres.PostgresPrograms;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import org.awaitility.Awaitility;

/**
 * Servers that replicate one another. All begin as copies of one empty cluster, which makes each of
 * them a base backup of any other, as long as a primary keeps its log from the beginning.
 */
final class Replication {
  private Replication() {}

  static PostgresServer.Builder server() {
    return PostgresServer.builder().setting("wal_keep_size", "2GB");
  }

  /** Starts a standby, and returns when it streams. */
  static PostgresServer standbyOf(PostgresServer primary, String name) {
    return streaming(standby(primary, name).start(), primary, name);
  }

  /** Starts a standby of another version. */
  static PostgresServer standbyOf(PostgresPrograms programs, PostgresServer primary, String name) {
    return streaming(programs.start(standby(primary, name)), primary, name);
  }

  private static PostgresServer.Builder standby(PostgresServer primary, String name) {
    return server()
        .file("standby.signal", "")
        .setting(
            "primary_conninfo",
            "host=127.0.0.1 port=%d user=%s application_name=%s"
                .formatted(primary.port(), primary.username(), name))
        .setting("wal_retrieve_retry_interval", "100ms");
  }

  private static PostgresServer streaming(
      PostgresServer standby, PostgresServer primary, String name) {
    await(() -> walSender(primary, name).isPresent());
    return standby;
  }

  /** The process on the primary that sends its log to a standby, once that streams. */
  static Optional<Long> walSender(PostgresServer primary, String name) {
    return text(
            primary.dataSource(),
            "SELECT pid FROM pg_stat_replication WHERE state = 'streaming' AND application_name = '"
                + name
                + "'")
        .map(Long::valueOf);
  }

  /** Freezes the process that sends the log to a standby: it gets nothing more. */
  static Frozen holdBack(PostgresServer primary, String name) {
    long pid = walSender(primary, name).orElseThrow();
    signal("STOP", pid);
    return new Frozen(pid);
  }

  /** A process that stands still until it is closed. */
  record Frozen(long pid) implements AutoCloseable {
    @Override
    public void close() {
      signal("CONT", pid);
    }
  }

  private static void signal(String signal, long pid) {
    try {
      Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(pid)).start();
      if (kill.waitFor() != 0) {
        throw new IllegalStateException("could not send " + signal + " to " + pid);
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Kills the server and all its processes, as the loss of its machine would. */
  static void kill(PostgresServer server) {
    long session =
        text(server.dataSource(), "SELECT pg_backend_pid()").map(Long::valueOf).orElseThrow();
    ProcessHandle postmaster = ProcessHandle.of(session).orElseThrow().parent().orElseThrow();
    List<ProcessHandle> all = new ArrayList<>(List.of(postmaster));
    postmaster.descendants().forEach(all::add);
    all.forEach(ProcessHandle::destroyForcibly);
    await(() -> all.stream().noneMatch(ProcessHandle::isAlive));
  }

  static void promote(PostgresServer standby) {
    execute(standby.dataSource(), "SELECT pg_promote()");
  }

  static void execute(DataSource dataSource, String sql) {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  /** The first column of the first row. */
  static Optional<String> text(DataSource dataSource, String sql) {
    return texts(dataSource, sql).stream().findFirst();
  }

  /** The first column of all rows. */
  static List<String> texts(DataSource dataSource, String sql) {
    List<String> found = new ArrayList<>();
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      while (row.next()) {
        found.add(row.getString(1));
      }
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
    return found;
  }

  static void await(Callable<Boolean> condition) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(10))
        .until(condition);
  }
}
