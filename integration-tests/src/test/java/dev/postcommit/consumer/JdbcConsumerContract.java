package dev.postcommit.consumer;

import dev.postcommit.consumer.inbox.JdbcIdempotencyStore;
import dev.postcommit.flyway.InboxMigration;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What consumers promise, with a store in Postgres. */
abstract class JdbcConsumerContract extends ConsumerContract {
  private PostgresDatabase database;

  @BeforeEach
  void createTables() {
    database = PostgresServer.shared().createDatabase();
    InboxMigration.migrate(database.dataSource(), TransactionalFixture.PROCESSED);
  }

  @AfterEach
  void dropDatabase() {
    database.close();
  }

  JdbcIdempotencyStore store() {
    return JdbcIdempotencyStore.builder(database.dataSource(), CONSUMER).build();
  }
}
