package dev.postcommit.consumer.inbox;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postcommit.fixture.Sql;
import dev.postcommit.flyway.InboxMigration;
import dev.postcommit.layout.TableName;
import dev.postcommit.testkit.contract.IdempotencyContract;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/**
 * The contract on a table that was there, with the least it needs, through a pool whose connections
 * are in another mode than the store's own statements need.
 */
class JdbcTextIdempotencyIT extends IdempotencyContract {
  private final PostgresDatabase database = PostgresServer.shared().createDatabase();
  private final HikariDataSource pool = pool(database);

  private static HikariDataSource pool(PostgresDatabase database) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(database.jdbcUrl());
    config.setUsername(database.username());
    config.setAutoCommit(false);
    config.setTransactionIsolation("TRANSACTION_REPEATABLE_READ");
    return new HikariDataSource(config);
  }

  @AfterEach
  void close() {
    pool.close();
    database.close();
  }

  @Override
  protected IdempotencyStore open(String consumer, Duration inProgressTime, Duration ttl) {
    String name = consumer + "_inbox";
    try {
      Sql.execute(
          database.dataSource(),
          """
          CREATE TABLE IF NOT EXISTS %s (
            event_id text PRIMARY KEY, processed_at timestamp NOT NULL)"""
              .formatted(name));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    InboxMigration.migrate(database.dataSource(), TableName.of(name));
    return JdbcIdempotencyStore.builder(pool, consumer)
        .table(TableName.of(name))
        .inProgressTime(inProgressTime)
        .ttl(ttl)
        .build();
  }

  @Override
  protected List<String> unusualIds() {
    return List.of(
        "a:b:c",
        ":",
        "spät 🕰 後で",
        "with space",
        "x".repeat(2_000),
        "A",
        "a",
        "1",
        "01",
        "%",
        "'\"\\");
  }
}
