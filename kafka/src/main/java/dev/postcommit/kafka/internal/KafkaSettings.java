package dev.postcommit.kafka.internal;

import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * The settings of Kafka's clients: the user's properties over defaults that suit a relay.
 *
 * @param clientId the name of the clients, in logs, metrics and quotas
 * @param producer the producer's properties
 * @param admin the properties of the admin client
 * @param deliveryTimeout how long the producer tries to deliver a message
 * @param requestTimeout how long a client waits for one answer
 * @param maxBlock how long a message may wait before the producer has it
 */
public record KafkaSettings(
    String clientId,
    Map<String, Object> producer,
    Map<String, Object> admin,
    Duration deliveryTimeout,
    Duration requestTimeout,
    Duration maxBlock) {

  /** How long the cluster may take to answer a question about itself. */
  public static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(3);

  /**
   * How long an abandoned transaction keeps readers waiting, unless the relay's successor ends it
   * sooner.
   */
  private static final Duration TRANSACTION = Duration.ofSeconds(30);

  private static final Duration LONGEST_REQUEST_TIMEOUT = Duration.ofSeconds(8);

  private static final Map<String, Object> DEFAULTS =
      Map.of(
          ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 20_000,
          ProducerConfig.MAX_BLOCK_MS_CONFIG, 5_000,
          // While one request is in flight, the next batch gathers; there is no need to wait for
          // more.
          ProducerConfig.LINGER_MS_CONFIG, 0,
          ProducerConfig.BATCH_SIZE_CONFIG, 128 * 1024,
          ProducerConfig.BUFFER_MEMORY_CONFIG, 64L * 1024 * 1024);

  private static final AtomicInteger NAMELESS = new AtomicInteger();

  /**
   * Checks the user's properties and adds the defaults.
   *
   * @throws IllegalArgumentException if a property is invalid, or would break a promise of the
   *     publisher, with its name and value
   */
  public static KafkaSettings of(Map<String, ?> properties) {
    refuseWhatBreaksPromises(properties);
    Map<String, Object> producer = new HashMap<>(DEFAULTS);
    producer.putAll(properties);
    producer.put(ProducerConfig.ACKS_CONFIG, "all");
    producer.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    producer.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
    producer.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    producer.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    producer.putIfAbsent(
        ProducerConfig.CLIENT_ID_CONFIG, "postcommit-" + NAMELESS.incrementAndGet());

    Map<String, Object> parsed = ClientProperties.parse(ProducerConfig.configDef(), producer);
    Duration delivery = ClientProperties.millis(parsed, ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG);
    Duration linger = ClientProperties.millis(parsed, ProducerConfig.LINGER_MS_CONFIG);
    Duration request = ClientProperties.millis(parsed, ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG);
    if (!properties.containsKey(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG)) {
      request =
          Collections.min(List.of(LONGEST_REQUEST_TIMEOUT, delivery.minus(linger).dividedBy(2)));
      producer.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, Math.toIntExact(request.toMillis()));
    }
    if (request.isNegative() || request.isZero() || request.plus(linger).compareTo(delivery) > 0) {
      throw new IllegalArgumentException(
          "delivery.timeout.ms (%d) must not be shorter than request.timeout.ms (%d) and linger.ms (%d) together"
              .formatted(delivery.toMillis(), request.toMillis(), linger.toMillis()));
    }
    String clientId = String.valueOf(producer.get(ProducerConfig.CLIENT_ID_CONFIG));
    return new KafkaSettings(
        clientId,
        Collections.unmodifiableMap(producer),
        Collections.unmodifiableMap(
            ClientProperties.admin(
                ClientProperties.shared(
                    properties, ProducerConfig.configNames(), AdminClientConfig.configNames()),
                clientId,
                ANSWER_TIMEOUT)),
        delivery,
        request,
        ClientProperties.millis(parsed, ProducerConfig.MAX_BLOCK_MS_CONFIG));
  }

  /**
   * The producer's properties for transactions. Requests may overtake each other there: if one is
   * refused, its transaction is aborted.
   */
  public Map<String, Object> transactional(String id) {
    Map<String, Object> properties = new HashMap<>(producer);
    properties.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, id);
    properties.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 5);
    properties.put(ProducerConfig.CLIENT_ID_CONFIG, clientId + "-transactions");
    properties.putIfAbsent(
        ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, Math.toIntExact(TRANSACTION.toMillis()));
    return properties;
  }

  /** The properties of a consumer that reads what is committed. */
  public Map<String, Object> committedReader() {
    Map<String, Object> properties = new HashMap<>(producer);
    properties.keySet().retainAll(ConsumerConfig.configNames());
    properties.remove(ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG);
    properties.put(ConsumerConfig.CLIENT_ID_CONFIG, clientId + "-checkpoints");
    properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    properties.put(
        ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, Math.toIntExact(ANSWER_TIMEOUT.toMillis()));
    properties.put(
        ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, Math.toIntExact(ANSWER_TIMEOUT.toMillis()));
    return properties;
  }

  /** The longest message that the producer takes. */
  public int maxRequestSize() {
    return Integer.parseInt(
        String.valueOf(
            ClientProperties.parse(ProducerConfig.configDef(), producer)
                .get(ProducerConfig.MAX_REQUEST_SIZE_CONFIG)));
  }

  /** How long a producer may take to deliver its first message, before it has an id. */
  public Duration firstAnswerTimeout() {
    return Collections.max(
        List.of(deliveryTimeout.dividedBy(2), deliveryTimeout.minus(requestTimeout)));
  }

  /** The longest time from handing a message over to its outcome. */
  public Duration longestDelivery() {
    Duration first = firstAnswerTimeout().plus(requestTimeout);
    return maxBlock.plus(Collections.max(List.of(deliveryTimeout, first))).plus(ANSWER_TIMEOUT);
  }

  private static void refuseWhatBreaksPromises(Map<String, ?> properties) {
    require(properties, ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true");
    require(properties, ProducerConfig.ACKS_CONFIG, "all", "-1");
    require(properties, ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, "1");
    require(properties, ProducerConfig.PARTITIONER_IGNORE_KEYS_CONFIG, "false");
    ClientProperties.refuse(
        properties,
        ProducerConfig.TRANSACTIONAL_ID_CONFIG,
        "a publisher that uses transactions is made by buildTransactional");
    String bytes = "keys are sent as UTF-8 and bodies as they are, not by a serializer of your own";
    ClientProperties.refuse(properties, ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, bytes);
    ClientProperties.refuse(properties, ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, bytes);
  }

  private static void require(Map<String, ?> properties, String name, String... allowed) {
    @Nullable Object value = properties.get(name);
    String text = String.valueOf(value).strip().toLowerCase(Locale.ROOT);
    if (value != null && !List.of(allowed).contains(text)) {
      throw new IllegalArgumentException(
          "%s must be %s, not %s: the promised order or delivery depends on it"
              .formatted(name, allowed[0], value));
    }
  }
}
