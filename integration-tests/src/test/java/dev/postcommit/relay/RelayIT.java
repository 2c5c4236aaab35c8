package dev.postcommit.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.Event;
import dev.postcommit.envelope.Envelope;
import dev.postcommit.fixture.ScriptedPublisher;
import dev.postcommit.layout.Role;
import dev.postcommit.store.StoredEvent;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Delivery, and what goes wrong with it. */
@SuppressWarnings("try") // a relay works without being spoken to
class RelayIT extends RelayFixture {

  @Test
  @DisplayName(
      "R22, R26: a committed event reaches the broker with its topic, key, headers and bytes")
  void aCommittedEventReachesTheBroker() {
    List<Message> seen = new CopyOnWriteArrayList<>();
    publisher.answering(
        message -> {
          seen.add(message);
          return Delivery.DELIVERED;
        });
    byte[] bytes = {0, 1, -1, '{'};
    Event event =
        Event.builder("order.placed")
            .topic("orders")
            .aggregate("order", "o-1")
            .header("trace", "t-1")
            .bytes(bytes)
            .build();
    enqueue(event);

    try (Relay relay = started(relay())) {
      awaitUntil(() -> admin().status().pending() == 0);
    }

    Message message = seen.get(0);
    assertThat(message.topic()).isEqualTo("orders");
    assertThat(message.key()).isEqualTo("o-1");
    assertThat(message.body()).isEqualTo(bytes);
    assertThat(message.headers())
        .containsEntry("trace", "t-1")
        .containsEntry("event_id", event.id().toString())
        .containsEntry("event_type", "order.placed")
        .containsEntry("aggregate_type", "order")
        .containsEntry("aggregate_id", "o-1")
        .containsKey("created_at");
    assertThat(value(event.id().toString(), Role.STATUS)).isEqualTo("delivered");
  }

  @Test
  @DisplayName("R22: one bad event never fails its batch")
  void oneBadEventNeverFailsItsBatch() {
    List<String> good = enqueue("good", 5);
    String rejected = enqueue("rejected", 1).get(0);
    String throwing = enqueue("throwing", 1).get(0);
    String failing = enqueue("failing", 1).get(0);
    String unwrappable = enqueue("unwrappable", 1).get(0);
    String nowhere = enqueue("nowhere", 1).get(0);
    execute("UPDATE postcommit_outbox SET topic = ' ' WHERE key = 'nowhere'");
    publisher.completing(
        message -> {
          if (message.key().equals("throwing")) {
            throw new IllegalStateException("bug in the publisher");
          }
          if (message.key().equals("failing")) {
            return CompletableFuture.failedFuture(new IllegalStateException("bug, later"));
          }
          return CompletableFuture.completedFuture(
              message.key().equals("rejected")
                  ? new Delivery.Rejected("too large", null)
                  : Delivery.DELIVERED);
        });

    Relay.Builder builder =
        relay()
            .envelope(
                (event, topic) -> {
                  if ("unwrappable".equals(event.key())) {
                    throw new IllegalArgumentException("not an order");
                  }
                  return Envelope.raw().wrap(event, topic);
                });
    try (Relay relay = started(builder)) {
      awaitUntil(() -> admin().status().dead() == 5);
    }

    assertThat(publisher.accepted()).containsExactlyInAnyOrderElementsOf(good);
    assertThat(value(rejected, Role.ATTEMPTS)).isEqualTo("1");
    assertThat(value(rejected, Role.LAST_ERROR)).isEqualTo("too large");
    assertThat(value(throwing, Role.ATTEMPTS)).isEqualTo("3");
    assertThat(value(throwing, Role.LAST_ERROR)).contains("3 attempts", "bug in the publisher");
    assertThat(value(failing, Role.LAST_ERROR)).contains("bug, later");
    assertThat(value(unwrappable, Role.LAST_ERROR)).isEqualTo("not an order");
    assertThat(value(nowhere, Role.ATTEMPTS)).isEqualTo("1");
    assertThat(value(nowhere, Role.LAST_ERROR)).startsWith("the topic is blank; record one");
  }

