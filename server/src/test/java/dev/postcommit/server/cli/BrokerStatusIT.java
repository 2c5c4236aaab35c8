package dev.postcommit.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.pubsub.PubSubConnection;
import dev.postcommit.server.CapturedTerminal;
import dev.postcommit.server.OutboxFixture;
import dev.postcommit.testkit.kafka.KafkaServer;
import dev.postcommit.testkit.pubsub.PubSubServer;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What {@code status} says of the broker. */
class BrokerStatusIT {
  private final PubSubServer pubsub = PubSubServer.shared();
  private final OutboxFixture fixture = new OutboxFixture();

  @BeforeEach
  void migrate() {
    fixture.migrate();
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private CapturedTerminal terminal(String emulatorHost) {
    Map<String, String> environment = new HashMap<>(fixture.environment());
    environment.put(PubSubConnection.EMULATOR_HOST, emulatorHost);
    environment.put("POSTCOMMIT_BROKER", "pubsub");
    environment.put("POSTCOMMIT_PUBSUB_PROJECT", pubsub.project());
    return CapturedTerminal.withEnvironment(environment);
  }

  private static void assertStatus(CapturedTerminal terminal, String... args) {
    assertThat(terminal.run(args)).as(terminal.err()).isZero();
    assertThat(terminal.err()).isEmpty();
  }

  @Test
  void aPubSubThatCanBeUsedIsOk() {
    pubsub.createTopic("status-orders");
    CapturedTerminal terminal = terminal(pubsub.emulatorHost());
    String name = "Pub/Sub at " + pubsub.emulatorHost() + ", project " + pubsub.project();

    assertStatus(terminal, "status", "--route", "fixed:status-orders");
    assertThat(terminal.outLines()).last().isEqualTo("  broker     " + name + ": ok");
    assertStatus(terminal, "status", "--json");
    assertThat(terminal.out())
        .contains(",\"broker\":{\"kind\":\"pubsub\",\"name\":\"" + name + "\",\"problem\":null}}");
  }

  @Test
  void aTopicThatIsMissingIsNamed() {
    CapturedTerminal terminal = terminal(pubsub.emulatorHost());
    String problem = "topic " + pubsub.topicName("nowhere") + " does not exist; create it: gcloud";

    assertStatus(terminal, "status", "--route", "fixed:nowhere");
    assertThat(terminal.outLines()).last().asString().contains(": " + problem);
    assertStatus(terminal, "status", "--json", "--route", "fixed:nowhere");
    assertThat(terminal.out()).contains("\"problem\":\"" + problem);
  }

  @Test
  void aServerThatIsDownIsNoFailureOfTheCommand() {
    CapturedTerminal terminal = terminal("localhost:1");

    assertStatus(terminal, "status");
    assertThat(terminal.outLines())
        .contains("  pending    0")
        .last()
        .asString()
        .startsWith("  broker     Pub/Sub at localhost:1, project " + pubsub.project() + ": ")
        .doesNotEndWith("ok");
    assertStatus(terminal, "status", "--json");
    assertThat(terminal.out()).contains("\"pending\":0", "\"problem\":\"Pub/Sub at localhost:1");
  }

  @Test
  void kafkaIsAskedToo() {
    CapturedTerminal terminal = fixture.terminal();
    String servers = KafkaServer.shared().bootstrapServers();

    assertStatus(terminal, "status", "--kafka-bootstrap-servers", servers);
    assertThat(terminal.outLines()).last().isEqualTo("  broker     Kafka at " + servers + ": ok");
    assertStatus(terminal, "status");
    assertThat(terminal.out()).doesNotContain("broker");
  }
}
