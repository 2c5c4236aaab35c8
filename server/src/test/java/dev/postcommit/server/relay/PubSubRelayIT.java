package dev.postcommit.server.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.DomainEvent;
import dev.postcommit.DomainEvents;
import dev.postcommit.Outbox;
import dev.postcommit.layout.Layout;
import dev.postcommit.pubsub.PubSubConnection;
import dev.postcommit.relay.Message;
import dev.postcommit.server.Main;
import dev.postcommit.server.OutboxFixture;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.store.OutboxAdmin.Status;
import dev.postcommit.testkit.process.ChildProcess;
import dev.postcommit.testkit.process.Processes;
import dev.postcommit.testkit.pubsub.PubSubProxy;
import dev.postcommit.testkit.pubsub.PubSubReader;
import dev.postcommit.testkit.pubsub.PubSubServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A relay process that delivers to Pub/Sub. */
class PubSubRelayIT {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Layout LAYOUT = Layout.preset("packfinderz");
  private static final String TOPIC = "pf-domain-events";
  private static final UUID ORDER = UUID.fromString("0197a1b2-0000-7000-8000-00000000000a");

  private final PubSubServer pubsub = PubSubServer.shared();
  private final PubSubProxy proxy = PubSubProxy.before(pubsub);
  private final Processes processes = Processes.create();
  private final OutboxFixture fixture = new OutboxFixture();

  @AfterEach
  void close() {
    processes.close();
    fixture.close();
    proxy.close();
  }

  private ChildProcess relay(String... arguments) {
    return relay(Map.of(), arguments);
  }

  private ChildProcess relay(Map<String, String> environment, String... arguments) {
    Processes.Builder relay = processes.java(Main.class).arguments("relay").arguments(arguments);
    fixture.environment().forEach(relay::environment);
    environment.forEach(relay::environment);
    return relay
        .environment("POSTCOMMIT_LAYOUT", "packfinderz")
        .environment("POSTCOMMIT_BROKER", "pubsub")
        .environment("POSTCOMMIT_PUBSUB_PROJECT", pubsub.project())
        .environment(PubSubConnection.EMULATOR_HOST, proxy.emulatorHost())
        .start();
  }

  private String emit() throws SQLException {
    DomainEvent event =
        DomainEvent.builder("order_created")
            .aggregate("vendor_order", ORDER)
            .data("{\"total_cents\": 1250}")
            .build();
    try (Connection tx = fixture.database().dataSource().getConnection()) {
      tx.setAutoCommit(false);
      String id = DomainEvents.on(Outbox.builder(LAYOUT).build()).emit(tx, event).id().toString();
      tx.commit();
      tx.setAutoCommit(true);
      return id;
    }
  }

  private Status status() {
    return OutboxAdmin.of(fixture.database().dataSource(), LAYOUT).status();
  }

  private static void awaitOutput(ChildProcess relay, String text) {
    await().atMost(PATIENCE).until(() -> relay.output().contains(text));
  }

  @Test
  @DisplayName(
      "R23, R27, R28: PackFinderz' events wait for server and topic, and arrive as they are stored")
  void aRelayWaitsForServerAndTopicAndThenDelivers() throws SQLException {
    assertThat(fixture.terminal().run("migrate", "--layout", "packfinderz")).isZero();
    String id = emit();
    proxy.stop();
    ChildProcess relay = relay("--route", "fixed:" + TOPIC);

    awaitOutput(relay, "broker unavailable, waiting for it: Pub/Sub at " + proxy.emulatorHost());
    proxy.restart();
    awaitOutput(relay, "topic " + pubsub.topicName(TOPIC) + " does not exist; create it");
    assertThat(status().pending()).isEqualTo(1);
    assertThat(status().dead()).isZero();

    // Nobody is to publish before the subscription is there.
    proxy.stop();
    pubsub.createTopic(TOPIC);
    pubsub.createSubscription("compliance", TOPIC);
    proxy.restart();
    List<Message> messages = PubSubReader.read(pubsub, "compliance", 1);
    await().atMost(PATIENCE).until(() -> status().pending() == 0);
    relay.terminate();

    assertThat(relay.awaitExit(PATIENCE)).as(relay.output()).isZero();
    assertThat(relay.output())
        .contains("to Pub/Sub at " + proxy.emulatorHost() + ", project " + pubsub.project())
        .contains("layout packfinderz", "route fixed:pf-domain-events", "stopping");
    assertThat(messages).hasSize(1);
    assertAsStored(messages.get(0), id);
  }

