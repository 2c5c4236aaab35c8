package dev.postcommit.check;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.Enqueued;
import dev.postcommit.Event;
import dev.postcommit.Outbox;
import dev.postcommit.RetryPolicy;
import dev.postcommit.fixture.RestrictedUsers;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Role;
import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Message;
import dev.postcommit.relay.Publisher;
import dev.postcommit.relay.Relay;
import dev.postcommit.store.DeadFilter;
import dev.postcommit.store.Decision;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.store.OutboxAdmin.DeadSummary;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** All that writers, relays and operators do, each as a user with the privileges for it alone. */
final class RestrictedWork {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Decision DECISION = new Decision("ada", "a test");

  private final RestrictedUsers users;
  private final Layout layout;
  private final Broker broker = new Broker();
  private final OutboxAdmin operator;
  private final OutboxAdmin relayed;

  /** Refuses what begins with "bad", fails once with "late", and has no topic for "lost". */
  private static final class Broker implements Publisher {
    private final Set<String> failed = ConcurrentHashMap.newKeySet();
    private volatile boolean whole;

    @Override
    public CompletionStage<Delivery> send(Message message) {
      return CompletableFuture.completedFuture(answer(new String(message.body(), UTF_8)));
    }

    private Delivery answer(String payload) {
      if (whole) {
        return Delivery.DELIVERED;
      }
      if (payload.contains("bad")) {
        return new Delivery.Rejected("it is bad", null);
      }
      if (payload.contains("lost")) {
        return new Delivery.TopicUnavailable("the topic is not there", null);
      }
      return payload.contains("late") && failed.add(payload)
          ? new Delivery.Retryable("not now", null)
          : Delivery.DELIVERED;
    }

    @Override
    public Optional<String> problem() {
      return Optional.empty();
    }

    @Override
    public Duration deliveryTimeout() {
      return Duration.ofSeconds(1);
    }
  }

  RestrictedWork(RestrictedUsers users) {
    this.users = users;
    this.layout =
        users
            .layout()
            .withRetryPolicy(new RetryPolicy(3, Duration.ofMillis(1), Duration.ofMillis(1)));
    this.operator = OutboxAdmin.of(users.login(users.operator()), layout);
    this.relayed = OutboxAdmin.of(users.login(users.relay()), layout);
  }

  void doAll() throws SQLException {
    for (String what : List.of("good", "late", "lost", "bad1", "bad2")) {
      write(what);
    }
    if (layout.isLog()) {
      // As after a restore into another cluster.
      users.execute("UPDATE postcommit_log_cursor SET system = 0");
    }
    try (Relay relay = relay()) {
      relay.start();
      await().atMost(PATIENCE).until(() -> operator.status().dead() == 2);
      await().atMost(PATIENCE).until(() -> operator.status().pending() == 1);
      await().atMost(PATIENCE).until(() -> operator.topics().orElseThrow().size() == 1);
      assertThat(operator.relays().orElseThrow()).hasSize(1);
      relayed.gauges();
      pause(relay);
      giveUp();
      decide();
      await().atMost(PATIENCE).until(() -> operator.status().pending() == 0);
      await().atMost(PATIENCE).until(() -> operator.topics().orElseThrow().isEmpty());
    }
    prune();
  }

  private Relay relay() {
    return Relay.builder(users.login(users.relay()), broker)
        .layout(layout)
        .router(event -> new String(event.payload(), UTF_8).contains("lost") ? "missing" : "there")
        .pollInterval(Duration.ofMillis(20))
        .build();
  }

  private void write(String what) throws SQLException {
    try (Connection tx = users.login(users.writer()).getConnection()) {
      tx.setAutoCommit(false);
      if (layout.isPreset()) {
        write(tx, what);
      } else {
        try (Statement statement = tx.createStatement()) {
          statement.execute(
              "INSERT INTO legacy.domain_events (kind, entity, body) VALUES ('happened', '%1$s', '\"%1$s\"')"
                  .formatted(what));
        }
      }
      tx.commit();
    }
  }

  private void write(Connection tx, String what) {
    Outbox outbox = Outbox.builder(layout).build();
    Event.Builder event = users.sample().event().apply(what).json("\"" + what + "\"");
    if (layout.keepsHeaders()) {
      event.header("of", "a test");
    }
    if (what.equals("late") && layout.column(Role.DUE_AT).isPresent()) {
      event.availableAt(Instant.now().plusMillis(50));
    }
    if (layout.column(Role.DEDUPE_KEY).isEmpty()) {
      outbox.enqueueAll(tx, List.of(event.build()));
      return;
    }
    UUID tenant = event.build().tenant();
    event.dedupeKey(tenant == null ? what : tenant + "/" + what);
    assertThat(outbox.enqueueAll(tx, List.of(event.build())))
        .hasOnlyElementsOfType(Enqueued.Written.class);
    assertThat(outbox.enqueue(tx, event.id(UUID.randomUUID()).build()))
        .isInstanceOf(Enqueued.AlreadyEnqueued.class);
  }

  private void pause(Relay relay) {
    operator.pause(DECISION);
    await().atMost(PATIENCE).until(() -> relay.state() == Relay.State.PAUSED);
    assertThat(operator.paused()).isPresent();
    operator.resume(DECISION);
    await().atMost(PATIENCE).until(() -> relay.state() == Relay.State.RUNNING);
  }

  private void giveUp() {
    String topic = operator.topics().orElseThrow().get(0).topic();
    assertThat(operator.giveUp(topic, DECISION)).isTrue();
    await().atMost(PATIENCE).until(() -> operator.status().dead() == 3);
  }

  private void decide() {
    broker.whole = true;
    List<DeadSummary> dead = operator.dead(DeadFilter.all(), 10);
    assertThat(dead).hasSize(3);
    String first = dead.get(0).id();
    assertThat(operator.dead(first)).isPresent();
    assertThat(operator.countDead(DeadFilter.all())).isEqualTo(3);
    assertThat(operator.discard(DeadFilter.ids(List.of(first)), DECISION)).isEqualTo(1);
    assertThat(operator.replay(DeadFilter.all(), DECISION)).isEqualTo(2);
    assertThat(operator.audit(10)).hasSize(3);
  }

  private void prune() throws SQLException {
    pruneBy(relayed);
    write("good too");
    try (Relay relay = relay()) {
      relay.start();
      await().atMost(PATIENCE).until(() -> operator.status().pending() == 0);
    }
    pruneBy(operator);
  }

  private void pruneBy(OutboxAdmin admin) {
    await()
        .atMost(PATIENCE)
        .until(() -> admin.prune(Duration.ofMillis(1), 2) > 0 == layout.keepsDelivered());
  }
}
