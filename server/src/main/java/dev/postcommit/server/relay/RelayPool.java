package dev.postcommit.server.relay;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postcommit.relay.RelayConfig;
import dev.postcommit.server.settings.Settings;
import dev.postcommit.server.table.OutboxTable;
import dev.postcommit.settings.RelaySettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Properties;

/**
 * The relay's connection pool: one connection per batch in flight, and a few more. It reports why
 * there is no connection, not just that waiting for one timed out.
 */
final class RelayPool extends HikariDataSource {
  private static final Duration CONNECT = Duration.ofSeconds(3);
  private static final Duration WAIT = Duration.ofSeconds(2);

  /** Longer than any statement of the relay, so that only dead connections time out. */
  private static final Duration SOCKET = Duration.ofSeconds(60);

  private final RetryingDataSource connections;

  private RelayPool(HikariConfig config, RetryingDataSource connections) {
    super(config);
    this.connections = connections;
  }

  /** Opens the pool; the database may be unreachable. */
  static RelayPool open(OutboxTable table, Settings settings) {
    Properties properties = table.login("postcommit-relay", CONNECT, SOCKET);
    properties.setProperty("tcpKeepAlive", "true");
    RetryingDataSource connections = new RetryingDataSource(table.url(), properties);
    HikariConfig config = new HikariConfig();
    config.setPoolName("postcommit");
    config.setDataSource(connections);
    config.setMaximumPoolSize(
        settings.get(RelaySettings.BATCHES_IN_FLIGHT) + RelayConfig.MORE_CONNECTIONS);
    config.setInitializationFailTimeout(-1);
    config.setConnectionTimeout(WAIT.toMillis());
    config.setMinimumIdle(0);
    return new RelayPool(config, connections);
  }

  @Override
  public Connection getConnection() throws SQLException {
    try {
      return super.getConnection();
    } catch (SQLTransientConnectionException e) {
      throw connections
          .lastFailure()
          .orElseGet(() -> e.getCause() instanceof SQLException cause ? cause : e);
    }
  }
}
