package dev.postcommit.server.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.Event;
import dev.postcommit.server.Main;
import dev.postcommit.server.OutboxFixture;
import dev.postcommit.store.OutboxAdmin.Status;
import dev.postcommit.testkit.kafka.KafkaServer;
import dev.postcommit.testkit.process.ChildProcess;
import dev.postcommit.testkit.process.Processes;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RelayProcessIT {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Processes processes = Processes.create();
  private final OutboxFixture fixture = new OutboxFixture();

  @AfterEach
  void close() {
    processes.close();
    fixture.close();
  }

  private Processes.Builder relay(String bootstrapServers) {
    Processes.Builder relay = processes.java(Main.class).arguments("relay");
    fixture.environment().forEach(relay::environment);
    return relay
        .environment("POSTCOMMIT_DATABASE_PASSWORD", "hunter2")
        .environment("POSTCOMMIT_KAFKA_BOOTSTRAP_SERVERS", bootstrapServers);
  }

  private void enqueue(String topic, int count) throws SQLException {
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      events.add(
          Event.builder("tick")
              .topic(topic)
              .key("key-" + i % 50)
              .json("{\"i\":" + i + "}")
              .build());
    }
    fixture.enqueueAll(events);
  }

  private static int exitCodeOf(ChildProcess process) {
    return process.awaitExit(PATIENCE);
  }

  @Test
  void aRelayDeliversAndOnSigtermDrainsAndExitsWithZero() throws SQLException {
    String topic = "relay-it";
    KafkaServer.shared().createTopic(topic, 3);
    fixture.migrate();
    enqueue(topic, 500);
    ChildProcess relay =
        relay(KafkaServer.shared().bootstrapServers())
            .environment("POSTCOMMIT_HTTP_PORT", "0")
            .start();
    await().atMost(PATIENCE).until(() -> fixture.admin().status().pending() == 0);

    // In the middle of a backlog
    enqueue(topic, 5000);
    await().atMost(PATIENCE).until(() -> fixture.admin().status().pending() < 5000);
    relay.terminate();
    assertThat(exitCodeOf(relay)).as(relay.output()).isZero();

    Status status = fixture.admin().status();
    assertThat(status.inFlight()).as("nothing stays claimed").isZero();
    assertThat(status.dead()).isZero();
    assertThat(relay.output())
        .contains("from postcommit_outbox at jdbc:postgresql:")
        .contains("batch-size 500")
        .contains("max-attempts 20")
        .contains("stopping")
        .doesNotContain("hunter2");
  }

  @Test
  void aRelayWaitsForATableAndForABrokerThatAreNotThereYet() {
    ChildProcess relay = relay("localhost:1").start();
    await()
        .atMost(PATIENCE)
        .until(() -> relay.output().contains("broker unavailable, waiting for it"));
    await()
        .atMost(PATIENCE)
        .until(() -> relay.output().contains("there is no table postcommit_outbox"));
    assertThat(relay.output()).contains("run 'postcommit migrate'");
    relay.terminate();
    assertThat(exitCodeOf(relay)).as(relay.output()).isZero();
  }

  @Test
  void aRelayWhoseTableDoesNotFitEndsWithALineForEachProblem() throws SQLException {
    fixture.migrate();
    try (var connection = fixture.database().dataSource().getConnection();
        var statement = connection.createStatement()) {
      statement.execute("ALTER TABLE postcommit_outbox RENAME payload TO content");
      statement.execute("ALTER TABLE postcommit_outbox ALTER attempts TYPE bigint");
    }
    ChildProcess relay = relay("localhost:1").start();
    assertThat(exitCodeOf(relay)).as(relay.output()).isEqualTo(1);
    assertThat(relay.output().lines())
        .anyMatch(line -> line.startsWith("postcommit relay: postcommit_outbox at jdbc:"))
        .anyMatch(line -> line.startsWith("  there is no column payload for PAYLOAD"))
        .contains("  column attempts for ATTEMPTS is bigint, not int as the layout says");
  }

  @Test
  void aRelayWaitsForADatabaseThatIsNotThereYet() {
    ChildProcess relay =
        relay(KafkaServer.shared().bootstrapServers())
            .environment("POSTCOMMIT_DATABASE_URL", "jdbc:postgresql://localhost:1/x")
            .start();
    await()
        .atMost(PATIENCE)
        .until(() -> relay.output().contains("database unavailable, waiting for it"));
    assertThat(relay.output()).contains("Connection to localhost:1 refused");
    relay.terminate();
    assertThat(exitCodeOf(relay)).as(relay.output()).isZero();
  }

  @Test
  void aRelayWithWrongSettingsEndsAtOnceWithOneLine() {
    ChildProcess relay = relay("localhost:1").environment("POSTCOMMIT_LEASE", "soon").start();
    assertThat(exitCodeOf(relay)).isEqualTo(2);
    assertThat(relay.output())
        .hasLineCount(1)
        .contains("POSTCOMMIT_LEASE: 'soon' is not a duration");
  }
}