  @Test
  @DisplayName("R37: while the broker is unavailable no attempt is used up, however long it lasts")
  void anOutageUsesUpNoAttempts() {
    List<String> ids = enqueue("a", 3);
    List<String> changes = new CopyOnWriteArrayList<>();
    AtomicInteger probes = new AtomicInteger();
    publisher.ready(false).answering(m -> new Delivery.Unavailable("connection refused", null));
    RelayListener listener =
        new RelayListener() {
          @Override
          public void brokerUnavailable(String reason) {
            changes.add("lost");
          }

          @Override
          public void brokerRecovered(Duration outage) {
            changes.add("regained");
          }

          @Override
          public Message sending(StoredEvent event, Message message) {
            probes.incrementAndGet();
            return message;
          }
        };

    try (Relay relay = started(relay().listener(listener))) {
      awaitUntil(() -> relay.state() == Relay.State.BROKER_UNAVAILABLE);
      assertThat(probes).hasValue(0);
      // Reachable, but it takes nothing: every pass ends unavailable, and none counts.
      publisher.ready(true);
      awaitUntil(() -> probes.get() > 4);
      assertThat(value(ids.get(0), Role.ATTEMPTS)).isEqualTo("0");
      publisher.answering(m -> Delivery.DELIVERED);
      awaitDelivered(ids);
      awaitUntil(() -> relay.state() == Relay.State.RUNNING);
    }
    assertThat(publisher.accepted()).isEqualTo(ids);
    assertThat(changes).startsWith("lost", "regained");
    assertThat(value(ids.get(0), Role.ATTEMPTS)).isEqualTo("1");
  }

  @Test
  @DisplayName("R40: a failing event holds back its key only, and the key goes on in order")
  void aFailingEventHoldsBackItsKeyOnly() {
    List<String> a = enqueue("a", 4);
    List<String> b = enqueue("b", 4);
    AtomicInteger failures = new AtomicInteger();
    publisher.answering(
        message ->
            ScriptedPublisher.id(message).equals(a.get(1)) && failures.incrementAndGet() < 3
                ? new Delivery.Retryable("not now", null)
                : Delivery.DELIVERED);

    try (Relay relay = started(relay())) {
      awaitDelivered(a);
    }

    assertThat(publisher.accepted().stream().filter(a::contains)).containsExactlyElementsOf(a);
    assertThat(publisher.accepted().stream().filter(b::contains)).containsExactlyElementsOf(b);
    assertThat(value(a.get(1), Role.ATTEMPTS)).isEqualTo("3");
    assertThat(value(a.get(2), Role.ATTEMPTS)).isEqualTo("1");
  }

  @Test
  @DisplayName("R36: event types may have retries of their own")
  void eventTypesMayHaveRetriesOfTheirOwn() {
    String once = enqueue(Event.builder("once").json("1").build()).get(0);
    String usual = enqueue(Event.builder("usual").json("1").build()).get(0);
    publisher.answering(message -> new Delivery.Retryable("no", null));

    try (Relay relay = started(relay().retryPolicy("once", QUICK.withMaxAttempts(1)))) {
      awaitUntil(() -> admin().status().dead() == 2);
    }

    assertThat(value(once, Role.ATTEMPTS)).isEqualTo("1");
    assertThat(value(usual, Role.ATTEMPTS)).isEqualTo("3");
    assertThatThrownBy(() -> relay().retryPolicy("more", QUICK.withMaxAttempts(4)).build())
        .hasMessageContaining("type more")
        .hasMessageContaining("4 attempts");
  }

  @Test
  @DisplayName("R34: a publisher that never answers costs an attempt, not the relay")
  void aPublisherThatNeverAnswersCostsAnAttempt() {
    String silent = enqueue("silent", 1).get(0);
    publisher
        .deliveryTimeout(Duration.ofMillis(1))
        .completing(
            message ->
                message.key().equals("silent")
                    ? new CompletableFuture<>()
                    : CompletableFuture.completedFuture(Delivery.DELIVERED));

    try (Relay relay = started(relay().retryPolicy(QUICK.withMaxAttempts(1)))) {
      List<String> others = enqueue("b", 3);
      awaitUntil(() -> publisher.accepted().containsAll(others));
      awaitUntil(() -> admin().status().dead() == 1);
    }
    assertThat(value(silent, Role.LAST_ERROR)).contains("did not answer within");
  }

