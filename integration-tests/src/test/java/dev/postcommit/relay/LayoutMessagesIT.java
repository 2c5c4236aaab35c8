package dev.postcommit.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.Actor;
import dev.postcommit.DomainEvent;
import dev.postcommit.DomainEvents;
import dev.postcommit.Event;
import dev.postcommit.Outbox;
import dev.postcommit.envelope.Envelope;
import dev.postcommit.fixture.ScriptedPublisher;
import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Layout;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.function.Function;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The messages that each source system wants, from the row to the broker. */
class LayoutMessagesIT {
  private static final UUID ORDER = UUID.fromString("0197a1b2-0000-7000-8000-00000000000a");
  private static final UUID USER = UUID.fromString("0197a1b2-0000-7000-8000-0000000000aa");
  private static final UUID STORE = UUID.fromString("0197a1b2-0000-7000-8000-0000000000bb");

  private final PostgresDatabase database = PostgresServer.shared().createDatabase();
  private final DataSource dataSource = database.dataSource();
  private final ScriptedPublisher publisher = new ScriptedPublisher();

  @AfterEach
  void close() {
    database.close();
  }

  /** Enqueues in a transaction and commits; returns the event's id. */
  private String written(Layout layout, Function<Connection, UUID> work) throws SQLException {
    OutboxMigration.migrate(dataSource, layout);
    return written(work);
  }

  private String written(Function<Connection, UUID> work) throws SQLException {
    try (Connection tx = dataSource.getConnection()) {
      tx.setAutoCommit(false);
      String id = work.apply(tx).toString();
      tx.commit();
      tx.setAutoCommit(true);
      return id;
    }
  }

  private void deliver(Layout layout, Envelope envelope, Router router) {
    OutboxAdmin admin = OutboxAdmin.of(dataSource, layout);
    try (Relay relay =
        Relay.builder(dataSource, publisher)
            .layout(layout)
            .envelope(envelope)
            .router(router)
            .pollInterval(Duration.ofMillis(10))
            .build()) {
      relay.start();
      await().until(() -> admin.status().pending() == 0);
    }
    assertThat(admin.status().dead()).isZero();
  }

