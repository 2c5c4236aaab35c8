package dev.postcommit.testkit.kafka;

import dev.postcommit.testkit.ledger.Deliveries;
import dev.postcommit.testkit.ledger.Ledger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * Reads a Kafka topic from its start and records in a {@link Ledger} what arrives, by the header
 * {@code event_id}. Run it on a thread of its own.
 */
public final class KafkaDeliveries extends Deliveries {
  private static final Duration POLL = Duration.ofMillis(100);

  private final String bootstrapServers;
  private final String topic;
  private final String isolation;

  /** Reads {@code topic} when it is run. */
  public KafkaDeliveries(String bootstrapServers, String topic, Ledger ledger) {
    this(bootstrapServers, topic, ledger, "read_uncommitted");
  }

  private KafkaDeliveries(String bootstrapServers, String topic, Ledger ledger, String isolation) {
    super(ledger);
    this.bootstrapServers = bootstrapServers;
    this.topic = topic;
    this.isolation = isolation;
  }

  /** Reads the committed messages of {@code topic} when it is run. */
  public static KafkaDeliveries committed(String bootstrapServers, String topic, Ledger ledger) {
    return new KafkaDeliveries(bootstrapServers, topic, ledger, "read_committed");
  }

  /** Reads until {@link #finish} is called and the end of every partition is reached. */
  @Override
  public Void call() {
    try (KafkaConsumer<String, byte[]> consumer = consumer()) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      while (moreMayCome()) {
        read(consumer);
      }
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (ends.entrySet().stream().anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
        read(consumer);
      }
      return null;
    }
  }

  private void read(KafkaConsumer<String, byte[]> consumer) {
    for (ConsumerRecord<String, byte[]> message : consumer.poll(POLL)) {
      Header id = message.headers().lastHeader("event_id");
      String eventId =
          id == null
              ? "message at " + message.partition() + ":" + message.offset()
              : new String(id.value(), StandardCharsets.UTF_8);
      arrived(eventId, message.key());
    }
  }

  private KafkaConsumer<String, byte[]> consumer() {
    return new KafkaConsumer<>(
        Map.of(
            ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
            bootstrapServers,
            ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
            false,
            ConsumerConfig.ISOLATION_LEVEL_CONFIG,
            isolation),
        new StringDeserializer(),
        new ByteArrayDeserializer());
  }
}