  @Test
  @DisplayName("R25, R30: a callback that returns has delivered, one that throws is called again")
  void aCallbackThatThrowsIsCalledAgain() {
    List<String> ids = enqueue("a", 2);
    List<String> calls = new CopyOnWriteArrayList<>();
    Publisher callback =
        Publisher.callback(
            Duration.ofSeconds(1),
            message -> {
              calls.add(ScriptedPublisher.id(message));
              if (calls.size() == 1) {
                throw new IOException("not now");
              }
            });
    try (Relay relay =
        started(
            Relay.builder(dataSource(), callback)
                .pollInterval(Duration.ofMillis(20))
                .retryPolicy(QUICK))) {
      awaitUntil(() -> admin().status().pending() == 0);
    }
    assertThat(calls).containsExactly(ids.get(0), ids.get(0), ids.get(1));
    assertThat(value(ids.get(0), Role.LAST_ERROR)).contains("not now");
  }

  @Test
  @DisplayName("a listener that throws does not disturb the relay")
  void aListenerThatThrowsDoesNotDisturb() {
    List<String> ids = enqueue("a", 3);
    RelayListener broken =
        new RelayListener() {
          @Override
          public void claimed(int events, Duration took) {
            throw new IllegalStateException("listener");
          }

          @Override
          public Message sending(StoredEvent event, Message message) {
            throw new IllegalStateException("listener");
          }

          @Override
          public void answered(StoredEvent event, Delivery delivery, Duration took) {
            throw new IllegalStateException("listener");
          }

          @Override
          public void settled(int events, Duration took) {
            throw new IllegalStateException("listener");
          }
        };
    try (Relay relay = started(relay().listener(broken))) {
      awaitDelivered(ids);
    }
    assertThat(publisher.accepted()).isEqualTo(ids);
  }

  @Test
  @DisplayName("each of several listeners is told, and may add headers to a message")
  void listenersAddHeaders() {
    List<String> ids = enqueue("a", 1);
    List<Delivery> answers = new CopyOnWriteArrayList<>();
    List<Integer> looks = new CopyOnWriteArrayList<>();
    RelayListener watching =
        new RelayListener() {
          @Override
          public void polled(int taken) {
            looks.add(taken);
          }

          @Override
          public void answered(StoredEvent event, Delivery delivery, Duration took) {
            answers.add(delivery);
          }
        };
    try (Relay relay =
        started(relay().listener(adding("x")).listener(adding("y")).listener(watching))) {
      awaitDelivered(ids);
      awaitUntil(() -> looks.contains(0));
    }
    assertThat(publisher.messages().get(0).headers())
        .containsEntry("x", "1")
        .containsEntry("y", "1");
    assertThat(answers).containsExactly(Delivery.DELIVERED);
    assertThat(looks).contains(1);
  }

  private static RelayListener adding(String header) {
    return new RelayListener() {
      @Override
      public Message sending(StoredEvent event, Message message) {
        Map<String, String> headers = new LinkedHashMap<>(message.headers());
        headers.put(header, "1");
        return new Message(message.topic(), message.key(), headers, message.body());
      }
    };
  }

  @Test
  @DisplayName("a relay scoped to a namespace leaves the others alone")
  void aScopedRelayLeavesOthersAlone() {
    List<String> mine = enqueue(event("a").namespace("mine").json("1").build());
    enqueue("b", 1);
    try (Relay relay = started(relay().namespace("mine"))) {
      awaitUntil(() -> publisher.accepted().containsAll(mine));
    }
    assertThat(publisher.accepted()).isEqualTo(mine);
    assertThat(admin().status().pending()).isEqualTo(1);
  }

  @Test
  @DisplayName("R16: several relays share a backlog and deliver each event once")
  void severalRelaysShareABacklog() {
    List<String> ids = new ArrayList<>();
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      events.add(small("key-" + i % 300));
    }
    transaction(tx -> outbox().enqueueAll(tx, events).forEach(e -> ids.add(e.id().toString())));

    try (Relay first = started(relay().batchSize(50));
        Relay second = started(relay().batchSize(50));
        Relay third = started(relay().batchSize(50))) {
      awaitUntil(() -> admin().status().pending() == 0);
    }

    assertThat(publisher.accepted()).hasSize(3000).containsExactlyInAnyOrderElementsOf(ids);
  }
}
