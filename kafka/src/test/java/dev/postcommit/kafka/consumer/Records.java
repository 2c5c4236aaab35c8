package dev.postcommit.kafka.consumer;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Records as Kafka's consumer gives them. */
final class Records {
  static final TopicPartition PARTITION = new TopicPartition("orders", 3);

  private Records() {}

  static ConsumerRecord<byte[], byte[]> record(long offset, @Nullable String key) {
    byte[] keyBytes = key == null ? null : key.getBytes(UTF_8);
    byte[] body = Long.toString(offset).getBytes(UTF_8);
    return new ConsumerRecord<>(PARTITION.topic(), PARTITION.partition(), offset, keyBytes, body);
  }
}
