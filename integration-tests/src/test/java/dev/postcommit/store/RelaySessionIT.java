package dev.postcommit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postcommit.internal.store.RelaySession;
import dev.postcommit.internal.store.RelaySession.Backend;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The session by which others see that a relay is there. */
class RelaySessionIT {
  private final PostgresDatabase database = PostgresServer.shared().createDatabase();

  @AfterEach
  void drop() {
    database.close();
  }

  private HikariDataSource pool(int connections) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(database.jdbcUrl());
    config.setUsername(database.username());
    config.setMaximumPoolSize(connections);
    config.setConnectionTimeout(250);
    return new HikariDataSource(config);
  }

  private void end(Backend backend) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("SELECT pg_terminate_backend(" + backend.pid() + ")");
    }
  }

  /** The session once there is one, or it is known that there will be none. */
  private static Optional<Backend> next(RelaySession session) {
    return await()
        .atMost(Duration.ofSeconds(20))
        .ignoreExceptionsInstanceOf(SQLException.class)
        .until(session::check, found -> true);
  }

  @Test
  @DisplayName("a pool with a single connection keeps it for deliveries")
  void aSingleConnectionIsLeftAlone() throws SQLException {
    try (HikariDataSource pool = pool(1);
        RelaySession session = RelaySession.of(pool)) {
      assertThat(session.check()).isEmpty();
      pool.getConnection().close();
    }
  }

  @Test
  @DisplayName("a session that was lost is replaced, also while the pool is busy")
  void aBusyPoolDoesNotEndIt() throws SQLException {
    try (HikariDataSource pool = pool(2);
        RelaySession session = RelaySession.of(pool)) {
      Backend first = session.check().orElseThrow();
      try (Connection busy = pool.getConnection()) {
        assertThat(busy.isValid(5)).isTrue();
        end(first);
        assertThat(next(session)).get().isNotEqualTo(first);
      }
    }
  }
}
