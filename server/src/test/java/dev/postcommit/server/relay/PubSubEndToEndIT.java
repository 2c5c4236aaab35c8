package dev.postcommit.server.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.Event;
import dev.postcommit.Outbox;
import dev.postcommit.RetryPolicy;
import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.consumer.inbox.Inbox;
import dev.postcommit.consumer.inbox.JdbcIdempotencyStore;
import dev.postcommit.consumer.message.ReceivedEvent;
import dev.postcommit.flyway.InboxMigration;
import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.TableName;
import dev.postcommit.pubsub.PubSubConnection;
import dev.postcommit.pubsub.PubSubPublisher;
import dev.postcommit.pubsub.consumer.PubSubEventConsumer;
import dev.postcommit.relay.Publisher;
import dev.postcommit.relay.Relay;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.testkit.ledger.Ledger;
import dev.postcommit.testkit.ledger.LedgerReport;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import dev.postcommit.testkit.pubsub.PubSubProxy;
import dev.postcommit.testkit.pubsub.PubSubServer;
import io.grpc.Status;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** From a transaction to an effect, by way of a Pub/Sub that has a bad day. */
class PubSubEndToEndIT {
  private static final String TOPIC = "orders";
  private static final String SUBSCRIPTION = "stock";
  private static final int EVENTS = 50_000;
  private static final int KEYS = 1_000;
  private static final int TRANSACTION = 500;
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration OUTAGE = Duration.ofSeconds(3);
  private static final Layout LAYOUT =
      Layout.nativeTable()
          .withRetryPolicy(new RetryPolicy(100, Duration.ofMillis(200), Duration.ofSeconds(1)));

  private final PostgresDatabase database = PostgresServer.shared().createDatabase();
  private final DataSource dataSource = database.dataSource();
  // The emulator sees no stream end, and keeps what it sent there before the outage.
  private final PubSubServer pubsub = PubSubServer.startHere();
  private final PubSubProxy proxy = PubSubProxy.before(pubsub);
  private final PubSubConnection connection =
      PubSubConnection.of(pubsub.project()).emulator(proxy.emulatorHost());
  private final Ledger ledger = Ledger.create();
  private final AtomicInteger handled = new AtomicInteger();

  @AfterEach
  void close() {
    proxy.close();
    pubsub.close();
    database.close();
  }

  @Test
  @DisplayName(
      "R16, R22, R36, R44: each of 50,000 events has its effect once and in order, though some keys"
          + " fail for a while and the server is away for a while")
  void everyEventHasItsEffectOnceAndInOrder() throws SQLException {
    prepare();
    Set<String> broken = Set.of("key-1", "key-2");
    Set<String> unavailable = Set.of("key-3", "key-4");
    PubSubProxy.Fault first = fail(broken, Status.INTERNAL);
    PubSubProxy.Fault second = fail(unavailable, Status.UNAVAILABLE);
    try (Publisher publisher =
            PubSubPublisher.builder(connection)
                .topics(TOPIC)
                .deliveryTimeout(Duration.ofSeconds(10))
                .build();
        Relay relay = Relay.builder(dataSource, publisher).layout(LAYOUT).batchSize(4_000).build();
        PubSubEventConsumer consumer = consumer()) {
      write();
      long begin = System.nanoTime();
      consumer.start();
      relay.start();

      // Keys that fail hold back no other.
      await().atMost(PATIENCE).until(() -> handled.get() > EVENTS / 5);
      assertThat(first.count()).isPositive();
      assertThat(second.count()).isPositive();
      assertThat(effects("key IN ('key-1', 'key-2', 'key-3', 'key-4')")).isZero();
      first.end();
      second.end();

      proxy.stop();
      await().pollDelay(OUTAGE).until(() -> true);
      proxy.restart();

      await().atMost(PATIENCE).until(() -> effects("true") >= EVENTS);
      double seconds = (System.nanoTime() - begin) / 1e9;
      System.out.printf(
          "%d events in %.1f s, an outage of %d s included: %.0f/s%n",
          EVENTS, seconds, OUTAGE.toSeconds(), EVENTS / seconds);
      await().atMost(PATIENCE).until(() -> admin().status().pending() == 0);
    }
    tellOfEffects();
    LedgerReport report = ledger.report();
    assertThat(report.clean()).as(report.toString()).isTrue();
    assertThat(report.committed()).isEqualTo(EVENTS);
    assertThat(report.duplicates()).as("effects that happened twice").isZero();
    assertThat(admin().status().dead()).isZero();
  }

