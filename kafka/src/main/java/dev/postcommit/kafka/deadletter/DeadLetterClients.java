package dev.postcommit.kafka.deadletter;

import dev.postcommit.kafka.internal.ClientProperties;
import dev.postcommit.kafka.internal.KafkaSettings;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Kafka's clients for dead-letter topics, each with those of the user's properties that it knows.
 *
 * @param consumer the properties of the consumer
 * @param producer the settings of the producer
 */
record DeadLetterClients(Map<String, Object> consumer, KafkaSettings producer) {
  private static final int ANSWER_TIMEOUT_MS = 10_000;

  /** Everything that is read exists already, so no fetch has to wait for more. */
  private static final int FETCH_MAX_WAIT_MS = 10;

  /**
   * Checks the properties; nothing connects.
   *
   * @throws IllegalArgumentException if one is invalid, with its name and value
   */
  static DeadLetterClients of(Map<String, ?> properties) {
    Set<String> consumers = ConsumerConfig.configNames();
    Set<String> producers = ProducerConfig.configNames();
    Map<String, Object> consumer = new HashMap<>();
    consumer.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, ANSWER_TIMEOUT_MS);
    consumer.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, ANSWER_TIMEOUT_MS);
    consumer.putAll(ClientProperties.shared(properties, producers, consumers));
    // It joins no group, and creates no topic by asking for it.
    consumer.remove(ConsumerConfig.GROUP_ID_CONFIG);
    consumer.remove(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG);
    consumer.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, FETCH_MAX_WAIT_MS);
    consumer.put(ConsumerConfig.FETCH_MIN_BYTES_CONFIG, 1);
    consumer.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    consumer.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    consumer.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    consumer.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    consumer.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    ClientProperties.parse(ConsumerConfig.configDef(), consumer);
    return new DeadLetterClients(
        Map.copyOf(consumer),
        KafkaSettings.of(ClientProperties.shared(properties, consumers, producers)));
  }

  Consumer<byte[], byte[]> newConsumer() {
    return new KafkaConsumer<>(consumer);
  }

  Producer<byte[], byte[]> newProducer() {
    return new KafkaProducer<>(producer.producer());
  }
}
