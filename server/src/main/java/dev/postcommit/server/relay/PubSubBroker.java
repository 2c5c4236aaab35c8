package dev.postcommit.server.relay;

import dev.postcommit.pubsub.PubSubConnection;
import dev.postcommit.relay.Publisher;
import dev.postcommit.server.logging.Logs;
import dev.postcommit.server.settings.Settings;
import dev.postcommit.settings.BrokerSettings;
import dev.postcommit.settings.BrokerSettings.BrokerName;
import dev.postcommit.settings.ConfiguredPubSub;
import java.util.List;
import java.util.Map;

/** Pub/Sub, as configured. */
final class PubSubBroker implements Broker {
  private final Settings settings;
  private final PubSubConnection connection;

  private PubSubBroker(Settings settings, PubSubConnection connection) {
    this.settings = settings;
    this.connection = connection;
  }

  static PubSubBroker of(Settings settings, Map<String, String> environment) {
    Logs.quietGrpc();
    String emulator = environment.getOrDefault(PubSubConnection.EMULATOR_HOST, "").strip();
    return new PubSubBroker(
        settings,
        ConfiguredPubSub.connection(
            settings,
            settings.get(BrokerSettings.PUBSUB_PROJECT),
            connection -> emulator.isEmpty() ? connection : connection.emulator(emulator)));
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
    return ConfiguredPubSub.publisher(settings, connection, topics);
  }

  @Override
  public String shorterDelivery() {
    return "a shorter pubsub-delivery-timeout";
  }
}
