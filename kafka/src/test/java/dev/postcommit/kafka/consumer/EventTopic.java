package dev.postcommit.kafka.consumer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.testkit.kafka.KafkaServer;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.common.header.internals.RecordHeader;

/** A topic to which events are sent as a relay sends them. */
final class EventTopic implements AutoCloseable {
  static final String TYPE = "order.placed";

  private static final int KEYS = 50;

  private final int partitions;
  private final ConsumedTopic topic;

  EventTopic(KafkaServer kafka, int partitions) {
    this.partitions = partitions;
    this.topic = new ConsumedTopic(kafka, partitions);
  }

  String name() {
    return topic.name();
  }

  ConsumedTopic messages() {
    return topic;
  }

  KafkaEventConsumer.Builder consumer(EventConsumer consumer) {
    return topic.consumer(consumer);
  }

  void send(String eventId, String key) {
    topic.send(
        Math.floorMod(key.hashCode(), partitions),
        key,
        "{\"number\": 1}",
        new RecordHeader("event_id", eventId.getBytes(UTF_8)),
        new RecordHeader("event_type", TYPE.getBytes(UTF_8)));
  }

  /** Sends events, every third of them twice: at once, or with another key. */
  Set<String> sendWithDuplicates(int count) {
    Set<String> ids = new HashSet<>();
    for (int i = 0; i < count; i++) {
      String id = UUID.randomUUID().toString();
      ids.add(id);
      send(id, "key-" + i % KEYS);
      if (i % 3 == 0) {
        send(id, "key-" + (i + i % 2) % KEYS);
      }
    }
    topic.flush();
    return ids;
  }

  /** Waits until a consumer's group has acknowledged every message. */
  void awaitDone(EventConsumer consumer) {
    topic.flush();
    await()
        .atMost(Duration.ofMinutes(1))
        .ignoreExceptions()
        .until(() -> ConsumerGroups.lag(topic.admin(), consumer.name(), topic.name()) == 0);
  }

  Set<String> members(EventConsumer consumer) throws Exception {
    return topic.members(consumer);
  }

  @Override
  public void close() {
    topic.close();
  }
}
