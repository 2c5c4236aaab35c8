package dev.postcommit.demo.sandbox;

import dev.postcommit.demo.servers.Closing;
import dev.postcommit.layout.Layout;
import dev.postcommit.pubsub.PubSubConnection;
import dev.postcommit.server.cli.Sandbox;
import dev.postcommit.server.settings.DatabaseSettings;
import dev.postcommit.server.settings.Settings;
import dev.postcommit.server.table.Failure;
import dev.postcommit.server.terminal.Terminal;
import dev.postcommit.settings.BrokerSettings;
import dev.postcommit.settings.BrokerSettings.BrokerName;
import dev.postcommit.settings.ConfiguredLayout;
import dev.postcommit.settings.ConfiguredMessages;
import dev.postcommit.settings.Setting;
import dev.postcommit.settings.SettingException;
import dev.postcommit.testkit.kafka.KafkaServer;
import dev.postcommit.testkit.postgres.PostgresServer;
import dev.postcommit.testkit.pubsub.PubSubServer;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Servers of the testkit, for a relay whose settings name none. */
public final class SandboxServers implements Sandbox.Servers {

  /** The topic of the example event. */
  static final String TOPIC = "orders";

  private final PrintStream out;
  private final Map<String, String> environment = new LinkedHashMap<>();
  private final Closing closing = new Closing();

  private SandboxServers(PrintStream out) {
    this.out = out;
  }

  /** Starts the servers that {@code settings} do not name. */
  public static SandboxServers start(Settings settings, Terminal terminal) {
    SandboxServers servers = new SandboxServers(terminal.out());
    boolean database = !settings.isGiven(DatabaseSettings.DATABASE_URL);
    if (database && settings.isGiven(DatabaseSettings.DATABASE_USER)) {
      throw new SettingException(
          "database-user is given, and database-url is not; give it as well, or leave database-user"
              + " out for a database of the sandbox");
    }
    BrokerName broker = settings.get(BrokerSettings.BROKER);
    try {
      if (database) {
        servers.startPostgres();
      }
      if (broker == BrokerName.KAFKA && !settings.isGiven(BrokerSettings.KAFKA_BOOTSTRAP_SERVERS)) {
        servers.startKafka();
      }
      if (broker == BrokerName.PUBSUB && !settings.isGiven(BrokerSettings.PUBSUB_PROJECT)) {
        servers.startPubSub(topics(settings));
      }
      return servers;
    } catch (RuntimeException e) {
      servers.close();
      throw new Failure("the sandbox could not be started: " + e.getMessage(), e);
    }
  }

  private void startPostgres() {
    out.println("sandbox: database-url is not set; starting a Postgres for this run");
    PostgresServer postgres = closing.add(PostgresServer.start());
    put(DatabaseSettings.DATABASE_URL, postgres.jdbcUrl());
    put(DatabaseSettings.DATABASE_USER, postgres.username());
  }

  private void startKafka() {
    out.println("sandbox: kafka-bootstrap-servers is not set; starting a Kafka for this run");
    KafkaServer kafka = closing.add(KafkaServer.builder().autoCreateTopics(true).start());
    put(BrokerSettings.KAFKA_BOOTSTRAP_SERVERS, kafka.bootstrapServers());
  }

  /** Returns the topics of a fixed route, for which the relay would wait, or the example topic. */
  private static List<String> topics(Settings settings) {
    List<String> topics =
        ConfiguredMessages.route(settings, ConfiguredLayout.chosen(settings)).topics();
    return topics.isEmpty() ? List.of(TOPIC) : topics;
  }

  private void startPubSub(List<String> topics) {
    out.println("sandbox: pubsub-project is not set; starting a Pub/Sub server for this run");
    PubSubServer pubsub = closing.add(PubSubServer.startHere());
    topics.forEach(pubsub::createTopic);
    put(BrokerSettings.BROKER, Setting.word(BrokerName.PUBSUB));
    put(BrokerSettings.PUBSUB_PROJECT, pubsub.project());
    environment.put(PubSubConnection.EMULATOR_HOST, pubsub.emulatorHost());
  }

  private void put(Setting<?> setting, String text) {
    environment.put(setting.variable(), text);
  }

  @Override
  public Map<String, String> environment() {
    return Map.copyOf(environment);
  }

  @Override
  public void introduce(Layout layout) {
    if (!environment.isEmpty()) {
      new SandboxText(environment, layout).lines().forEach(out::println);
    }
  }

  @Override
  public void close() {
    closing.close();
  }
}
