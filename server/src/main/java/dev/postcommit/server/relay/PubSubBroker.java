package dev.postcommit.server.relay;

import dev.postcommit.pubsub.PubSubConnection;
import dev.postcommit.pubsub.PubSubPublisher;
import dev.postcommit.relay.Publisher;
import dev.postcommit.server.logging.Logs;
import dev.postcommit.server.settings.BrokerSettings;
import dev.postcommit.server.settings.BrokerSettings.BrokerName;
import dev.postcommit.server.settings.SettingException;
import dev.postcommit.server.settings.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The Pub/Sub that the settings speak of. */
final class PubSubBroker implements Broker {
  private static final Duration LONGEST_REQUEST = Duration.ofSeconds(8);

  private final PubSubConnection connection;
  private final Duration deliveryTimeout;

  private PubSubBroker(PubSubConnection connection, Duration deliveryTimeout) {
    this.connection = connection;
    this.deliveryTimeout = deliveryTimeout;
  }

  static PubSubBroker of(Settings settings, Map<String, String> environment) {
    Logs.quietGrpc();
    String project = settings.get(BrokerSettings.PUBSUB_PROJECT);
    String emulator = environment.getOrDefault(PubSubConnection.EMULATOR_HOST, "").strip();
    try {
      PubSubConnection connection = PubSubConnection.of(project);
      if (!emulator.isEmpty()) {
        connection = connection.emulator(emulator);
      }
      return new PubSubBroker(
          settings
              .find(BrokerSettings.PUBSUB_ENDPOINT)
              .map(connection::endpoint)
              .orElse(connection),
          settings.get(BrokerSettings.PUBSUB_DELIVERY_TIMEOUT));
    } catch (IllegalArgumentException e) {
      throw refused(e);
    }
  }

  @Override
  public BrokerName kind() {
    return BrokerName.PUBSUB;
  }

  @Override
  public String name() {
    return connection.toString();
  }

  @Override
  public Publisher publisher(List<String> topics) {
    try {
      return PubSubPublisher.builder(connection)
          .topics(topics.toArray(String[]::new))
          .deliveryTimeout(deliveryTimeout)
          .requestTimeout(requestTimeout())
          .build();
    } catch (IllegalArgumentException e) {
      throw refused(e);
    }
  }

  private Duration requestTimeout() {
    return deliveryTimeout.compareTo(LONGEST_REQUEST) < 0 ? deliveryTimeout : LONGEST_REQUEST;
  }

  @Override
  public String shorterDelivery() {
    return "a shorter pubsub-delivery-timeout";
  }

  private static SettingException refused(IllegalArgumentException e) {
    return new SettingException("broker pubsub: " + e.getMessage());
  }
}
