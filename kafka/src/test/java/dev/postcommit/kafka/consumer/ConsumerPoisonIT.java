package dev.postcommit.kafka.consumer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.RetryPolicy;
import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.consumer.UnknownTypes;
import dev.postcommit.consumer.deadletter.DeadLetterContent;
import dev.postcommit.consumer.inbox.Inbox;
import dev.postcommit.consumer.inbox.JdbcIdempotencyStore;
import dev.postcommit.consumer.message.PermanentFailureException;
import dev.postcommit.consumer.message.ReceivedEvent;
import dev.postcommit.kafka.deadletter.KafkaDeadLetter;
import dev.postcommit.kafka.deadletter.KafkaDeadLetterFilter;
import dev.postcommit.kafka.deadletter.KafkaDeadLetterRef;
import dev.postcommit.kafka.deadletter.KafkaDeadLetters;
import dev.postcommit.store.Decision;
import dev.postcommit.testkit.contract.ObservedConsumer;
import dev.postcommit.testkit.kafka.KafkaServer;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.io.IOException;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Messages that cannot be handled, among others that can, of the same keys. */
class ConsumerPoisonIT {
  private static final int NEIGHBOURS = 400;
  private static final int ATTEMPTS = 3;
  private static final byte[] GARBAGE = {(byte) 0xff, 0, '{', (byte) 0x80};

  private final KafkaServer kafka = KafkaServer.shared();
  private final PostgresDatabase database = PostgresServer.shared().createDatabase();
  private final Effects effects = new Effects(database.dataSource());
  private final EventTopic topic = new EventTopic(kafka, 2);
  private final ObservedConsumer observed = new ObservedConsumer();
  private final String name = "poison-" + UUID.randomUUID();

  private final String permanent = UUID.randomUUID().toString();
  private final String exhausted = UUID.randomUUID().toString();
  private final String unknown = UUID.randomUUID().toString();
  private volatile boolean repaired;

  @AfterEach
  void close() {
    topic.close();
    database.close();
  }

  @Test
  @DisplayName(
      "R38, R39, R44: each poison has one dead letter, its neighbours are handled, and one that is"
          + " replayed has its effect once")
  void poisonIsSentAwayAndReplayed() {
    Instant begin = Instant.now();
    EventConsumer events = consumer();
    Set<String> neighbours = send();
    try (KafkaEventConsumer consumer =
            topic.consumer(events).threads(2).order(ConsumerOrder.KEY).batchSize(25).build();
        KafkaDeadLetters letters =
            KafkaDeadLetters.open(
                Map.of("bootstrap.servers", kafka.bootstrapServers()), topic.name() + ".dlt")) {
      consumer.start();
      topic.awaitDone(events);

      List<KafkaDeadLetter> dead = letters.read(letters.find(KafkaDeadLetterFilter.all(), true));
      assertThat(dead).hasSize(4);
      Map<String, KafkaDeadLetter> byId =
          dead.stream()
              .collect(
                  Collectors.toMap(
                      letter -> String.valueOf(letter.content().eventId()), Function.identity()));
      assertLetter(byId.get(permanent), permanent, EventTopic.TYPE, 1, "no such product", begin);
      assertLetter(byId.get(exhausted), exhausted, EventTopic.TYPE, ATTEMPTS, "no network", begin);
      assertLetter(byId.get(unknown), unknown, "order.lost", 1, "order.lost", begin);
      assertGarbage(byId.get("null"));
      assertThat(observed.retries()).hasSize(ATTEMPTS - 1).containsOnly(exhausted);
      assertEffects(neighbours);

      repaired = true;
      List<KafkaDeadLetterRef> chosen =
          letters.find(KafkaDeadLetterFilter.ids(Set.of(exhausted)), false);
      Decision decision = new Decision("ada", "the network is back");
      assertThat(letters.replay(chosen, decision).replayed()).hasSize(1);
      await().until(() -> effects.events() == NEIGHBOURS + 1);
      topic.awaitDone(events);
      neighbours.add(exhausted);
      assertEffects(neighbours);
      assertThat(letters.find(KafkaDeadLetterFilter.all(), false)).hasSize(3);
      assertThat(letters.find(KafkaDeadLetterFilter.all(), true)).hasSize(4);
    }
  }

  private Set<String> send() {
    Set<String> neighbours = topic.sendWithDuplicates(NEIGHBOURS / 2);
    topic.messages().send(0, "key-0", "{\"number\": 1}", headers(permanent, EventTopic.TYPE));
    topic.messages().send(0, "key-1", "{\"number\": 1}", headers(exhausted, EventTopic.TYPE));
    topic.messages().send(1, "key-2", "{\"number\": 1}", headers(unknown, "order.lost"));
    topic.messages().send(1, "key-3", GARBAGE);
    neighbours.addAll(topic.sendWithDuplicates(NEIGHBOURS / 2));
    return neighbours;
  }

  private static Header[] headers(String eventId, String type) {
    return new Header[] {
      new RecordHeader("event_id", eventId.getBytes(UTF_8)),
      new RecordHeader("event_type", type.getBytes(UTF_8)),
      new RecordHeader("traceparent", "00-1".getBytes(UTF_8))
    };
  }

  private EventConsumer consumer() {
    JdbcIdempotencyStore store = JdbcIdempotencyStore.builder(database.dataSource(), name).build();
    return EventConsumer.builder(name)
        .inbox(Inbox.transactional(store))
        .unknownTypes(UnknownTypes.DEAD_LETTER)
        .retryPolicy(new RetryPolicy(ATTEMPTS, Duration.ofMillis(200), Duration.ofMillis(400)))
        .listener(observed)
        .on(EventTopic.TYPE, String.class, this::handle)
        .build();
  }

  private void handle(Connection tx, ReceivedEvent<String> event) throws Exception {
    Effects.write(tx, event, 0);
    if (!repaired && event.id().equals(permanent)) {
      throw new PermanentFailureException("no such product");
    } else if (!repaired && event.id().equals(exhausted)) {
      throw new IOException("no network");
    }
  }

  private void assertLetter(
      KafkaDeadLetter letter, String id, String type, int attempts, String error, Instant begin) {
    DeadLetterContent content = letter.content();
    assertThat(content.eventId()).isEqualTo(id);
    assertThat(content.eventType()).isEqualTo(type);
    assertThat(content.original()).isEqualTo("{\"number\": 1}".getBytes(UTF_8));
    assertThat(content.errorMessage()).contains(error);
    assertThat(content.attempts()).isEqualTo(attempts);
    assertThat(content.failedAt()).isBetween(begin, Instant.now());
    assertThat(content.consumerService()).isEqualTo(name);
    assertThat(content.originalTopic()).isEqualTo(topic.name());
    assertThat(content.originalHeaders())
        .isEqualTo(Map.of("event_id", id, "event_type", type, "traceparent", "00-1"));
  }

  private void assertGarbage(KafkaDeadLetter letter) {
    DeadLetterContent content = letter.content();
    assertThat(letter.key()).isEqualTo("key-3");
    assertThat(content.original()).isEqualTo(GARBAGE);
    assertThat(content.errorMessage()).contains("no event can be read from the message");
    assertThat(content.consumerService()).isEqualTo(name);
    assertThat(content.originalHeaders()).isEmpty();
    assertThat(content.origin()).containsEntry("partition", "1");
  }

  private void assertEffects(Set<String> expected) {
    assertThat(effects.all())
        .extracting(Effects.Effect::eventId)
        .hasSize(expected.size())
        .hasSameElementsAs(expected);
    assertThat(effects.processed()).hasSize(expected.size()).hasSameElementsAs(expected);
  }
}
