package dev.postcommit.server.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.server.settings.Settings;
import dev.postcommit.server.table.OutboxTable;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RelayPoolIT {
  private static final Duration SOON = Duration.ofSeconds(1);

  @Test
  @DisplayName("R37: after an outage connections are there as soon as the database is")
  void connectionsAreThereAsSoonAsTheDatabaseIs() throws SQLException {
    try (PostgresServer postgres = PostgresServer.start();
        RelayPool pool = open(postgres)) {
      pool.getConnection().close();
      postgres.stopImmediate();
      pool.getHikariPoolMXBean().softEvictConnections();
      // As long as somebody waits for it, a pool waits longer and longer before it tries again.
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(pool::getConnection)
            .isInstanceOf(SQLException.class)
            .hasMessageContaining("refused");
      }
      postgres.restart();

      long back = System.nanoTime();
      pool.getConnection().close();
      assertThat(Duration.ofNanos(System.nanoTime() - back)).isLessThan(SOON);
    }
  }

  private static RelayPool open(PostgresServer postgres) {
    Settings settings =
        Settings.read(
            Map.of("database-url", postgres.jdbcUrl(), "database-user", postgres.username()),
            null,
            Map.of(),
            Path.of("no such directory"));
    return RelayPool.open(OutboxTable.of(settings), settings);
  }
}
