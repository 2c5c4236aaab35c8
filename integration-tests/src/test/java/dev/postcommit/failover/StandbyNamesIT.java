package dev.postcommit.failover;

import static dev.postcommit.failover.Replication.await;
import static dev.postcommit.failover.Replication.execute;
import static dev.postcommit.failover.Replication.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.internal.store.StandbyPositions;
import dev.postcommit.layout.Layout;
import dev.postcommit.testkit.postgres.PostgresPrograms;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What streams the log under the name of a standby, and is none. */
class StandbyNamesIT {
  @TempDir Path directory;

  private static long senders(PostgresServer server, String condition) {
    return text(
            server.dataSource(),
            "SELECT count(*) FROM pg_stat_replication WHERE application_name = 'replica1' AND "
                + condition)
        .map(Long::valueOf)
        .orElseThrow();
  }

  @Test
  @DisplayName(
      "pg_receivewal, a base backup and a logical sender do not count, whatever their name")
  void onlyAStandbyCounts() throws IOException {
    PostgresPrograms programs =
        PostgresPrograms.installed("pg_receivewal", "pg_basebackup", "pg_recvlogical");
    try (PostgresServer server =
        programs.start(Replication.server().setting("wal_level", "logical"))) {
      StandbyPositions positions =
          new StandbyPositions(
              server.dataSource(), Layout.nativeTable(), UUID.randomUUID(), Set.of("replica1"));
      execute(
          server.dataSource(),
          "SELECT pg_create_logical_replication_slot('changes', 'test_decoding')");
      try (AutoCloseableProcess receiver =
              start(
                  programs, server, "pg_receivewal", "-D", directory.toString(), "--synchronous");
          AutoCloseableProcess logical =
              start(
                  programs,
                  server,
                  "pg_recvlogical",
                  "-d",
                  "postgres",
                  "--slot=changes",
                  "--start",
                  "--file=-",
                  "--fsync-interval=1",
                  "--status-interval=1");
          AutoCloseableProcess backup =
              start(
                  programs,
                  server,
                  "pg_basebackup",
                  "-D",
                  directory.resolve("backup").toString(),
                  "--max-rate=32k",
                  "--wal-method=stream",
                  "--checkpoint=fast")) {
        await(() -> senders(server, "state = 'streaming'") == 3);
        await(() -> senders(server, "state = 'backup'") == 1);
        execute(server.dataSource(), "CREATE TABLE anything (id int)");
        await(() -> senders(server, "flush_lsn >= pg_current_wal_flush_lsn()") >= 1);
        assertThat(positions.read().standbys()).isEmpty();
        assertThat(receiver.isAlive() && logical.isAlive() && backup.isAlive()).isTrue();
      }

      try (PostgresServer standby = Replication.standbyOf(programs, server, "replica1")) {
        assertThat(standby.port()).isPositive();
        await(() -> positions.read().standbys().containsKey("replica1"));
      }
    }
  }

  private static AutoCloseableProcess start(
      PostgresPrograms programs, PostgresServer server, String program, String... arguments)
      throws IOException {
    return new AutoCloseableProcess(
        programs.command(program, server, arguments), "PGAPPNAME", "replica1");
  }

  /** A program that is killed when it is not needed any more. */
  private static final class AutoCloseableProcess implements AutoCloseable {
    private final Process process;

    AutoCloseableProcess(List<String> command, String variable, String value) throws IOException {
      ProcessBuilder builder = new ProcessBuilder(command);
      builder.environment().put(variable, value);
      process =
          builder
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
    }

    boolean isAlive() {
      return process.isAlive();
    }

    @Override
    public void close() {
      process.destroyForcibly();
      process.onExit().join();
    }
  }
}
