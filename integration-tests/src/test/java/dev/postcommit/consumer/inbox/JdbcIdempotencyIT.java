package dev.postcommit.consumer.inbox;

import dev.postcommit.flyway.InboxMigration;
import dev.postcommit.layout.TableName;
import dev.postcommit.testkit.contract.IdempotencyContract;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;

/** The contract on a table of Postcommit's own. */
class JdbcIdempotencyIT extends IdempotencyContract {
  private final PostgresDatabase database = PostgresServer.shared().createDatabase();

  @AfterEach
  void close() {
    database.close();
  }

  @Override
  protected IdempotencyStore open(String consumer, Duration inProgressTime, Duration ttl) {
    TableName table = TableName.of(consumer + "_processed");
    InboxMigration.migrate(database.dataSource(), table);
    return JdbcIdempotencyStore.builder(database.dataSource(), consumer)
        .table(table)
        .inProgressTime(inProgressTime)
        .ttl(ttl)
        .build();
  }

  @Override
  protected List<String> unusualIds() {
    return List.of(
        "00000000-0000-0000-0000-000000000000",
        "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
        UUID.randomUUID().toString().toUpperCase(java.util.Locale.ROOT));
  }
}
