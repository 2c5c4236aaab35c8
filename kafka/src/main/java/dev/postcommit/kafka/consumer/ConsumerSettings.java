package dev.postcommit.kafka.consumer;

import dev.postcommit.kafka.internal.ClientProperties;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the Kafka clients behind a consumer: the user's properties over defaults.
 *
 * @param group the consumer group
 * @param consumer the consumer's properties
 * @param producer the properties of the producer of dead letters
 * @param admin the properties of the admin client that creates their topics
 * @param patience how long handlers may take to finish when a partition is given up
 * @param longestSilence how long Kafka may not answer a consumer that fetches
 * @param longestRebalance how long Kafka may not answer one that waits for other members
 */
record ConsumerSettings(
    String group,
    Map<String, Object> consumer,
    Map<String, Object> producer,
    Map<String, Object> admin,
    Duration patience,
    Duration longestSilence,
    Duration longestRebalance) {

  /** How long a dead letter may take from the producer to all replicas. */
  static final Duration DEAD_LETTER_TIMEOUT = Duration.ofSeconds(8);

  /** How long the cluster may take to answer a question about a topic, or to create one. */
  static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(5);

  private static final Duration LONGEST_PATIENCE = Duration.ofSeconds(30);
  private static final Duration SHORTEST_SILENCE = Duration.ofSeconds(15);

  /** How long a rebalance takes besides the time for which it waits for members. */
  private static final Duration REBALANCE = Duration.ofSeconds(5);

  private static final int LARGEST_DEAD_LETTER = 64 * 1024 * 1024;

  /** Consumers and producers have them under the same names, with different values. */
  private static final Set<String> NOT_SHARED =
      Set.of(ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG, ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG);

  /**
   * Checks the user's properties and adds the defaults.
   *
   * @throws IllegalArgumentException if a property is invalid, or would break a promise of the
   *     consumer, with its name and value
   */
  static ConsumerSettings of(String group, Map<String, ?> properties) {
    if (group.isBlank()) {
      throw new IllegalArgumentException("group must not be blank, but is '" + group + "'");
    }
    refuseWhatBreaksPromises(properties);
    Map<String, Object> consumer = new HashMap<>();
    consumer.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    if (!isConsumerProtocol(properties)) {
      consumer.put(
          ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
          CooperativeStickyAssignor.class.getName());
    }
    consumer.putAll(properties);
    consumer.put(ConsumerConfig.GROUP_ID_CONFIG, group);
    consumer.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    consumer.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    consumer.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    Map<String, Object> parsed = ClientProperties.parse(ConsumerConfig.configDef(), consumer);
    @Nullable Object named = properties.get(ConsumerConfig.CLIENT_ID_CONFIG);
    String clientId = named == null ? group : named.toString();
    return new ConsumerSettings(
        group,
        Collections.unmodifiableMap(consumer),
        producer(properties, clientId),
        Collections.unmodifiableMap(
            ClientProperties.admin(
                shared(properties, AdminClientConfig.configNames()), clientId, ANSWER_TIMEOUT)),
        patience(parsed),
        longestSilence(parsed),
        longestRebalance(parsed));
  }

  /** Half the time after which the group excludes a member that has not given up its partitions. */
  private static Duration patience(Map<String, Object> parsed) {
    Duration given = ClientProperties.millis(parsed, ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG);
    return Collections.min(List.of(given.dividedBy(2), LONGEST_PATIENCE));
  }

  /** Several heartbeats or fetches in a row have had no answer then. */
  private static Duration longestSilence(Map<String, Object> parsed) {
    Duration heartbeat =
        ClientProperties.millis(parsed, ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG);
    Duration fetch = ClientProperties.millis(parsed, ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG);
    return Collections.max(
        List.of(SHORTEST_SILENCE, heartbeat.multipliedBy(4), fetch.multipliedBy(4)));
  }

  /** All members have given up their partitions then, or have been found to be gone. */
  private static Duration longestRebalance(Map<String, Object> parsed) {
    Duration session = ClientProperties.millis(parsed, ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG);
    return Collections.max(
        List.of(longestSilence(parsed), session.plus(REBALANCE), patience(parsed).plus(REBALANCE)));
  }

  private static boolean isConsumerProtocol(Map<String, ?> properties) {
    @Nullable Object protocol = properties.get(ConsumerConfig.GROUP_PROTOCOL_CONFIG);
    return String.valueOf(protocol).strip().toLowerCase(Locale.ROOT).equals("consumer");
  }

  private static void refuseWhatBreaksPromises(Map<String, ?> properties) {
    @Nullable Object autoCommit = properties.get(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG);
    if (autoCommit != null && !autoCommit.toString().strip().equalsIgnoreCase("false")) {
      throw new IllegalArgumentException(
          "%s must be false, not %s: offsets are committed when events have been handled"
              .formatted(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, autoCommit));
    }
    String bytes = "bodies are decoded by the EventConsumer, not by a deserializer";
    ClientProperties.refuse(properties, ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, bytes);
    ClientProperties.refuse(properties, ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, bytes);
    ClientProperties.refuse(properties, ConsumerConfig.GROUP_ID_CONFIG, "set it by group()");
  }

  private static Map<String, Object> producer(Map<String, ?> properties, String clientId) {
    Map<String, Object> producer = shared(properties, ProducerConfig.configNames());
    int timeout = Math.toIntExact(DEAD_LETTER_TIMEOUT.toMillis());
    producer.put(ProducerConfig.CLIENT_ID_CONFIG, clientId + "-dead-letters");
    producer.put(ProducerConfig.ACKS_CONFIG, "all");
    producer.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    // With more, a topic that has just been created can take the second request and not the first.
    producer.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
    producer.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    producer.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, timeout);
    producer.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, timeout / 2);
    producer.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, Math.toIntExact(ANSWER_TIMEOUT.toMillis()));
    // A dead letter is larger than its event; whether it is too large is for the topic to say.
    producer.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, LARGEST_DEAD_LETTER);
    producer.put(ProducerConfig.BUFFER_MEMORY_CONFIG, (long) LARGEST_DEAD_LETTER);
    producer.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    producer.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    return Collections.unmodifiableMap(producer);
  }

  /** The user's properties except those that only a consumer has. */
  private static Map<String, Object> shared(Map<String, ?> properties, Set<String> names) {
    Map<String, Object> shared =
        ClientProperties.shared(properties, ConsumerConfig.configNames(), names);
    shared.keySet().removeAll(NOT_SHARED);
    return shared;
  }
}
