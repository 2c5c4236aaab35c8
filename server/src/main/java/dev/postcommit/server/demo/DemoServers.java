package dev.postcommit.server.demo;

import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Layout;
import dev.postcommit.testkit.KafkaServer;
import dev.postcommit.testkit.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * The servers of a demo, with empty tables and a topic.
 *
 * @param postgres holds the orders and the outbox
 * @param kafka holds the topic
 */
record DemoServers(PostgresServer postgres, KafkaServer kafka) implements AutoCloseable {

  /** The topic of all events that are not poisonous. */
  static final String TOPIC = "orders";

  /** What the topic takes at most; between an ordinary batch and a poisonous payload. */
  static final int MAX_MESSAGE_BYTES = 256 * 1024;

  static final int PARTITIONS = 6;

  private static final String ORDERS =
      """
      CREATE TABLE orders (
        id         text        PRIMARY KEY,
        customer   text        NOT NULL,
        step       text        NOT NULL,
        changed_at timestamptz NOT NULL DEFAULT now()
      )""";

  /** Starts both at the same time, and makes tables and topic. */
  static DemoServers start() throws SQLException {
    CompletableFuture<PostgresServer> postgres =
        CompletableFuture.supplyAsync(PostgresServer::start);
    KafkaServer kafka;
    try {
      kafka = KafkaServer.start();
    } catch (RuntimeException e) {
      var unused = postgres.thenAccept(PostgresServer::close);
      throw e;
    }
    DemoServers servers = null;
    try {
      servers = new DemoServers(postgres.join(), kafka);
      servers.prepare();
      return servers;
    } catch (RuntimeException | SQLException e) {
      if (servers == null) {
        kafka.close();
      } else {
        servers.close();
      }
      throw e;
    }
  }

  private void prepare() throws SQLException {
    kafka.createTopic(
        TOPIC, PARTITIONS, Map.of("max.message.bytes", Integer.toString(MAX_MESSAGE_BYTES)));
    OutboxMigration.migrate(postgres.dataSource(), Layout.nativeTable());
    try (Connection connection = postgres.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(ORDERS);
    }
  }

  @Override
  public void close() {
    try {
      kafka.close();
    } finally {
      postgres.close();
    }
  }
}
