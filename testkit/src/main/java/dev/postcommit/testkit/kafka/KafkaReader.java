package dev.postcommit.testkit.kafka;

import dev.postcommit.relay.Message;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/** Reads Kafka topics from their beginning. */
public final class KafkaReader {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private KafkaReader() {}

  /**
   * Returns all messages of a topic; waits until there are at least {@code count}.
   *
   * @throws AssertionError if there are fewer after 20 seconds
   */
  public static List<Message> read(String bootstrapServers, String topic, int count) {
    Map<String, Object> properties =
        Map.of(
            "bootstrap.servers",
            bootstrapServers,
            "enable.auto.commit",
            false,
            "auto.offset.reset",
            "earliest");
    List<Message> messages = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(partition -> new TopicPartition(topic, partition.partition()))
              .toList();
      consumer.assign(partitions);
      long begin = System.nanoTime();
      while (messages.size() < count || !isAtEnd(consumer, partitions)) {
        consumer.poll(Duration.ofMillis(100)).forEach(record -> messages.add(message(record)));
        if (System.nanoTime() - begin > PATIENCE.toNanos()) {
          throw new AssertionError(
              "%d of %d messages arrived at %s".formatted(messages.size(), count, topic));
        }
      }
    }
    return messages;
  }

  private static boolean isAtEnd(
      KafkaConsumer<byte[], byte[]> consumer, List<TopicPartition> partitions) {
    return consumer.endOffsets(partitions).entrySet().stream()
        .allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
  }

  private static Message message(ConsumerRecord<byte[], byte[]> record) {
    Map<String, String> headers = new LinkedHashMap<>();
    for (Header header : record.headers()) {
      headers.put(header.key(), new String(header.value(), StandardCharsets.UTF_8));
    }
    @Nullable String key =
        record.key() == null ? null : new String(record.key(), StandardCharsets.UTF_8);
    return new Message(record.topic(), key, headers, record.value());
  }
}
