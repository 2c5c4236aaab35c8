package dev.postcommit.server.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.postcommit.DomainEvent;
import dev.postcommit.DomainEvents;
import dev.postcommit.Event;
import dev.postcommit.InvalidEventException;
import dev.postcommit.Outbox;
import dev.postcommit.cloudevents.CloudEventsEnvelope;
import dev.postcommit.envelope.Envelope;
import dev.postcommit.kafka.KafkaPublisher;
import dev.postcommit.layout.Layout;
import dev.postcommit.relay.Relay;
import dev.postcommit.server.OutboxFixture;
import dev.postcommit.store.DeadFilter;
import dev.postcommit.store.OutboxAdmin.DeadSummary;
import dev.postcommit.store.OutboxAdmin.Status;
import dev.postcommit.testkit.kafka.KafkaReader;
import dev.postcommit.testkit.kafka.KafkaServer;
import java.net.URI;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The largest events that an outbox takes, delivered by a broker with every default. */
class LargestEventIT {
  private static final int LIMIT = Outbox.DEFAULT_MAX_PAYLOAD_BYTES;

  /** Six bytes in JSON for one. */
  private static final String ESCAPED = "\u0001";

  private final KafkaServer kafka = KafkaServer.shared();
  private final String topic = "largest-" + UUID.randomUUID();
  private OutboxFixture fixture = new OutboxFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  static List<Arguments> envelopes() {
    URI source = URI.create("/" + "s".repeat(1000));
    return List.of(
        Arguments.of("raw", Envelope.raw(), true),
        Arguments.of("message-id", Envelope.messageId(), false),
        Arguments.of("built", Envelope.built(source.toString()), false),
        Arguments.of("cloudevents-binary", CloudEventsEnvelope.binary(source), true),
        Arguments.of("cloudevents-structured", CloudEventsEnvelope.structured(source), true));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("envelopes")
  @DisplayName("an event at the limit is delivered in every envelope, one byte more is refused")
  void anEventAtTheLimitIsDelivered(String name, Envelope envelope, boolean takesBytes)
      throws SQLException {
    fixture.migrate();
    kafka.createTopic(topic, 1);
    int left = LIMIT - headerBytes();
    List<Event> events = new ArrayList<>();
    events.add(widest().json(text(left)).build());
    events.add(Event.builder("plain").topic(topic).json(text(LIMIT)).build());
    if (takesBytes) {
      events.add(widest().bytes(new byte[left / 4 * 3]).build());
    }
    fixture.enqueueAll(events);

    deliver(Layout.nativeTable(), envelope);
    assertThat(arrivals(topic, events.size())).hasSize(events.size());
    assertRefused(widest().json(text(left + 1)).build(), LIMIT + 1);
    assertRefused(Event.builder("plain").topic(topic).json(text(LIMIT + 1)).build(), LIMIT + 1);
    assertRefused(widest().bytes(new byte[left / 4 * 3 + 1]).build(), LIMIT + 4 - left % 4);
  }

  @Test
  @DisplayName("a stored envelope at the limit is delivered")
  void aStoredEnvelopeAtTheLimitIsDelivered() throws SQLException {
    fixture.migrate();
    kafka.createTopic(topic, 1);
    int around = domain(text(10)).payload().size() - 10;
    fixture.enqueueAll(List.of(domain(text(LIMIT - around))));

    deliver(Layout.nativeTable(), Envelope.stored());
    assertThat(arrivals(topic, 1)).containsExactly(LIMIT);
    assertRefused(domain(text(LIMIT - around + 1)), LIMIT + 1);
  }

  @Test
  @DisplayName("a payload counts by what jsonb makes of it: spaces, and numbers in full")
  void aPayloadThatGrowsInTheTableCountsInFull() throws SQLException {
    fixture.close();
    fixture = new OutboxFixture(Layout.preset("logistik"));
    fixture.migrate();
    kafka.createTopic(topic, 1);
    // "[1,1]" comes back as "[1, 1]"; 1e99 as one and 99 zeros, for which up to 102 are reckoned.
    int ones = (LIMIT - 105) / 3;
    String grows = "[1e99" + ",1".repeat(ones) + "]";
    fixture.enqueueAll(List.of(logistik(grows)));

    deliver(Layout.preset("logistik"), Envelope.raw());
    assertThat(arrivals(topic, 1)).containsExactly(102 + 3 * ones);
    assertRefused(logistik("[1e103" + grows.substring(5)), 108 + 3 * ones);
  }

  private Event logistik(String json) {
    return Event.builder(topic).aggregate("order", UUID.randomUUID()).json(json).build();
  }

  private Event domain(String data) {
    return DomainEvents.toEvent(
        DomainEvent.builder(topic).aggregate("license", UUID.randomUUID()).data(data).build());
  }

  private void assertRefused(Event event, int size) {
    assertThatThrownBy(() -> fixture.enqueueAll(List.of(event)))
        .isInstanceOfSatisfying(
            InvalidEventException.class, e -> assertThat(e.field()).isEqualTo("payload"))
        .hasMessageContaining("" + size)
        .hasMessageContaining("" + LIMIT);
  }

  /** An event whose fields are as long as they may be, and longer in JSON. */
  private Event.Builder widest() {
    Event.Builder event =
        Event.builder(ESCAPED.repeat(512))
            .topic(topic)
            .aggregate(ESCAPED.repeat(512), ESCAPED.repeat(512))
            .key(ESCAPED.repeat(512))
            .dedupeKey(UUID.randomUUID() + ESCAPED.repeat(1024 - 36));
    headerNames().forEach(name -> event.header(name, ESCAPED.repeat(1024)));
    return event;
  }

  /** Those of which envelopes make a copy, and some more. */
  private static List<String> headerNames() {
    List<String> names =
        new ArrayList<>(
            List.of("traceId", "correlationId", "idempotencyKey", "userId", "traceparent"));
    for (int i = 0; i < 95; i++) {
      names.add("h" + i);
    }
    return names;
  }

  private static int headerBytes() {
    return headerNames().stream().mapToInt(header -> header.length() + 1024).sum();
  }

  /** JSON text of so many bytes. */
  private static String text(int bytes) {
    return "\"" + "x".repeat(bytes - 2) + "\"";
  }

  /** Runs a relay until everything is delivered. */
  private void deliver(Layout layout, Envelope envelope) {
    try (KafkaPublisher publisher =
            KafkaPublisher.builder().bootstrapServers(kafka.bootstrapServers()).build();
        Relay relay =
            Relay.builder(fixture.database().dataSource(), publisher)
                .layout(layout)
                .envelope(envelope)
                .build()) {
      relay.start();
      await().atMost(Duration.ofSeconds(30)).until(this::isSettled);
    }
    assertThat(fixture.admin().dead(DeadFilter.all(), 10)).extracting(DeadSummary::error).isEmpty();
  }

  private boolean isSettled() {
    Status status = fixture.admin().status();
    return status.pending() + status.inFlight() == 0;
  }

  private List<Integer> arrivals(String at, int count) {
    return KafkaReader.read(kafka.bootstrapServers(), at, count).stream()
        .map(message -> message.body().length)
        .toList();
  }
}
