package dev.postcommit.server;

import dev.postcommit.kafka.KafkaDeadLetters;
import dev.postcommit.kafka.KafkaPublisher;
import dev.postcommit.relay.Publisher;
import dev.postcommit.server.settings.BrokerSettings;
import dev.postcommit.server.settings.BrokerSettings.BrokerName;
import dev.postcommit.server.settings.SettingException;
import dev.postcommit.server.settings.Settings;
import dev.postcommit.server.settings.SettingsFile;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The Kafka that the settings speak of. */
final class KafkaBroker implements Broker {
  private static final String BOOTSTRAP_SERVERS = "bootstrap.servers";

  private final Map<String, String> properties;

  private KafkaBroker(Map<String, String> properties) {
    this.properties = Map.copyOf(properties);
  }

  static KafkaBroker of(Settings settings) {
    Map<String, String> properties = new HashMap<>();
    settings
        .find(BrokerSettings.KAFKA_CONFIG_FILE)
        .ifPresent(
            file ->
                properties.putAll(
                    SettingsFile.read(file, BrokerSettings.KAFKA_CONFIG_FILE.name())));
    settings.find(BrokerSettings.KAFKA_CONFIG).ifPresent(properties::putAll);
    if (properties.containsKey(BOOTSTRAP_SERVERS)) {
      throw new SettingException(
          "kafka-config: set kafka-bootstrap-servers instead of " + BOOTSTRAP_SERVERS);
    }
    properties.put(BOOTSTRAP_SERVERS, settings.get(BrokerSettings.KAFKA_BOOTSTRAP_SERVERS));
    return new KafkaBroker(properties);
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
    try {
      return KafkaPublisher.builder().properties(properties).build();
    } catch (IllegalArgumentException e) {
      throw refused(e);
    }
  }

  @Override
  public String shorterDelivery() {
    return "kafka-config with shorter delivery.timeout.ms and max.block.ms";
  }

  /** The dead-letter topic of a name; it connects on first use. */
  KafkaDeadLetters letters(String topic) {
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