  private void assertAsStored(Message message, String id) throws SQLException {
    assertThat(message.key()).isEqualTo(ORDER.toString());
    assertThat(message.headers())
        .containsOnlyKeys("event_id", "event_type", "aggregate_type", "aggregate_id", "created_at")
        .containsEntry("event_id", id)
        .containsEntry("event_type", "order_created")
        .containsEntry("aggregate_type", "vendor_order")
        .containsEntry("aggregate_id", ORDER.toString());
    try (Connection connection = fixture.database().dataSource().getConnection();
        ResultSet row =
            connection
                .createStatement()
                .executeQuery("SELECT payload_json::text, created_at FROM outbox_events")) {
      assertThat(row.next()).isTrue();
      assertThat(message.body()).isEqualTo(row.getString(1).getBytes(UTF_8));
      assertThat(OffsetDateTime.parse(message.headers().get("created_at")).toInstant())
          .isEqualTo(row.getObject(2, OffsetDateTime.class).toInstant());
    }
  }

  @Test
  @DisplayName("R47, R36: a relay of PackFinderz takes its settings by PackFinderz' names")
  void packFinderzNamesAreHonoured() throws SQLException {
    assertThat(fixture.terminal().run("migrate", "--layout", "packfinderz")).isZero();
    pubsub.createTopic("pf-named-events");
    pubsub.createSubscription("named", "pf-named-events");
    String id = emit();
    ChildProcess relay =
        relay(
            Map.of(
                "PACKFINDERZ_OUTBOX_PUBLISH_BATCH_SIZE", "20",
                "PACKFINDERZ_OUTBOX_MAX_ATTEMPTS", "10",
                "PACKFINDERZ_PUBSUB_DOMAIN_TOPIC", "pf-named-events",
                "PACKFINDERZ_PUBSUB_DOMAIN_SUBSCRIPTION", "named",
                "PACKFINDERZ_EVENTING_IDEMPOTENCY_TTL", "720h",
                "PACKFINDERZ_OUTBOX_IDEMPOTENCY_TTL_HOURS", "168"));

    assertThat(PubSubReader.read(pubsub, "named", 1))
        .extracting(message -> message.headers().get("event_id"))
        .containsExactly(id);
    await().atMost(PATIENCE).until(() -> status().pending() == 0);
    relay.terminate();
    assertThat(relay.awaitExit(PATIENCE)).as(relay.output()).isZero();
    assertThat(relay.output())
        .contains("route fixed:pf-named-events, batch-size 20, ")
        .contains("poll-interval 500ms, ")
        .contains("max-attempts 10, ");

    ChildProcess mistaken = relay(Map.of("PACKFINDERZ_OUTBOX_PUBLISH_POLL_MS", "soon"));
    assertThat(mistaken.awaitExit(PATIENCE)).isEqualTo(2);
    assertThat(mistaken.output())
        .hasLineCount(1)
        .contains("PACKFINDERZ_OUTBOX_PUBLISH_POLL_MS: 'soon' is not a whole number from 250");
  }

  @Test
  @DisplayName("R27: a topic per event type")
  void aTopicPerType() throws SQLException {
    assertThat(fixture.terminal().run("migrate", "--layout", "packfinderz")).isZero();
    pubsub.createTopic("order_created");
    pubsub.createSubscription("orders", "order_created");
    String id = emit();
    ChildProcess relay = relay("--route", "type");

    assertThat(PubSubReader.read(pubsub, "orders", 1))
        .extracting(message -> message.headers().get("event_id"))
        .containsExactly(id);
    await().atMost(PATIENCE).until(() -> status().pending() == 0);
    relay.terminate();
    assertThat(relay.awaitExit(PATIENCE)).as(relay.output()).isZero();
  }
}
