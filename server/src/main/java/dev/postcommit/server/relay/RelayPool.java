package dev.postcommit.server.relay;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postcommit.relay.RelayConfig;
import dev.postcommit.server.settings.Settings;
import dev.postcommit.server.table.OutboxTable;
import dev.postcommit.settings.RelaySettings;
import java.time.Duration;
import java.util.Properties;

/** The relay's connection pool: one connection per batch in flight, and a few more. */
final class RelayPool {
  private static final Duration CONNECT = Duration.ofSeconds(3);
  private static final Duration WAIT = Duration.ofSeconds(2);

  /** Longer than any statement of the relay, so that only dead connections time out. */
  private static final Duration SOCKET = Duration.ofSeconds(60);

  private RelayPool() {}

  /** Opens the pool; the database may be unreachable. */
  static HikariDataSource open(OutboxTable table, Settings settings) {
    HikariConfig config = new HikariConfig();
    config.setPoolName("postcommit");
    config.setDataSource(new RetryingDataSource(table.url(), properties(table)));
    config.setMaximumPoolSize(
        settings.get(RelaySettings.BATCHES_IN_FLIGHT) + RelayConfig.MORE_CONNECTIONS);
    config.setInitializationFailTimeout(-1);
    config.setConnectionTimeout(WAIT.toMillis());
    config.setMinimumIdle(0);
    return new HikariDataSource(config);
  }

  private static Properties properties(OutboxTable table) {
    Properties properties = table.login("postcommit-relay", CONNECT, SOCKET);
    properties.setProperty("tcpKeepAlive", "true");
    return properties;
  }
}