  private String text(String expression, String id) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT %s FROM outbox_events WHERE id = '%s'".formatted(expression, id))) {
      assertThat(row.next()).isTrue();
      return row.getString(1);
    }
  }

  private static String body(Message message) {
    return new String(message.body(), UTF_8);
  }

  @Test
  @DisplayName("R3, R23, R31: PackFinderz' envelope is written with the row and sent as stored")
  void packFinderz() throws SQLException {
    Layout layout = Layout.preset("packfinderz");
    DomainEvents events = DomainEvents.on(Outbox.builder(layout).build());
    DomainEvent created =
        DomainEvent.builder("order_created")
            .aggregate("vendor_order", ORDER)
            .actor(new Actor(USER, STORE, "buyer"))
            .data("{\"total_cents\": 1250}")
            .occurredAt(Instant.parse("2026-03-04T05:06:07.5Z"))
            .build();
    String id = written(layout, tx -> events.emit(tx, created).id());
    DomainEvent expired =
        DomainEvent.builder("order_expired").aggregate("vendor_order", ORDER).data("{}").build();
    String withoutActor = written(tx -> events.emit(tx, expired).id());

    String columns = "event_type || ' ' || aggregate_type || ' ' || aggregate_id";
    assertThat(text(columns, id)).isEqualTo("order_created vendor_order " + ORDER);
    assertThat(text("(SELECT string_agg(k, ',') FROM jsonb_object_keys(payload_json) k)", id))
        .isEqualTo("data,actor,eventId,version,occurredAt");
    assertThat(
            text(
                "(SELECT string_agg(k, ',') FROM jsonb_object_keys(payload_json) k)", withoutActor))
        .isEqualTo("data,eventId,version,occurredAt");
    assertThat(text("payload_json ->> 'eventId'", id)).isEqualTo(id);
    assertThat(text("payload_json ->> 'occurredAt'", id)).isEqualTo("2026-03-04T05:06:07.500Z");
    assertThat(text("payload_json -> 'actor'", id))
        .contains("\"userId\": \"" + USER, "\"storeId\": \"" + STORE, "\"role\": \"buyer\"");

    deliver(layout, Envelope.stored(), Router.fixed("pf-domain-events"));

    assertThat(publisher.accepted()).containsExactly(id, withoutActor);
    for (Message message : publisher.messages()) {
      assertThat(message.topic()).isEqualTo("pf-domain-events");
      assertThat(message.key()).isEqualTo(ORDER.toString());
      assertThat(body(message))
          .isEqualTo(text("payload_json::text", ScriptedPublisher.id(message)));
    }
    assertThat(publisher.messages().get(0).headers())
        .containsOnlyKeys("event_id", "event_type", "aggregate_type", "aggregate_id", "created_at")
        .containsEntry("event_id", id)
        .containsEntry("event_type", "order_created")
        .containsEntry("aggregate_type", "vendor_order")
        .containsEntry("aggregate_id", ORDER.toString());
    assertThat(Instant.parse(publisher.messages().get(0).headers().get("created_at")))
        .isEqualTo(Instant.parse(text("to_json(created_at) #>> '{}'", id)));
  }

  @Test
  @DisplayName("R24: Logistik's body includes the id as messageId")
  void logistik() throws SQLException {
    Layout layout = Layout.preset("logistik");
    Event event =
        Event.builder("order.created")
            .aggregate("order", ORDER)
            .json("{\"orderId\": \"" + ORDER + "\"}")
            .build();
    String id = written(layout, tx -> Outbox.builder(layout).build().enqueue(tx, event).id());

    deliver(layout, Envelope.messageId(), Router.recorded());

    assertThat(text("status", id)).isEqualTo("PUBLISHED");
    assertThat(publisher.messages()).hasSize(1);
    Message message = publisher.messages().get(0);
    assertThat(message.topic()).isEqualTo("order.created");
    assertThat(message.key()).isEqualTo(ORDER.toString());
    assertThat(body(message))
        .isEqualTo("{\"messageId\":\"%s\",\"orderId\": \"%s\"}".formatted(id, ORDER));
  }

  @Test
  @DisplayName("R26, R32: PolyShop's envelope is built with the ids of the writing request")
  void polyShop() throws SQLException {
    Layout layout = Layout.preset("polyshop");
    Event event =
        Event.builder("order.order.placed.v1")
            .aggregateId(ORDER.toString())
            .version(2)
            .header("traceId", "t-1")
            .header("correlationId", "c-1")
            .json("{\"total\": 10.00}")
            .build();
    String id = written(layout, tx -> Outbox.builder(layout).build().enqueue(tx, event).id());
    assertThat(
            text("(SELECT headers FROM outbox_events_header h WHERE h.id = outbox_events.id)", id))
        .isEqualTo("{\"traceId\": \"t-1\", \"correlationId\": \"c-1\"}");

    deliver(layout, Envelope.built("order-service"), Router.type());

    assertThat(text("processed", id)).isEqualTo("t");
    Message message = publisher.messages().get(0);
    assertThat(message.topic()).isEqualTo("order.order.placed.v1");
    assertThat(message.key()).isEqualTo(ORDER.toString());
    assertThat(message.headers()).containsEntry("traceId", "t-1").containsEntry("event_id", id);
    assertThat(body(message))
        .isEqualTo(
            "{\"eventId\":\"%s\",\"timestamp\":\"%s\",\"eventType\":\"order.order.placed.v1\","
                    .formatted(id, message.headers().get("created_at"))
                + "\"version\":2,\"source\":\"order-service\",\"data\":{\"total\": 10.00},"
                + "\"metadata\":{\"traceId\":\"t-1\",\"correlationId\":\"c-1\"}}");
  }
}
