package dev.postcommit.server;

import dev.postcommit.kafka.KafkaPublisher;
import dev.postcommit.relay.Publisher;
import dev.postcommit.server.settings.ServerSettings;
import dev.postcommit.server.settings.SettingException;
import dev.postcommit.server.settings.Settings;
import dev.postcommit.server.settings.SettingsFile;
import java.util.HashMap;
import java.util.Map;

/** Makes the publisher that the settings speak of. */
final class KafkaPublishers {
  private static final String BOOTSTRAP_SERVERS = "bootstrap.servers";

  private KafkaPublishers() {}

  /** The publisher; it connects on first use. */
  static Publisher open(Settings settings) {
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
    String servers = settings.get(ServerSettings.KAFKA_BOOTSTRAP_SERVERS);
    try {
      return KafkaPublisher.builder().properties(properties).bootstrapServers(servers).build();
    } catch (IllegalArgumentException e) {
      throw new SettingException("kafka-config: " + e.getMessage());
    }
  }
}
