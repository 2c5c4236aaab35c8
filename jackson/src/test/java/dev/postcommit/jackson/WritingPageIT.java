package dev.postcommit.jackson;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.AggregateId;
import dev.postcommit.AggregateType;
import dev.postcommit.Event;
import dev.postcommit.EventType;
import dev.postcommit.Outbox;
import dev.postcommit.cloudevents.CloudEventsEnvelope;
import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Layout;
import dev.postcommit.registry.EventRegistry;
import dev.postcommit.registry.RegisteredEvent;
import dev.postcommit.relay.Message;
import dev.postcommit.relay.Publisher;
import dev.postcommit.relay.Relay;
import dev.postcommit.store.DeadFilter;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** What {@code docs/writing.md} shows of objects, done, up to the message. */
class WritingPageIT {
  private final List<Message> sent = new CopyOnWriteArrayList<>();
  private final Publisher publisher = Publisher.callback(Duration.ofSeconds(5), sent::add);

  @EventType("order.placed")
  @AggregateType("order")
  record OrderPlaced(@AggregateId String orderId, int total) {}

  private static void enqueue(Connection tx) {
    Outbox outbox =
        Outbox.builder(Layout.nativeTable()).payloadSerializer(JacksonPayloads.create()).build();
    outbox.enqueue(tx, Event.of(new OrderPlaced("42", 100)));
    outbox.enqueue(
        tx, Event.builder().header("channel", "web").payload(new OrderPlaced("43", -1)).build());
  }

  @Test
  void registryAndEnvelopeSeeTheJsonOfObjects() throws SQLException {
    EventRegistry registry =
        EventRegistry.builder()
            .event(
                RegisteredEvent.builder("order.placed")
                    .topic("orders")
                    .aggregateType("order")
                    .schema("{\"properties\": {\"total\": {\"minimum\": 0}}}")
                    .build())
            .build();
    try (PostgresDatabase database = PostgresServer.shared().createDatabase()) {
      DataSource dataSource = database.dataSource();
      OutboxMigration.migrate(dataSource, Layout.nativeTable());
      try (Connection tx = dataSource.getConnection()) {
        tx.setAutoCommit(false);
        enqueue(tx);
        tx.commit();
      }
      OutboxAdmin admin = OutboxAdmin.of(dataSource, Layout.nativeTable());
      try (Relay relay =
          Relay.builder(dataSource, publisher)
              .envelope(CloudEventsEnvelope.structured(URI.create("/orders")))
              .check(registry)
              .router(registry)
              .build()) {
        relay.start();
        await().until(() -> !sent.isEmpty() && admin.countDead(DeadFilter.all()) == 1);
      }
    }
    assertThat(sent).hasSize(1);
    assertThat(sent.get(0).key()).isEqualTo("42");
    assertThat(new String(sent.get(0).body(), UTF_8))
        .contains("\"subject\":\"42\"", "\"data\":{\"orderId\":\"42\",\"total\":100}");
  }
}
