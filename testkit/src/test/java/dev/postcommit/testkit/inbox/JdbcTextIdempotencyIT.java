package dev.postcommit.testkit.inbox;

import dev.postcommit.flyway.InboxMigration;
import dev.postcommit.inbox.IdempotencyStore;
import dev.postcommit.inbox.JdbcIdempotencyStore;
import dev.postcommit.layout.TableName;
import dev.postcommit.testkit.PostgresDatabase;
import dev.postcommit.testkit.PostgresServer;
import dev.postcommit.testkit.contract.IdempotencyContract;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/** The contract on a table that was there, with the least it needs. */
class JdbcTextIdempotencyIT extends IdempotencyContract {
  private final PostgresDatabase database = PostgresServer.shared().createDatabase();

  @AfterEach
  void close() {
    database.close();
  }

  @Override
  protected IdempotencyStore open(String consumer, Duration inProgressTime, Duration ttl) {
    String name = consumer + "_inbox";
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          """
          CREATE TABLE IF NOT EXISTS %s (
            event_id text PRIMARY KEY, processed_at timestamp NOT NULL)"""
              .formatted(name));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    InboxMigration.migrate(database.dataSource(), TableName.of(name));
    return JdbcIdempotencyStore.builder(database.dataSource(), consumer)
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
