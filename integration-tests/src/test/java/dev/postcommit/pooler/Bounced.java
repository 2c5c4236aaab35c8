package dev.postcommit.pooler;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postcommit.testkit.contract.Programs;
import dev.postcommit.testkit.postgres.PgBouncer;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;

/** A database of the shared server behind a PgBouncer, with the driver's default settings. */
final class Bounced implements AutoCloseable {
  private final PgBouncer pooler;
  private final HikariDataSource pool;

  private Bounced(PgBouncer pooler, HikariDataSource pool) {
    this.pooler = pooler;
    this.pool = pool;
  }

  /** Connects through a new pooler; skips the test where there is no PgBouncer. */
  static Bounced to(PostgresDatabase database) {
    return to(database, "pool_mode", "transaction");
  }

  /** Does the same, with one setting of PgBouncer changed. */
  static Bounced to(PostgresDatabase database, String setting, String value) {
    Programs.require(PgBouncer.missing());
    // A held table needs one connection for each batch in flight.
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
    return new Bounced(pooler, new PoolBehind(pooler, config));
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
  }

  /** Closes its pooler, too. */
  private static final class PoolBehind extends HikariDataSource {
    private final PgBouncer pooler;

    PoolBehind(PgBouncer pooler, HikariConfig config) {
      super(config);
      this.pooler = pooler;
    }

    @Override
    public void close() {
      super.close();
      pooler.close();
    }
  }
}
