package dev.postcommit.kafka.consumer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.RetryPolicy;
import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.consumer.EventHandler;
import dev.postcommit.consumer.Outcome;
import dev.postcommit.consumer.inbox.Inbox;
import dev.postcommit.consumer.message.PermanentFailureException;
import dev.postcommit.testkit.contract.ScriptedConsumer;
import dev.postcommit.testkit.kafka.KafkaServer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.Partitioner;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What becomes of messages that are given up. */
class KafkaDeadLetterSenderIT {
  private final KafkaServer server = KafkaServer.shared();
  private final ConsumedTopic topic = new ConsumedTopic(server, 2);
  private final String letters = topic.name() + ".dlt";
  private final List<String> handled = Collections.synchronizedList(new ArrayList<>());

  @AfterEach
  void close() {
    topic.close();
  }

  private EventConsumer consumer(EventHandler<String> handler) {
    return EventConsumer.builder("inventory-" + UUID.randomUUID())
        .inbox(Inbox.none())
        .retryPolicy(new RetryPolicy(3, Duration.ofMillis(10), Duration.ofMillis(50)))
        .on(
            "order.placed",
            String.class,
            event -> {
              handled.add(event.id());
              handler.handle(event);
            })
        .build();
  }

  private static String event(String id) {
    return """
        {"eventId":"%s","timestamp":"2026-01-02T03:04:05Z","eventType":"order.placed",\
        "version":1,"source":"orders","data":{"total": 10.00},"metadata":{}}"""
        .formatted(id);
  }

