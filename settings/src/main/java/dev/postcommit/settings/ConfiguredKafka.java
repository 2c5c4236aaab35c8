package dev.postcommit.settings;

import dev.postcommit.kafka.KafkaPublisher;
import dev.postcommit.relay.Publisher;
import dev.postcommit.relay.TransactionalPublisher;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/** How Kafka is reached, as the settings say. */
public final class ConfiguredKafka {
  private static final String BOOTSTRAP_SERVERS = "bootstrap.servers";

  private ConfiguredKafka() {}

  /**
   * The properties of Kafka's clients.
   *
   * @param base those of the environment
   * @param own those that the user gave for Postcommit, which take precedence
   * @throws SettingException if one of {@code own} has a setting
   */
  public static Map<String, Object> properties(
      SettingValues values, Map<String, ?> base, Map<String, String> own) {
    refuse(values, own, BOOTSTRAP_SERVERS, BrokerSettings.KAFKA_BOOTSTRAP_SERVERS);
    refuse(values, own, "transactional.id", BrokerSettings.KAFKA_TRANSACTIONAL_ID);
    Map<String, Object> properties = new HashMap<>(base);
    properties.putAll(own);
    if (values.isGiven(BrokerSettings.KAFKA_BOOTSTRAP_SERVERS)
        || !properties.containsKey(BOOTSTRAP_SERVERS)) {
      properties.put(BOOTSTRAP_SERVERS, values.get(BrokerSettings.KAFKA_BOOTSTRAP_SERVERS));
    }
    return properties;
  }

  private static void refuse(
      SettingValues values, Map<String, String> own, String property, Setting<?> setting) {
    if (own.containsKey(property)) {
      throw new SettingException(
          "%s: set %s instead of %s"
              .formatted(values.name(BrokerSettings.KAFKA_CONFIG), values.name(setting), property));
    }
  }

  /** A publisher, transactional if there is an id, which connects on first use. */
  public static Publisher publisher(SettingValues values, Map<String, ?> properties) {
    return values.isGiven(BrokerSettings.KAFKA_TRANSACTIONAL_ID)
        ? transactionalPublisher(values, properties)
        : plainPublisher(values, properties);
  }

  /** A publisher without transactions. */
  public static KafkaPublisher plainPublisher(SettingValues values, Map<String, ?> properties) {
    return build(values, properties, KafkaPublisher.Builder::build);
  }

  /** A publisher with transactions. */
  public static TransactionalPublisher transactionalPublisher(
      SettingValues values, Map<String, ?> properties) {
    String id = values.get(BrokerSettings.KAFKA_TRANSACTIONAL_ID);
    return build(values, properties, builder -> builder.buildTransactional(id));
  }

  private static <P extends Publisher> P build(
      SettingValues values, Map<String, ?> properties, Function<KafkaPublisher.Builder, P> build) {
    try {
      return build.apply(KafkaPublisher.builder().properties(properties));
    } catch (IllegalArgumentException e) {
      throw refused(values, e);
    }
  }

  /** Kafka's clients refuse their properties. */
  public static SettingException refused(SettingValues values, IllegalArgumentException e) {
    return values.invalid(BrokerSettings.KAFKA_CONFIG, e);
  }
}
