package dev.postcommit.server;

import dev.postcommit.kafka.KafkaDeadLetters;
import dev.postcommit.kafka.KafkaPublisher;
import dev.postcommit.relay.Publisher;
import dev.postcommit.server.settings.ServerSettings;
import dev.postcommit.server.settings.SettingException;
import dev.postcommit.server.settings.Settings;
import dev.postcommit.server.settings.SettingsFile;
import java.util.HashMap;
import java.util.Map;

/** Makes what connects to the Kafka that the settings speak of. */
final class KafkaConnections {
  private static final String BOOTSTRAP_SERVERS = "bootstrap.servers";

  private KafkaConnections() {}

  /** The publisher; it connects on first use. */
  static Publisher open(Settings settings) {
    try {
      return KafkaPublisher.builder().properties(properties(settings)).build();
    } catch (IllegalArgumentException e) {
      throw refused(e);
    }
  }

  /** The dead-letter topic of a name; it connects on first use. */
  static KafkaDeadLetters letters(Settings settings, String topic) {
    try {
      return KafkaDeadLetters.open(properties(settings), topic);
    } catch (IllegalArgumentException e) {
      throw refused(e);
    }
  }

  private static SettingException refused(IllegalArgumentException e) {
    return new SettingException("kafka-config: " + e.getMessage());
  }

  private static Map<String, String> properties(Settings settings) {
    Map<String, String> properties = new HashMap<>();
    settings
        .find(ServerSettings.KAFKA_CONFIG_FILE)
        .ifPresent(
            file ->
                properties.putAll(
                    SettingsFile.read(file, ServerSettings.KAFKA_CONFIG_FILE.name())));
    settings.find(ServerSettings.KAFKA_CONFIG).ifPresent(properties::putAll);
    if (properties.containsKey(BOOTSTRAP_SERVERS)) {
      throw new SettingException(
          "kafka-config: set kafka-bootstrap-servers instead of " + BOOTSTRAP_SERVERS);
    }
    properties.put(BOOTSTRAP_SERVERS, settings.get(ServerSettings.KAFKA_BOOTSTRAP_SERVERS));
    return properties;
  }
}
