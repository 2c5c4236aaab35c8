package dev.postcommit.server.settings;

import dev.postcommit.server.settings.Setting.Group;
import dev.postcommit.server.settings.Setting.Traits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The settings of the broker that events go to. */
public final class BrokerSettings {
  private static final Duration SHORTEST_DELIVERY = Duration.ofMillis(100);

  /** The brokers that can be chosen by name. */
  public enum BrokerName {
    /** Apache Kafka. */
    KAFKA,
    /** Google Pub/Sub. */
    PUBSUB
  }

  /** Which broker. */
  public static final Setting<BrokerName> BROKER =
      Setting.of(
          Group.BROKER,
          "broker",
          "kafka|pubsub",
          "kafka",
          Readers.choice(BrokerName.class),
          "The broker that events go to: Apache Kafka or Google Pub/Sub.");

  /** Where Kafka is. */
  public static final Setting<String> KAFKA_BOOTSTRAP_SERVERS =
      Setting.of(
          Group.BROKER,
          "kafka-bootstrap-servers",
          "host:port,...",
          null,
          Readers.text(),
          "The Kafka brokers to start from. Required for Kafka.");

  /** More properties of the producer. */
  public static final Setting<Map<String, String>> KAFKA_CONFIG =
      Setting.of(
              Group.BROKER,
              "kafka-config",
              "name=value",
              null,
              Readers.pairs(),
              "A property of Kafka's clients. The flag may be repeated; in the environment or a"
                  + " file, one in a line.")
          .with(Traits.REPEATABLE_SECRET);

  /** A file with more properties of the producer. */
  public static final Setting<Path> KAFKA_CONFIG_FILE =
      Setting.of(
          Group.BROKER,
          "kafka-config-file",
          "file",
          null,
          Readers.path(),
          "A file of properties of Kafka's clients; kafka-config goes before it.");

  /** Whether Kafka's transactions are used, and under which name. */
  public static final Setting<String> KAFKA_TRANSACTIONAL_ID =
      Setting.of(
          Group.BROKER,
          "kafka-transactional-id",
          "name",
          null,
          Readers.filled(),
          "Delivers the events of a log to Kafka exactly once, in transactions of this name; see"
              + " docs/exactly-once.md. All relays of the table have the same, and nobody else has it."
              + " Off unless given; not with another layout or broker.");

  /** Whose Pub/Sub. */
  public static final Setting<String> PUBSUB_PROJECT =
      Setting.of(
          Group.BROKER,
          "pubsub-project",
          "id",
          null,
          Readers.text(),
          "The Google Cloud project that the topics belong to. Required for Pub/Sub. Who asks is"
              + " said by Google's default credentials; see docs/pubsub.md. If the environment has"
              + " PUBSUB_EMULATOR_HOST, that server is used, without credentials.");

  /** Where Pub/Sub is. */
  public static final Setting<String> PUBSUB_ENDPOINT =
      Setting.of(
          Group.BROKER,
          "pubsub-endpoint",
          "host:port",
          null,
          Readers.text(),
          "The endpoint of a region, as europe-west1-pubsub.googleapis.com:443, which keeps the order"
              + " of keys if publishers run in several regions. Unless given, Google chooses.");

  /** How long a delivery to Pub/Sub may take. */
  public static final Setting<Duration> PUBSUB_DELIVERY_TIMEOUT =
      Setting.of(
          Group.BROKER,
          "pubsub-delivery-timeout",
          "time",
          "20s",
          Readers.duration(SHORTEST_DELIVERY),
          "How long the relay tries to send an event to Pub/Sub before the attempt has failed.");

  /** Those with which any command reaches Kafka. */
  public static final List<Setting<?>> KAFKA =
      List.of(KAFKA_BOOTSTRAP_SERVERS, KAFKA_CONFIG, KAFKA_CONFIG_FILE);

  /** Those of Pub/Sub. */
  public static final List<Setting<?>> PUBSUB =
      List.of(PUBSUB_PROJECT, PUBSUB_ENDPOINT, PUBSUB_DELIVERY_TIMEOUT);

  private BrokerSettings() {}
}
