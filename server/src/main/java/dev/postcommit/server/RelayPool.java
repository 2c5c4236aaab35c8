package dev.postcommit.server;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postcommit.relay.RelayConfig;
import dev.postcommit.server.settings.ServerSettings;
import dev.postcommit.server.settings.Settings;
import java.time.Duration;

/** The relay's connections: one for each batch in flight, and a few more. */
final class RelayPool {
  private static final Duration CONNECT = Duration.ofSeconds(3);
  private static final Duration WAIT = Duration.ofSeconds(2);

  /** Longer than any statement of the relay, so that only a dead connection runs into it. */
  private static final Duration SOCKET = Duration.ofSeconds(60);

  private RelayPool() {}

  /** Opens the pool; the database need not be there. */
  static HikariDataSource open(OutboxTable table, Settings settings) {
    HikariConfig config = new HikariConfig();
    config.setPoolName("postcommit");
    config.setJdbcUrl(table.url());
    config.setUsername(table.user());
    config.setPassword(table.password());
    config.setMaximumPoolSize(
        settings.get(ServerSettings.BATCHES_IN_FLIGHT) + RelayConfig.MORE_CONNECTIONS);
    config.setInitializationFailTimeout(-1);
    config.setConnectionTimeout(WAIT.toMillis());
    // A pool that is to have idle connections tries less and less often while it cannot open any,
    // and after a long outage it would be the last to notice that the database is back.
    config.setMinimumIdle(0);
    config.addDataSourceProperty("ApplicationName", "postcommit-relay");
    config.addDataSourceProperty("connectTimeout", CONNECT.toSeconds());
    config.addDataSourceProperty("socketTimeout", SOCKET.toSeconds());
    config.addDataSourceProperty("tcpKeepAlive", true);
    return new HikariDataSource(config);
  }
}
