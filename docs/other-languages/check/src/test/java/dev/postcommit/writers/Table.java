package dev.postcommit.writers;

import static org.awaitility.Awaitility.await;

import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.kafka.KafkaPublisher;
import dev.postcommit.layout.Layout;
import dev.postcommit.relay.Relay;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.testkit.kafka.KafkaServer;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A database of its own with the native outbox table and a table {@code orders}. */
final class Table implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final PostgresDatabase database = PostgresServer.shared().createDatabase();

  Table() throws SQLException {
    OutboxMigration.migrate(database.dataSource(), Layout.nativeTable());
    try (Connection connection = connection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE orders (id int)");
    }
  }

  PostgresDatabase database() {
    return database;
  }

  Connection connection() throws SQLException {
    return database.dataSource().getConnection();
  }

  /** The rows in order of delivery, without what is different each time. */
  List<String> rows() throws SQLException {
    return strings(
        "SELECT to_jsonb(t) - '{seq,created_at}'::text[] FROM postcommit_outbox t ORDER BY seq");
  }

  List<String> ids() throws SQLException {
    return strings("SELECT id FROM postcommit_outbox ORDER BY seq");
  }

  List<String> orders() throws SQLException {
    return strings("SELECT id FROM orders");
  }

  /** Returns when a session waits for another's transaction. */
  void awaitBlocked() {
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                !strings(
                        "SELECT pid FROM pg_stat_activity"
                            + " WHERE datname = current_database() AND wait_event_type = 'Lock'")
                    .isEmpty());
  }

  /** Runs a relay until no more than {@code pending} events are left to deliver. */
  void relay(int pending) {
    try (KafkaPublisher kafka =
            KafkaPublisher.builder()
                .bootstrapServers(KafkaServer.shared().bootstrapServers())
                .property("max.request.size", "2000000")
                .build();
        Relay relay = Relay.builder(database.dataSource(), kafka).build()) {
      relay.start();
      OutboxAdmin admin = OutboxAdmin.of(database.dataSource(), Layout.nativeTable());
      await().atMost(PATIENCE).until(() -> admin.status().pending() <= pending);
    }
  }

  private List<String> strings(String query) throws SQLException {
    List<String> values = new ArrayList<>();
    try (Connection connection = connection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      while (rows.next()) {
        values.add(rows.getString(1));
      }
    }
    return values;
  }

  @Override
  public void close() {
    database.close();
  }
}
