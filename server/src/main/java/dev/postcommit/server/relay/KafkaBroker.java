package dev.postcommit.server.relay;

import dev.postcommit.kafka.KafkaPublisher;
import dev.postcommit.kafka.deadletter.KafkaDeadLetters;
import dev.postcommit.relay.Publisher;
import dev.postcommit.server.settings.BrokerSettings;
import dev.postcommit.server.settings.BrokerSettings.BrokerName;
import dev.postcommit.server.settings.Setting;
import dev.postcommit.server.settings.SettingException;
import dev.postcommit.server.settings.Settings;
import dev.postcommit.server.settings.SettingsFile;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The Kafka that the settings speak of. */
public final class KafkaBroker implements Broker {
  private static final String BOOTSTRAP_SERVERS = "bootstrap.servers";

  /** Kafka's names of what has a setting of its own. */
  private static final Map<String, Setting<String>> OWN =
      Map.of(
          BOOTSTRAP_SERVERS,
          BrokerSettings.KAFKA_BOOTSTRAP_SERVERS,
          "transactional.id",
          BrokerSettings.KAFKA_TRANSACTIONAL_ID);

  private final Map<String, String> properties;
  private final @Nullable String transactionalId;

  private KafkaBroker(Map<String, String> properties, @Nullable String transactionalId) {
    this.properties = Map.copyOf(properties);
    this.transactionalId = transactionalId;
  }

  public static KafkaBroker of(Settings settings) {
    Map<String, String> properties = new HashMap<>();
    settings
        .find(BrokerSettings.KAFKA_CONFIG_FILE)
        .ifPresent(
            file ->
                properties.putAll(
                    SettingsFile.read(file, BrokerSettings.KAFKA_CONFIG_FILE.name())));
    settings.find(BrokerSettings.KAFKA_CONFIG).ifPresent(properties::putAll);
    OWN.forEach(
        (property, setting) -> {
          if (properties.containsKey(property)) {
            throw new SettingException(
                "kafka-config: set %s instead of %s".formatted(setting.name(), property));
          }
        });
    properties.put(BOOTSTRAP_SERVERS, settings.get(BrokerSettings.KAFKA_BOOTSTRAP_SERVERS));
    return new KafkaBroker(
        properties, settings.find(BrokerSettings.KAFKA_TRANSACTIONAL_ID).orElse(null));
  }

  @Override
  public BrokerName kind() {
    return BrokerName.KAFKA;
  }

  @Override
  public String name() {
    return "Kafka at " + properties.get(BOOTSTRAP_SERVERS);
  }

  @Override
  public Publisher publisher(List<String> topics) {
    KafkaPublisher.Builder builder = KafkaPublisher.builder().properties(properties);
    try {
      return transactionalId == null
          ? builder.build()
          : builder.buildTransactional(transactionalId);
    } catch (IllegalArgumentException e) {
      throw refused(e);
    }
  }

  @Override
  public String shorterDelivery() {
    return "kafka-config with shorter delivery.timeout.ms and max.block.ms";
  }

  /** The dead-letter topic of a name; it connects on first use. */
  public KafkaDeadLetters letters(String topic) {
    try {
      return KafkaDeadLetters.open(properties, topic);
    } catch (IllegalArgumentException e) {
      throw refused(e);
    }
  }

  private static SettingException refused(IllegalArgumentException e) {
    return new SettingException("kafka-config: " + e.getMessage());
  }
}
