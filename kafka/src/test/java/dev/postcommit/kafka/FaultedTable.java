package dev.postcommit.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.Event;
import dev.postcommit.Outbox;
import dev.postcommit.RetryPolicy;
import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Role;
import dev.postcommit.relay.Relay;
import dev.postcommit.relay.Router;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.testkit.kafka.KafkaDeliveries;
import dev.postcommit.testkit.ledger.Ledger;
import dev.postcommit.testkit.ledger.LedgerReport;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

/**
 * A table, its relay and its topic, while Kafka is at fault. Its events have three attempts, soon
 * after each other: if those that are not to blame counted, they would be dead in no time.
 */
final class FaultedTable implements AutoCloseable {
  private static final RetryPolicy FEW =
      new RetryPolicy(3, Duration.ofMillis(100), Duration.ofMillis(200));
  private static final int KEYS = 5;

  private final Layout layout;
  private final Function<String, Event.Builder> event;
  private final String topic;
  private final RecordedPublisher publisher;
  private final PostgresDatabase database = PostgresServer.shared().createDatabase();
  private final Ledger ledger = Ledger.create();
  private final Outbox outbox;
  private final OutboxAdmin admin;
  private final Relay relay;
  private long position;

  FaultedTable(Layout layout, Map<String, String> client) {
    this.layout = layout.withRetryPolicy(FEW);
    this.event = events(layout.name());
    this.topic = layout.name() + "-" + UUID.randomUUID();
    this.publisher = RecordedPublisher.impatient(client);
    OutboxMigration.migrate(database.dataSource(), this.layout);
    this.outbox = Outbox.builder(this.layout).build();
    this.admin = OutboxAdmin.of(database.dataSource(), this.layout);
    this.relay =
        Relay.builder(database.dataSource(), publisher)
            .layout(this.layout)
            .router(Router.fixed(topic))
            .build();
  }

  private static Function<String, Event.Builder> events(String layout) {
    return switch (layout) {
      case "modkit" -> key -> Event.builder("happened").tenant(UUID.fromString(key));
      case "logistik" -> key -> Event.builder("happened").aggregate("t", UUID.fromString(key));
      default -> key -> Event.builder("happened").key(key);
    };
  }

  private static UUID uuid(String key) {
    return UUID.nameUUIDFromBytes(key.getBytes(StandardCharsets.UTF_8));
  }

  String topic() {
    return topic;
  }

  void start() {
    relay.start();
  }

  /** Writes events of some keys, one transaction each. */
  void write(int count) throws SQLException {
    try (Connection tx = database.dataSource().getConnection()) {
      tx.setAutoCommit(false);
      for (int i = 0; i < count; i++) {
        String key = uuid("key-" + i % KEYS).toString();
        Event written = event.apply(key).json("{}").build();
        outbox.enqueue(tx, written);
        tx.commit();
        ledger.committed(written.id().toString(), key, ++position);
      }
    }
  }

  boolean isEmpty() {
    return admin.status().pending() == 0;
  }

  boolean hasWaited() {
    return publisher.hasWaited();
  }

  /** Checks that all arrived in order, and that none has used up an attempt. */
  void check(String bootstrapServers) throws SQLException {
    publisher.assertThatNoAttemptCounts();
    assertThat(admin.status().dead()).as("dead events of %s", layout.name()).isZero();
    assertThat(mostAttempts()).as("attempts of an event of %s", layout.name()).isBetween(0, 1);
    KafkaDeliveries deliveries = new KafkaDeliveries(bootstrapServers, topic, ledger);
    deliveries.finish();
    deliveries.call();
    LedgerReport report = ledger.report();
    assertThat(report.clean()).as("%s: %s", layout.name(), report).isTrue();
  }

  private int mostAttempts() throws SQLException {
    Layout settled = layout.diverted().orElse(layout);
    String column = settled.column(Role.ATTEMPTS).orElseThrow().name();
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT coalesce(max(%s), 0) FROM %s".formatted(column, settled.table().sql()))) {
      row.next();
      return row.getInt(1);
    }
  }

  @Override
  public void close() {
    relay.close();
    publisher.close();
    database.close();
  }

  @Override
  public String toString() {
    return layout.name();
  }
}
