package dev.postcommit.testkit.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postcommit.testkit.process.Ports;
import java.util.function.Consumer;
import javax.sql.DataSource;

final class PooledDatabase implements PostgresDatabase {

  static final String USERNAME = "postgres";

  private static final int MAXIMUM_POOL_SIZE = 30;
  private static final long CONNECTION_TIMEOUT_MILLIS = 10_000;

  private final String name;
  private final String jdbcUrl;
  private final HikariDataSource pool;
  private final Consumer<PooledDatabase> onClose;

  PooledDatabase(String name, int port, Consumer<PooledDatabase> onClose) {
    this.name = name;
    this.jdbcUrl = jdbcUrl(name, port);
    this.onClose = onClose;
    HikariConfig config = new HikariConfig();
    config.setPoolName("testkit-" + name);
    config.setJdbcUrl(jdbcUrl);
    config.setUsername(USERNAME);
    config.setMaximumPoolSize(MAXIMUM_POOL_SIZE);
    config.setMinimumIdle(0);
    config.setConnectionTimeout(CONNECTION_TIMEOUT_MILLIS);
    // Connects on first use: many tests never need a connection.
    config.setInitializationFailTimeout(-1);
    this.pool = new HikariDataSource(config);
  }

  static String jdbcUrl(String database, int port) {
    return "jdbc:postgresql://%s:%d/%s".formatted(Ports.HOST, port, database);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String jdbcUrl() {
    return jdbcUrl;
  }

  @Override
  public String username() {
    return USERNAME;
  }

  @Override
  public DataSource dataSource() {
    return pool;
  }

  /** Discards connections to a server that is gone. */
  void evictConnections() {
    pool.getHikariPoolMXBean().softEvictConnections();
  }

  void closePool() {
    pool.close();
  }

  @Override
  public void close() {
    if (!pool.isClosed()) {
      pool.close();
      onClose.accept(this);
    }
  }

  @Override
  public String toString() {
    return jdbcUrl;
  }
}
