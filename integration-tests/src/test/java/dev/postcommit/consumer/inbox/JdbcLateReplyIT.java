package dev.postcommit.consumer.inbox;

import static dev.postcommit.consumer.Messages.id;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postcommit.fixture.Sql;
import dev.postcommit.flyway.InboxMigration;
import dev.postcommit.layout.TableName;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.net.URI;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Replies of Postgres that come too late. */
class JdbcLateReplyIT extends LateReplyContract {
  private static final TableName PLAIN = TableName.of("plain_events");

  private final List<HikariDataSource> pools = new ArrayList<>();
  private PostgresDatabase database;

  @BeforeAll
  void createTables() throws SQLException {
    database = PostgresServer.shared().createDatabase();
    InboxMigration.migrate(database.dataSource(), TableName.of("processed_events"));
    Sql.execute(
        database.dataSource(),
        """
        CREATE TABLE plain_events (event_id text PRIMARY KEY, processed_at timestamptz NOT NULL)
          PARTITION BY HASH (event_id)""",
        """
        CREATE TABLE plain_events_0 PARTITION OF plain_events
          FOR VALUES WITH (MODULUS 1, REMAINDER 0)""");
  }

  @AfterAll
  void dropTables() {
    database.close();
  }

  @Override
  int server() {
    return URI.create(database.jdbcUrl().substring("jdbc:".length())).getPort();
  }

  @Override
  IdempotencyStore open(int port) {
    return JdbcIdempotencyStore.builder(pool(port), CONSUMER).build();
  }

  private HikariDataSource pool(int port) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(database.jdbcUrl().replace(":" + server() + "/", ":" + port + "/"));
    config.setUsername(database.username());
    config.addDataSourceProperty("socketTimeout", "1");
    // Every statement is sent as a text, by which the proxy knows it.
    config.addDataSourceProperty("prepareThreshold", "0");
    config.setMaximumPoolSize(1);
    HikariDataSource pool = new HikariDataSource(config);
    pools.add(pool);
    return pool;
  }

  @AfterEach
  void closePools() {
    pools.forEach(HikariDataSource::close);
    pools.clear();
  }

  @Test
  @DisplayName("R41: a mark is known again though the answer to its commit was lost")
  void aMarkIsKnownAgainThoughItsCommitWasNotAnswered() {
    String id = id();
    loseReplyTo("COMMIT", () -> checkAndMark(store, id));
    assertIsTheStoresToHandle(store, id);
  }

  @Test
  @DisplayName("R41: the same in a table that has no place for claims")
  void aMarkIsKnownAgainInAPlainTable() {
    IdempotencyStore plain =
        JdbcIdempotencyStore.builder(pool(proxy.port()), CONSUMER).table(PLAIN).build();
    String id = id();
    loseReplyTo("COMMIT", () -> checkAndMark(plain, id));
    assertIsTheStoresToHandle(plain, id);
  }
}
