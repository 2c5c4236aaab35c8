package dev.postcommit.server.relay;

import dev.postcommit.kafka.deadletter.KafkaDeadLetters;
import dev.postcommit.relay.Publisher;
import dev.postcommit.server.settings.ServerSettings;
import dev.postcommit.server.settings.Settings;
import dev.postcommit.server.settings.SettingsFile;
import dev.postcommit.settings.BrokerSettings;
import dev.postcommit.settings.BrokerSettings.BrokerName;
import dev.postcommit.settings.ConfiguredKafka;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Kafka, as configured. */
public final class KafkaBroker implements Broker {
  private static final String BOOTSTRAP_SERVERS = "bootstrap.servers";

  private final Settings settings;
  private final Map<String, Object> properties;

  private KafkaBroker(Settings settings, Map<String, Object> properties) {
    this.settings = settings;
    this.properties = Map.copyOf(properties);
  }

  public static KafkaBroker of(Settings settings) {
    Map<String, String> own = new HashMap<>();
    settings
        .find(ServerSettings.KAFKA_CONFIG_FILE)
        .map(file -> SettingsFile.read(file, settings.name(ServerSettings.KAFKA_CONFIG_FILE)))
        .ifPresent(own::putAll);
    settings.find(BrokerSettings.KAFKA_CONFIG).ifPresent(own::putAll);
    return new KafkaBroker(settings, ConfiguredKafka.properties(settings, Map.of(), own));
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
    return ConfiguredKafka.publisher(settings, properties);
  }

  @Override
  public String shorterDelivery() {
    return "kafka-config with shorter delivery.timeout.ms and max.block.ms";
  }

  /** A dead-letter topic; it connects on first use. */
  public KafkaDeadLetters letters(String topic) {
    try {
      return KafkaDeadLetters.open(properties, topic);
    } catch (IllegalArgumentException e) {
      throw ConfiguredKafka.refused(settings, e);
    }
  }
}
