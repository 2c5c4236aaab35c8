package dev.postcommit.server.relay;

import static org.awaitility.Awaitility.await;

import dev.postcommit.Event;
import dev.postcommit.server.Main;
import dev.postcommit.server.OutboxFixture;
import dev.postcommit.testkit.kafka.KafkaServer;
import dev.postcommit.testkit.process.ChildProcess;
import dev.postcommit.testkit.process.Processes;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RetentionIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String TOPIC = "retention-it";

  private final Processes processes = Processes.create();
  private final OutboxFixture fixture = new OutboxFixture();

  @AfterEach
  void close() {
    processes.close();
    fixture.close();
  }

  private static Event.Builder event(String key) {
    return Event.builder(TOPIC).key(key).json("{}");
  }

  private List<String> keys() throws SQLException {
    List<String> keys = new ArrayList<>();
    try (Connection connection = fixture.database().dataSource().getConnection();
        ResultSet rows =
            connection.createStatement().executeQuery("SELECT key FROM postcommit_outbox")) {
      while (rows.next()) {
        keys.add(rows.getString(1));
      }
    }
    return keys;
  }

  @Test
  @DisplayName("R46: a relay deletes what it delivered longer ago than retention, and nothing else")
  void aRelayPrunes() throws SQLException {
    KafkaServer.shared().createTopic(TOPIC, 1);
    fixture.migrate();
    fixture.enqueueAll(
        List.of(
            event("delivered").build(),
            event("pending").availableAt(Instant.now().plusSeconds(3600)).build()));
    Processes.Builder relay = processes.java(Main.class).arguments("relay");
    fixture.environment().forEach(relay::environment);
    ChildProcess process =
        relay
            .environment(
                "POSTCOMMIT_KAFKA_BOOTSTRAP_SERVERS", KafkaServer.shared().bootstrapServers())
            .environment("POSTCOMMIT_RETENTION", "1s")
            .start();

    await().atMost(PATIENCE).until(() -> keys().equals(List.of("pending")));
    await().until(() -> process.output().contains("pruned 1 events delivered over 1s ago"));
  }
}
