package dev.postcommit.settings;

import dev.postcommit.settings.Setting.Group;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The settings of the broker that events go to. */
public final class BrokerSettings {

  /** The brokers that can be chosen by name. */
  public enum BrokerName {
    /** Apache Kafka. */
    KAFKA,
    /** Google Pub/Sub. */
    PUBSUB
  }

  public static final Setting<BrokerName> BROKER =
      Group.BROKER.setting(
          "broker",
          "kafka|pubsub",
          "kafka",
          Readers.choice(BrokerName.class),
          "The broker that events go to: Apache Kafka or Google Pub/Sub.");

  public static final Setting<String> KAFKA_BOOTSTRAP_SERVERS =
      Group.BROKER.setting(
          "kafka-bootstrap-servers",
          "host:port,...",
          Readers.text(),
          "The Kafka brokers to start from. Required for Kafka; a Spring application without it"
              + " uses those of spring.kafka.");

  public static final Setting<Map<String, String>> KAFKA_CONFIG =
      Group.BROKER
          .setting(
              "kafka-config",
              "name=value",
              Readers.pairs(),
              "Properties of Kafka's clients. The option may be repeated; variables and files take"
                  + " one per line, a Spring application postcommit.kafka.config.<name>.")
          .secret();

  public static final Setting<String> KAFKA_TRANSACTIONAL_ID =
      Group.BROKER.setting(
          "kafka-transactional-id",
          "name",
          Readers.filled(),
          "Delivers the events of a log to Kafka exactly once, in transactions with this id; see"
              + " docs/exactly-once.md. All relays of the table share it, and no other producer may"
              + " use it. Only for the log layout and Kafka.");

  public static final Setting<String> PUBSUB_PROJECT =
      Group.BROKER.setting(
          "pubsub-project",
          "id",
          Readers.text(),
          "The Google Cloud project of the topics. Required for Pub/Sub; a Spring application"
              + " without it uses that of spring.cloud.gcp. Google's default credentials apply; see"
              + " docs/pubsub.md. If PUBSUB_EMULATOR_HOST is set, the server uses that emulator,"
              + " without credentials.");

  public static final Setting<String> PUBSUB_ENDPOINT =
      Group.BROKER.setting(
          "pubsub-endpoint",
          "host:port",
          Readers.text(),
          "A regional endpoint, such as europe-west1-pubsub.googleapis.com:443. It keeps events in"
              + " order per key even if publishers run in several regions. Default: Google's choice.");

  public static final Setting<Duration> PUBSUB_DELIVERY_TIMEOUT =
      Group.BROKER.setting(
          "pubsub-delivery-timeout",
          "time",
          "20s",
          Readers.duration(Duration.ofMillis(100)),
          "How long the relay tries to send an event to Pub/Sub before the attempt has failed.");

  /** Those that apply to Pub/Sub only. */
  public static final List<Setting<?>> PUBSUB =
      List.of(PUBSUB_PROJECT, PUBSUB_ENDPOINT, PUBSUB_DELIVERY_TIMEOUT);

  static final List<Setting<?>> ALL =
      List.of(
          BROKER,
          KAFKA_BOOTSTRAP_SERVERS,
          KAFKA_CONFIG,
          KAFKA_TRANSACTIONAL_ID,
          PUBSUB_PROJECT,
          PUBSUB_ENDPOINT,
          PUBSUB_DELIVERY_TIMEOUT);

  private BrokerSettings() {}
}