  private PubSubProxy.Fault fail(Set<String> keys, Status status) {
    return proxy.fail(request -> keys.contains(request.getMessages(0).getOrderingKey()), status);
  }

  private OutboxAdmin admin() {
    return OutboxAdmin.of(dataSource, LAYOUT);
  }

  private void prepare() throws SQLException {
    pubsub.createTopic(TOPIC);
    pubsub.createSubscription(SUBSCRIPTION, TOPIC);
    OutboxMigration.migrate(dataSource, LAYOUT);
    InboxMigration.migrate(dataSource, TableName.of("processed_events"));
    try (Connection tx = dataSource.getConnection()) {
      tx.createStatement()
          .execute(
              "CREATE TABLE effect (n bigint GENERATED ALWAYS AS IDENTITY, event text, key text)");
    }
  }

  /** One transaction in ten is rolled back. */
  private void write() throws SQLException {
    Outbox outbox = Outbox.builder(LAYOUT).build();
    int position = 0;
    try (Connection tx = dataSource.getConnection()) {
      tx.setAutoCommit(false);
      for (int i = 1; position < EVENTS; i++) {
        List<Event> events = new ArrayList<>();
        for (int j = 0; j < TRANSACTION; j++) {
          String key = "key-" + (position + j) % KEYS;
          events.add(Event.builder("order.placed").topic(TOPIC).key(key).json("{}").build());
        }
        outbox.enqueueAll(tx, events);
        if (i % 10 == 0) {
          tx.rollback();
          events.forEach(event -> ledger.rolledBack(event.id().toString()));
        } else {
          tx.commit();
          for (Event event : events) {
            ledger.committed(event.id().toString(), event.key(), position++);
          }
        }
      }
      tx.setAutoCommit(true);
    }
  }

  private PubSubEventConsumer consumer() {
    EventConsumer stock =
        EventConsumer.builder("stock")
            .inbox(Inbox.transactional(JdbcIdempotencyStore.builder(dataSource, "stock").build()))
            .on("order.placed", String.class, this::reserve)
            .build();
    return PubSubEventConsumer.builder(stock, connection)
        .subscription(SUBSCRIPTION)
        .threads(2)
        .ackDeadline(Duration.ofSeconds(10))
        .build();
  }

  private void reserve(Connection tx, ReceivedEvent<String> event) throws SQLException {
    try (PreparedStatement insert =
        tx.prepareStatement("INSERT INTO effect (event, key) VALUES (?, ?)")) {
      insert.setString(1, event.id());
      insert.setString(2, event.key());
      insert.executeUpdate();
    }
    handled.incrementAndGet();
  }

  private int effects(String condition) throws SQLException {
    try (Connection tx = dataSource.getConnection();
        ResultSet row =
            tx.createStatement().executeQuery("SELECT count(*) FROM effect WHERE " + condition)) {
      row.next();
      return row.getInt(1);
    }
  }

  private void tellOfEffects() throws SQLException {
    try (Connection tx = dataSource.getConnection();
        ResultSet rows =
            tx.createStatement().executeQuery("SELECT event, key FROM effect ORDER BY n")) {
      while (rows.next()) {
        ledger.delivered(rows.getString(1), rows.getString(2));
      }
    }
  }
}
