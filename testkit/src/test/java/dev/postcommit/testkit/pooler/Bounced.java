package dev.postcommit.testkit.pooler;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postcommit.testkit.PgBouncer;
import dev.postcommit.testkit.PostgresDatabase;
import dev.postcommit.testkit.PostgresServer;
import dev.postcommit.testkit.contract.Programs;

/** Databases of the shared server by way of a PgBouncer, with every setting of the driver left. */
final class Bounced implements AutoCloseable {
  private final PgBouncer pooler;
  private final HikariDataSource pool;

  private Bounced(PgBouncer pooler, HikariDataSource pool) {
    this.pooler = pooler;
    this.pool = pool;
  }

  /** Skips the test where there is no PgBouncer. */
  static Bounced to(PostgresDatabase database) {
    return to(database, "pool_mode", "transaction");
  }

  /** The same with a setting of PgBouncer's. */
  static Bounced to(PostgresDatabase database, String setting, String value) {
    Programs.require(PgBouncer.missing());
    // Tables whose rows are held take one for each batch in flight.
    PgBouncer pooler =
        PgBouncer.builder(PostgresServer.shared())
            .setting("default_pool_size", "30")
            .setting(setting, value)
            .start();
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(pooler.jdbcUrl(database.name()));
    config.setUsername(database.username());
    config.setMaximumPoolSize(30);
    config.setMinimumIdle(0);
    return new Bounced(pooler, new HikariDataSource(config));
  }

  PgBouncer pooler() {
    return pooler;
  }

  HikariDataSource dataSource() {
    return pool;
  }

  @Override
  public void close() {
    pool.close();
    pooler.close();
  }
}
