package dev.postcommit.server.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.Event;
import dev.postcommit.Outbox;
import dev.postcommit.layout.Layout;
import dev.postcommit.relay.Message;
import dev.postcommit.relay.Publisher;
import dev.postcommit.relay.Relay;
import dev.postcommit.server.Main;
import dev.postcommit.server.OutboxFixture;
import dev.postcommit.server.settings.Settings;
import dev.postcommit.settings.ConfiguredMessages;
import dev.postcommit.store.DeadFilter;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.store.OutboxAdmin.DeadSummary;
import dev.postcommit.testkit.kafka.KafkaReader;
import dev.postcommit.testkit.kafka.KafkaServer;
import dev.postcommit.testkit.process.ChildProcess;
import dev.postcommit.testkit.process.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a relay process sends, by its settings alone. */
class RelayMessagesIT {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Layout LAYOUT = Layout.preset("polyshop");

  private final KafkaServer kafka = KafkaServer.shared();
  private final Processes processes = Processes.create();
  private final OutboxFixture fixture = new OutboxFixture();

  @BeforeEach
  void migrate() {
    assertThat(fixture.terminal().run("migrate", "--layout", "polyshop")).isZero();
  }

  @AfterEach
  void close() {
    processes.close();
    fixture.close();
  }

  private String write(Event event) throws SQLException {
    try (Connection tx = fixture.database().dataSource().getConnection()) {
      tx.setAutoCommit(false);
      Outbox.builder(LAYOUT).build().enqueue(tx, event);
      tx.commit();
      tx.setAutoCommit(true);
    }
    return event.id().toString();
  }

  /** Runs a relay until nothing is pending; returns its output. */
  private String relay(String... arguments) {
    Processes.Builder builder = processes.java(Main.class).arguments("relay").arguments(arguments);
    fixture.environment().forEach(builder::environment);
    ChildProcess relay =
        builder
            .environment("POSTCOMMIT_KAFKA_BOOTSTRAP_SERVERS", kafka.bootstrapServers())
            .environment("POSTCOMMIT_LAYOUT", "polyshop")
            .start();
    await().atMost(PATIENCE).until(() -> admin().status().pending() == 0);
    relay.terminate();
    assertThat(relay.awaitExit(PATIENCE)).as(relay.output()).isZero();
    return relay.output();
  }

  private OutboxAdmin admin() {
    return OutboxAdmin.of(fixture.database().dataSource(), LAYOUT);
  }

  @Test
  @DisplayName("R26, R32: PolyShop's topic, key and envelope, by settings alone")
  void aRelaySendsPolyShopsEnvelopeBySettingsAlone() throws SQLException {
    String topic = "order.order.placed.v1";
    kafka.createTopic(topic, 3);
    String id =
        write(
            Event.builder(topic)
                .aggregateId("order-7")
                .header("traceId", "t-1")
                .json("{\"total\": 10.00}")
                .build());

    String output = relay("--source", "order-service");

    assertThat(output)
        .contains("layout polyshop", "envelope built, source order-service, route type, ");
    List<Message> messages = KafkaReader.read(kafka.bootstrapServers(), topic, 1);
    assertThat(messages).hasSize(1);
    Message message = messages.get(0);
    assertThat(message.key()).isEqualTo("order-7");
    assertThat(message.headers()).containsEntry("event_id", id).containsEntry("traceId", "t-1");
    assertThat(new String(message.body(), UTF_8))
        .startsWith("{\"eventId\":\"" + id + "\",\"timestamp\":\"")
        .endsWith(
            "\",\"eventType\":\"order.order.placed.v1\",\"version\":1,\"source\":\"order-service\","
                + "\"data\":{\"total\": 10.00},\"metadata\":{\"traceId\":\"t-1\",\"correlationId\":\""
                + id
                + "\"}}");
  }

  @Test
  @DisplayName("R34, R35: a registry file says after how many attempts events of a type are dead")
  void aTypeIsGivenUpAfterItsOwnAttempts(@TempDir Path directory) throws SQLException, IOException {
    Path file =
        Files.writeString(
            directory.resolve("events.json"),
            """
            {
              "events": [
                {
                  "type": "fragile",
                  "topic": "t",
                  "schema": {},
                  "retry": {"maxAttempts": 2, "baseDelay": "1ms", "maxDelay": "1ms"}
                }
              ]
            }
            """);
    write(Event.builder("fragile").aggregateId("order-7").json("{}").build());
    Settings settings =
        Settings.read(
            Map.of("envelope", "raw", "registry-file", file.toString()),
            null,
            Map.of(),
            Path.of("no such directory"));
    Publisher broken =
        Publisher.callback(
            Duration.ofSeconds(5),
            message -> {
              throw new IllegalStateException("not today");
            });

    Relay.Builder builder =
        Relay.builder(fixture.database().dataSource(), broken)
            .layout(LAYOUT)
            .pollInterval(Duration.ofMillis(10));
    try (Relay relay = ConfiguredMessages.of(settings, LAYOUT).apply(builder).build()) {
      relay.start();
      await().atMost(PATIENCE).until(() -> admin().status().dead() == 1);
    }

    assertThat(admin().dead(DeadFilter.all(), 10))
        .extracting(DeadSummary::error)
        .singleElement()
        .asString()
        .startsWith("gave up after 2 attempts: ");
  }

  @Test
  @DisplayName("R45: a registry file lets only known events pass, and says where they go")
  void aRegistryFileRejectsAnUnknownType(@TempDir Path directory) throws SQLException, IOException {
    String topic = "paid-orders";
    kafka.createTopic(topic, 1);
    Path file =
        Files.writeString(
            directory.resolve("events.json"),
            """
            {
              "events": [
                {
                  "type": "order.order.paid.v1",
                  "topic": "paid-orders",
                  "schema": {"required": ["orderId"]},
                  "retry": {"maxAttempts": 3, "baseDelay": "1s", "maxDelay": "1m"}
                }
              ]
            }
            """);
    Event.Builder paid = Event.builder("order.order.paid.v1").aggregateId("order-7");
    String unknown =
        write(Event.builder("order.order.lost.v1").aggregateId("order-7").json("{}").build());
    String good = write(paid.json("{\"orderId\":\"order-7\"}").build());

    String output =
        relay("--envelope", "raw", "--route", "registry", "--registry-file", file.toString());

    assertThat(output)
        .contains("envelope raw, route registry, registry-file " + file + ", ")
        .contains("dead event: event_id=" + unknown);
    assertThat(KafkaReader.read(kafka.bootstrapServers(), topic, 1))
        .extracting(message -> message.headers().get("event_id"))
        .containsExactly(good);
    assertThat(admin().dead(DeadFilter.all(), 10))
        .extracting(DeadSummary::error)
        .containsExactly(
            "event type order.order.lost.v1 is not in the registry; register it and replay");
  }
}
