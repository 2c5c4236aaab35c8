package dev.postcommit.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.pubsub.PubSubConnection;
import dev.postcommit.server.CapturedConsole;
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

  private CapturedConsole console(String emulatorHost) {
    Map<String, String> environment = new HashMap<>(fixture.environment());
    environment.put(PubSubConnection.EMULATOR_HOST, emulatorHost);
    environment.put("POSTCOMMIT_BROKER", "pubsub");
    environment.put("POSTCOMMIT_PUBSUB_PROJECT", pubsub.project());
    return CapturedConsole.withEnvironment(environment);
  }

  private static void assertStatus(CapturedConsole console, String... args) {
    assertThat(console.run(args)).as(console.err()).isZero();
    assertThat(console.err()).isEmpty();
  }

  @Test
  void aPubSubThatCanBeUsedIsOk() {
    pubsub.createTopic("status-orders");
    CapturedConsole console = console(pubsub.emulatorHost());
    String name = "Pub/Sub at " + pubsub.emulatorHost() + ", project " + pubsub.project();

    assertStatus(console, "status", "--route", "fixed:status-orders");
    assertThat(console.outLines()).last().isEqualTo("  broker     " + name + ": ok");
    assertStatus(console, "status", "--json");
    assertThat(console.out())
        .contains(",\"broker\":{\"kind\":\"pubsub\",\"name\":\"" + name + "\",\"problem\":null}}");
  }

  @Test
  void aTopicThatIsMissingIsNamed() {
    CapturedConsole console = console(pubsub.emulatorHost());
    String problem = "topic " + pubsub.topicName("nowhere") + " does not exist; create it: gcloud";

    assertStatus(console, "status", "--route", "fixed:nowhere");
    assertThat(console.outLines()).last().asString().contains(": " + problem);
    assertStatus(console, "status", "--json", "--route", "fixed:nowhere");
    assertThat(console.out()).contains("\"problem\":\"" + problem);
  }

  @Test
  void aServerThatIsDownIsNoFailureOfTheCommand() {
    CapturedConsole console = console("localhost:1");

    assertStatus(console, "status");
    assertThat(console.outLines())
        .contains("  pending    0")
        .last()
        .asString()
        .startsWith("  broker     Pub/Sub at localhost:1, project " + pubsub.project() + ": ")
        .doesNotEndWith("ok");
    assertStatus(console, "status", "--json");
    assertThat(console.out()).contains("\"pending\":0", "\"problem\":\"Pub/Sub at localhost:1");
  }

  @Test
  void kafkaIsAskedToo() {
    CapturedConsole console = fixture.console();
    String servers = KafkaServer.shared().bootstrapServers();

    assertStatus(console, "status", "--kafka-bootstrap-servers", servers);
    assertThat(console.outLines()).last().isEqualTo("  broker     Kafka at " + servers + ": ok");
    assertStatus(console, "status");
    assertThat(console.out()).doesNotContain("broker");
  }
}
