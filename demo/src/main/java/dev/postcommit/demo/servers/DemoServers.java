package dev.postcommit.demo.servers;

import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Layout;
import dev.postcommit.settings.BrokerSettings.BrokerName;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;

/**
 * The servers of a demo, with empty tables and a topic.
 *
 * @param postgres holds the orders and the outbox
 * @param broker holds the topic
 * @param layout the shape of the outbox table
 */
public record DemoServers(PostgresServer postgres, DemoBroker broker, Layout layout)
    implements AutoCloseable {
  private static final String ORDERS =
      """
      CREATE TABLE orders (
        id         text        PRIMARY KEY,
        customer   text        NOT NULL,
        step       text        NOT NULL,
        changed_at timestamptz NOT NULL DEFAULT now()
      )""";

  /** Starts both at the same time, and creates tables and topic. */
  public static DemoServers start(BrokerName name, Layout layout) throws SQLException {
    CompletableFuture<PostgresServer> postgres =
        CompletableFuture.supplyAsync(PostgresServer::start);
    DemoBroker broker;
    try {
      broker = DemoBroker.start(name);
    } catch (RuntimeException e) {
      var unused = postgres.thenAccept(PostgresServer::close);
      throw e;
    }
    DemoServers servers = null;
    try {
      servers = new DemoServers(postgres.join(), broker, layout);
      servers.prepare();
      return servers;
    } catch (RuntimeException | SQLException e) {
      if (servers == null) {
        broker.close();
      } else {
        servers.close();
      }
      throw e;
    }
  }

  private void prepare() throws SQLException {
    broker.createTopic();
    OutboxMigration.migrate(postgres.dataSource(), layout);
    try (Connection connection = postgres.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(ORDERS);
    }
  }

  @Override
  public void close() {
    try {
      broker.close();
    } finally {
      postgres.close();
    }
  }
}
