package dev.postcommit.server.relay;

import dev.postcommit.relay.Publisher;
import dev.postcommit.server.settings.ServerSettings;
import dev.postcommit.server.settings.Settings;
import dev.postcommit.settings.BrokerSettings;
import dev.postcommit.settings.BrokerSettings.BrokerName;
import dev.postcommit.settings.Setting;
import dev.postcommit.settings.SettingException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The configured broker. The other one's libraries are not loaded, to save start-up time. */
public interface Broker {

  /** The kind of broker. */
  BrokerName kind();

  /** Names the broker and where it is, without secrets. */
  String name();

  /**
   * A publisher, which connects on first use.
   *
   * @param topics those of a fixed route
   */
  Publisher publisher(List<String> topics);

  /** Which setting makes deliveries shorter, as the end of a sentence. */
  String shorterDelivery();

  /**
   * The broker of the settings.
   *
   * @param environment the variables of the environment
   * @throws SettingException if they name no broker, or two
   */
  static Broker of(Settings settings, Map<String, String> environment) {
    return switch (settings.get(BrokerSettings.BROKER)) {
      case KAFKA -> {
        refuse(settings, BrokerSettings.PUBSUB, BrokerName.PUBSUB);
        yield KafkaBroker.of(settings);
      }
      case PUBSUB -> {
        refuse(settings, ServerSettings.KAFKA_SETTINGS, BrokerName.KAFKA);
        yield PubSubBroker.of(settings, environment);
      }
    };
  }

  /** The broker of the settings, if they have its address. */
  static Optional<Broker> find(Settings settings, Map<String, String> environment) {
    return settings.isGiven(BrokerSettings.KAFKA_BOOTSTRAP_SERVERS)
            || settings.isGiven(BrokerSettings.PUBSUB_PROJECT)
        ? Optional.of(of(settings, environment))
        : Optional.empty();
  }

  private static void refuse(Settings settings, List<Setting<?>> others, BrokerName other) {
    BrokerName chosen = settings.get(BrokerSettings.BROKER);
    String why = "%s is %s".formatted(settings.name(BrokerSettings.BROKER), Setting.word(chosen));
    others.forEach(
        setting -> settings.refuse(setting, why, BrokerSettings.BROKER, Setting.word(other)));
  }
}
