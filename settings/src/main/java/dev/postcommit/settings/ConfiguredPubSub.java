package dev.postcommit.settings;

import dev.postcommit.pubsub.PubSubConnection;
import dev.postcommit.pubsub.PubSubPublisher;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;

/** How Pub/Sub is reached, as the settings say. */
public final class ConfiguredPubSub {
  private static final Duration LONGEST_REQUEST = Duration.ofSeconds(8);

  private ConfiguredPubSub() {}

  /**
   * A connection.
   *
   * @param project the project, if the settings name none
   * @param environment what the environment adds: credentials, an emulator
   * @throws SettingException if a setting is invalid
   */
  public static PubSubConnection connection(
      SettingValues values, String project, UnaryOperator<PubSubConnection> environment) {
    try {
      PubSubConnection connection = environment.apply(PubSubConnection.of(project));
      return values
          .find(BrokerSettings.PUBSUB_ENDPOINT)
          .map(connection::endpoint)
          .orElse(connection);
    } catch (IllegalArgumentException e) {
      throw refused(e);
    }
  }

  /**
   * A publisher, which connects on first use.
   *
   * @param topics those that events go to for certain
   * @throws SettingException if a setting is invalid
   */
  public static PubSubPublisher publisher(
      SettingValues values, PubSubConnection connection, List<String> topics) {
    Duration delivery = values.get(BrokerSettings.PUBSUB_DELIVERY_TIMEOUT);
    try {
      return PubSubPublisher.builder(connection)
          .topics(topics.toArray(String[]::new))
          .deliveryTimeout(delivery)
          .requestTimeout(Collections.min(List.of(delivery, LONGEST_REQUEST)))
          .build();
    } catch (IllegalArgumentException e) {
      throw refused(e);
    }
  }

  private static SettingException refused(IllegalArgumentException e) {
    return new SettingException("broker pubsub: " + e.getMessage());
  }
}
