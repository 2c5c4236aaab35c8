package dev.postcommit.server.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.Actor;
import dev.postcommit.DomainEvent;
import dev.postcommit.DomainEvents;
import dev.postcommit.Outbox;
import dev.postcommit.RetryPolicy;
import dev.postcommit.cloudevents.CloudEventsEnvelope;
import dev.postcommit.envelope.Envelope;
import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Layout;
import dev.postcommit.registry.EventRegistry;
import dev.postcommit.registry.PayloadForm;
import dev.postcommit.registry.RegisteredEvent;
import dev.postcommit.relay.Message;
import dev.postcommit.relay.Publisher;
import dev.postcommit.relay.Relay;
import dev.postcommit.relay.Router;
import dev.postcommit.store.StoredEvent;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code docs/messages.md} and {@code docs/registry.md} show, done. */
class MessagesPageIT {
  private static final Path PAGE = Path.of("..", "docs", "messages.md");
  private static final Path REGISTRY = Path.of("..", "docs", "registry.md");
  private static final String ID = "0197a1b2-0000-7000-8000-000000000001";

  private final List<Message> sent = new CopyOnWriteArrayList<>();
  private final Publisher publisher = Publisher.callback(Duration.ofSeconds(5), sent::add);

  /** The content of an event of the page. */
  record LicenseStatusChanged(String status) {}

  private static String shown(Path page, String kind, String name) throws IOException {
    Matcher matcher =
        Pattern.compile("<!-- " + kind + ": " + name + " -->\\n```json\\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(page));
    assertThat(matcher.find()).as("%s %s", kind, name).isTrue();
    return matcher.group(1).strip();
  }

  private static StoredEvent event(String payload) {
    return new StoredEvent(
        ID,
        "default",
        "order.placed",
        null,
        "order-42/placed",
        "order.placed",
        "order",
        "42",
        "42",
        1,
        Map.of("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"),
        payload.getBytes(UTF_8),
        Instant.parse("2026-03-04T05:06:07Z"),
        1,
        null);
  }

  private static String stripped(String json) {
    return json.replaceAll("\\s+", "");
  }

  private static void assertShown(String name, Envelope envelope, String payload)
      throws IOException {
    String body = new String(envelope.wrap(event(payload), "orders").body(), UTF_8);
    assertThat(stripped(body)).isEqualTo(stripped(shown(PAGE, "body", name)));
  }

  @Test
  void theBodiesOfThePageAreThoseOfTheEnvelopes() throws IOException {
    String payload = "{\"total\": 10.00}";
    assertShown("message-id", Envelope.messageId(), payload);
    assertShown("built", Envelope.built("order-service"), payload);
    assertShown(
        "cloudevents-structured", CloudEventsEnvelope.structured(URI.create("/orders")), payload);
    assertShown("stored", Envelope.stored(), shown(PAGE, "body", "stored"));
  }

  @Test
  void theRelaysOfThePageAreAccepted() {
    try (PostgresDatabase database = PostgresServer.shared().createDatabase()) {
      DataSource dataSource = database.dataSource();
      assertThat(chosen(dataSource).state()).isEqualTo(Relay.State.NEW);
      assertThat(cloudEvents(dataSource).state()).isEqualTo(Relay.State.NEW);
    }
  }

  private Relay chosen(DataSource dataSource) {
    Relay relay =
        Relay.builder(dataSource, publisher)
            .layout(Layout.preset("polyshop"))
            .envelope(Envelope.built("order-service"))
            .router(Router.type())
            .build();
    return relay;
  }

  private Relay cloudEvents(DataSource dataSource) {
    Relay relay =
        Relay.builder(dataSource, publisher)
            .envelope(CloudEventsEnvelope.structured(URI.create("/orders")))
            .build();
    return relay;
  }

  @Test
  void theEventOfThePagePassesItsRegistry(@TempDir Path directory)
      throws SQLException, IOException {
    try (PostgresDatabase database = PostgresServer.shared().createDatabase()) {
      DataSource dataSource = database.dataSource();
      OutboxMigration.migrate(dataSource, Layout.preset("packfinderz"));
      try (Connection tx = dataSource.getConnection()) {
        tx.setAutoCommit(false);
        emit(tx, UUID.randomUUID(), UUID.randomUUID(), UUID.randomUUID());
        tx.commit();
      }
      try (Relay relay = registered(dataSource).build()) {
        relay.start();
        await().until(() -> !sent.isEmpty());
      }
    }
    assertThat(sent).extracting(Message::topic).containsExactly("notification");

    Path file =
        Files.writeString(directory.resolve("events.json"), shown(REGISTRY, "file", "registry"));
    EventRegistry loaded = EventRegistry.load(file);
    assertThat(loaded.payloads()).isEqualTo(PayloadForm.STORED_ENVELOPE);
    assertThat(loaded.retryPolicies())
        .isEqualTo(
            Map.of(
                "license_status_changed",
                new RetryPolicy(3, Duration.ofSeconds(1), Duration.ofMinutes(1))));
    assertThat(loaded.violation(received(sent.get(0)))).isEmpty();
  }

  private static void emit(Connection tx, UUID licenseId, UUID userId, UUID storeId) {
    DomainEvents events = DomainEvents.on(Outbox.builder(Layout.preset("packfinderz")).build());
    events.emit(
        tx,
        DomainEvent.builder("license_status_changed")
            .aggregate("license", licenseId)
            .actor(new Actor(userId, storeId, "admin"))
            .data("{\"status\": \"verified\"}")
            .build());
  }

  private Relay.Builder registered(DataSource dataSource) {
    EventRegistry registry =
        EventRegistry.builder()
            .payloads(PayloadForm.STORED_ENVELOPE)
            .event(
                RegisteredEvent.builder("license_status_changed")
                    .topic("notification")
                    .aggregateType("license")
                    .payload(LicenseStatusChanged.class)
                    .retry(new RetryPolicy(3, Duration.ofSeconds(1), Duration.ofMinutes(1)))
                    .build())
            .build();
    Relay.Builder builder =
        Relay.builder(dataSource, publisher)
            .layout(Layout.preset("packfinderz"))
            .envelope(Envelope.stored())
            .check(registry)
            .router(registry);
    registry.retryPolicies().forEach(builder::retryPolicy);
    return builder;
  }

  /** The event that a message was made of. */
  private static StoredEvent received(Message message) {
    Map<String, String> headers = message.headers();
    return new StoredEvent(
        headers.get("event_id"),
        "default",
        message.topic(),
        null,
        null,
        headers.get("event_type"),
        headers.get("aggregate_type"),
        headers.get("aggregate_id"),
        message.key(),
        1,
        Map.of(),
        message.body(),
        Instant.parse(headers.get("created_at")),
        1,
        null);
  }
}
