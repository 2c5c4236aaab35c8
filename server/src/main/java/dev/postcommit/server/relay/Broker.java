package dev.postcommit.server.relay;

import dev.postcommit.relay.Publisher;
import dev.postcommit.server.settings.BrokerSettings;
import dev.postcommit.server.settings.BrokerSettings.BrokerName;
import dev.postcommit.server.settings.Setting;
import dev.postcommit.server.settings.SettingException;
import dev.postcommit.server.settings.Settings;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The broker that the settings speak of. The libraries of the other one are not even loaded, as
 * that would cost every start some time.
 */
public interface Broker {

  /** Which broker. */
  BrokerName kind();

  /** Names the broker and where it is, without secrets. */
  String name();

  /**
   * A publisher, which connects on first use.
   *
   * @param topics those that events go to for certain
   */
  Publisher publisher(List<String> topics);

  /** What makes a delivery shorter, as the end of a sentence. */
  String shorterDelivery();

  /**
   * The broker of the settings.
   *
   * @param environment the variables of the environment
   * @throws SettingException if they do not name one, or name two
   */
  static Broker of(Settings settings, Map<String, String> environment) {
    return switch (settings.get(BrokerSettings.BROKER)) {
      case KAFKA -> {
        refuse(settings, BrokerSettings.PUBSUB, BrokerName.PUBSUB);
        yield KafkaBroker.of(settings);
      }
      case PUBSUB -> {
        refuse(settings, BrokerSettings.KAFKA, BrokerName.KAFKA);
        yield PubSubBroker.of(settings, environment);
      }
    };
  }

  /** The broker of the settings, if they say where one is. */
  static Optional<Broker> find(Settings settings, Map<String, String> environment) {
    return settings.isGiven(BrokerSettings.KAFKA_BOOTSTRAP_SERVERS)
            || settings.isGiven(BrokerSettings.PUBSUB_PROJECT)
        ? Optional.of(of(settings, environment))
        : Optional.empty();
  }

  private static void refuse(Settings settings, List<Setting<?>> others, BrokerName other) {
    for (Setting<?> setting : others) {
      if (settings.isGiven(setting)) {
        throw new SettingException(
            "%s is a setting of the broker %s, and broker is %s; leave %1$s out, or give %s %2$s"
                .formatted(
                    setting.name(),
                    Setting.word(other),
                    Setting.word(settings.get(BrokerSettings.BROKER)),
                    BrokerSettings.BROKER.flag()));
      }
    }
  }
}