  /** What is in the dead-letter topic; its producers have ended. */
  private List<ConsumerRecord<byte[], byte[]>> readLetters() {
    List<ConsumerRecord<byte[], byte[]>> found = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> reader =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", server.bootstrapServers()),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          reader.partitionsFor(letters).stream()
              .map(each -> new TopicPartition(letters, each.partition()))
              .toList();
      reader.assign(partitions);
      reader.seekToBeginning(partitions);
      long count = reader.endOffsets(partitions).values().stream().mapToLong(Long::longValue).sum();
      await()
          .until(
              () -> {
                reader.poll(Duration.ofMillis(50)).forEach(found::add);
                return found.size() >= count;
              });
    }
    return found;
  }

  private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    return new String(record.headers().lastHeader(name).value(), UTF_8);
  }

  private void run(EventConsumer consumer, int partition, long until) {
    try (KafkaEventConsumer kafka = topic.consumer(consumer).build()) {
      kafka.start();
      await().until(() -> topic.committed(consumer, partition) == until);
      assertThat(kafka.problem()).isEmpty();
    }
  }

  @Test
  @DisplayName("R39: a permanent failure goes to {topic}.dlt; its neighbours are not affected")
  void aPoisonMessageIsSentToItsDeadLetterTopic() throws Exception {
    EventConsumer consumer =
        consumer(
            event -> {
              if (event.id().equals("poison")) {
                throw new PermanentFailureException("no such product");
              }
            });
    Header odd = new RecordHeader("odd", new byte[] {(byte) 0xff, 0, 1});
    Header oddAgain = new RecordHeader("odd", new byte[] {2});
    Header none = new RecordHeader("none", null);
    topic.send(1, "key", event("before"));
    topic.send(1, "key", event("poison"), odd, none, oddAgain);
    topic.send(1, "key", event("after"));
    topic.flush();
    Instant begin = Instant.now();
    run(consumer, 1, 3);

    assertThat(handled).containsExactly("before", "poison", "after");
    assertThat(readLetters())
        .singleElement()
        .satisfies(
            letter -> {
              assertThat(letter.key()).isEqualTo("key".getBytes(UTF_8));
              assertThat(letter.headers().toArray()).startsWith(odd, none, oddAgain);
              assertThat(header(letter, "dlt_original_topic")).isEqualTo(topic.name());
              assertThat(header(letter, "dlt_original_partition")).isEqualTo("1");
              assertThat(header(letter, "dlt_original_offset")).isEqualTo("1");
              assertThat(new String(letter.value(), UTF_8))
                  .startsWith("{\"eventId\":\"poison\",\"originalEvent\":" + event("poison") + ",")
                  .contains("no such product", "\"failedAt\":\"" + begin.toString().substring(0, 4))
                  .endsWith("\"consumerService\":\"" + consumer.name() + "\"}");
            });
    checkCreatedTopic();
  }

  private void checkCreatedTopic() throws Exception {
    assertThat(topic.admin().describeTopics(List.of(letters)).allTopicNames().get().get(letters))
        .satisfies(created -> assertThat(created.partitions()).hasSize(2));
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, letters);
    var config = topic.admin().describeConfigs(List.of(resource)).all().get().get(resource);
    assertThat(config.get("retention.ms").value()).isEqualTo("-1");
    assertThat(config.get("max.message.bytes").value()).isEqualTo(Integer.toString(2 * 1_048_588));
  }

  /** Ends whoever sends a letter with an error, as a class that is missing does. */
  public static final class BrokenPartitioner implements Partitioner {
    static volatile boolean broken;

    @Override
    public int partition(
        String name, Object key, byte[] keyBytes, Object value, byte[] body, Cluster cluster) {
      if (broken) {
        throw new NoClassDefFoundError("codec");
      }
      return 0;
    }

    @Override
    public void configure(Map<String, ?> configs) {}

    @Override
    public void close() {}
  }

  @Test
  @DisplayName("R39: an error while sending a dead letter is reported, and it is sent later")
  void anErrorWhileADeadLetterIsSentEndsNothing() {
    BrokenPartitioner.broken = true;
    EventConsumer consumer =
        consumer(
            event -> {
              throw new PermanentFailureException("no such product");
            });
    topic.send(0, "key", event("poison"));
    topic.flush();
    try (KafkaEventConsumer kafka =
        topic
            .consumer(consumer)
            .property("partitioner.class", BrokenPartitioner.class.getName())
            .build()) {
      kafka.start();
      await()
          .untilAsserted(
              () ->
                  assertThat(kafka.problem())
                      .hasValueSatisfying(text -> assertThat(text).contains("codec")));
      assertThat(kafka.running()).isTrue();
      assertThat(topic.committed(consumer, 0)).isLessThanOrEqualTo(0);
      BrokenPartitioner.broken = false;
      await().until(() -> topic.committed(consumer, 0) == 1);
      await().until(() -> kafka.problem().isEmpty());
    }
    assertThat(readLetters()).hasSize(1);
  }

  @Test
  @DisplayName("R39: a temporary failure is retried a few times, and then given up")
  void retriesAreExhausted() {
    EventConsumer consumer =
        consumer(
            event -> {
              if (event.id().equals("sick")) {
                throw new IllegalStateException("not now");
              }
            });
    topic.send(0, "key", event("sick"));
    topic.send(0, "key", event("after"));
    topic.flush();
    run(consumer, 0, 2);

    assertThat(handled).containsExactly("sick", "sick", "sick", "after");
    assertThat(readLetters())
        .singleElement()
        .satisfies(letter -> assertThat(header(letter, "dlt_attempts")).isEqualTo("3"));
  }

  @Test
  @DisplayName("R39: what is no event at all is given up at once, and kept")
  void unreadableMessagesAreKept() {
    EventConsumer consumer = consumer(event -> {});
    topic.send(0, null, new byte[] {(byte) 0xff, 7});
    topic.send(0, null, (byte[]) null);
    topic.send(0, null, event("after"));
    topic.flush();
    run(consumer, 0, 3);

    assertThat(handled).containsExactly("after");
    assertThat(readLetters())
        .extracting(letter -> header(letter, "dlt_original_encoding"))
        .containsExactlyInAnyOrder("base64", "none");
  }

  @Test
  @DisplayName(
      "R39: a dead letter that its topic finds too large is sent without the event's content")
  void aDeadLetterThatIsTooLargeIsSentWithoutItsContent() {
    server.createTopic(letters, 1, Map.of("max.message.bytes", "2000"));
    EventConsumer consumer = consumer(event -> {});
    topic.send(0, "key", new byte[900_000]);
    topic.send(0, "key", new byte[10]);
    topic.flush();
    run(consumer, 0, 2);

    assertThat(readLetters())
        .extracting(letter -> header(letter, "dlt_original_encoding"))
        .containsExactlyInAnyOrder("omitted", "base64");
  }

  @Test
  @DisplayName("R39: a large event fits into the dead-letter topic that is created for it")
  void aLargeEventFitsIntoTheTopicThatIsCreated() {
    EventConsumer consumer = consumer(event -> {});
    topic.send(0, "key", new byte[1_000_000]);
    topic.flush();
    run(consumer, 0, 1);

    assertThat(readLetters())
        .singleElement()
        .satisfies(
            letter -> assertThat(header(letter, "dlt_original_encoding")).isEqualTo("base64"));
  }

  @Test
  @DisplayName("R39: while a dead-letter topic cannot be had, the message is not acknowledged")
  void aDeadLetterThatCannotBeSentIsKept() {
    String longest = "x".repeat(249 - 36) + UUID.randomUUID();
    try (ConsumedTopic tooLong = new ConsumedTopic(server, longest, 1, Map.of())) {
      tooLong.send(0, "bad", "x");
      tooLong.send(0, "good", "x");
      tooLong.flush();
      ScriptedConsumer[] self = new ScriptedConsumer[1];
      self[0] =
          new ScriptedConsumer(
              item -> {
                if (item.message().key().equals("bad")) {
                  return self[0].dead(item);
                }
                handled.add("good");
                return Outcome.Done.PROCESSED;
              });
      try (KafkaEventConsumer kafka = tooLong.consumer(self[0]).order(ConsumerOrder.KEY).build()) {
        kafka.start();
        await().until(() -> kafka.problem().isPresent() && !handled.isEmpty());
        assertThat(kafka.pending()).isEqualTo(1);
      }
      assertThat(tooLong.committed(self[0], 0)).isZero();
    }
  }
}
