package dev.postcommit.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.Event;
import dev.postcommit.testkit.ChildProcess;
import dev.postcommit.testkit.KafkaServer;
import dev.postcommit.testkit.Processes;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.json.JsonParser;
import org.springframework.boot.json.JsonParserFactory;

/** The log of a relay process. */
class RelayLogIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String PAYLOAD = "no-business-of-the-log";
  private static final JsonParser PARSER = JsonParserFactory.getJsonParser();

  private final Processes processes = Processes.create();
  private final OutboxFixture fixture = new OutboxFixture();

  @AfterEach
  void close() {
    processes.close();
    fixture.close();
  }

  private Processes.Builder relay() {
    Processes.Builder relay = processes.java(Main.class).arguments("relay");
    fixture.environment().forEach(relay::environment);
    return relay
        .environment("POSTCOMMIT_HTTP_PORT", "0")
        .environment("POSTCOMMIT_KAFKA_BOOTSTRAP_SERVERS", KafkaServer.shared().bootstrapServers())
        .environment("POSTCOMMIT_ENVELOPE", "built")
        .environment("POSTCOMMIT_SOURCE", "shop");
  }

  private String enqueue(String topic, String payload) throws SQLException {
    return fixture.enqueue(
        Event.builder("order.placed")
            .topic(topic)
            .aggregate("order", "order-7")
            .header("traceparent", "00-" + TRACE + "-00f067aa0ba902b7-01")
            .header("correlationId", "checkout-3")
            .json(payload));
  }

  private static String text(Map<String, Object> line, String field) {
    return String.valueOf(line.get(field));
  }

  @Test
  @DisplayName("R50: in JSON each line about an event has all its ids, and never its payload")
  void aLogInJsonShowsThePathOfAnEventByItsId() throws SQLException {
    String topic = "relay-log";
    KafkaServer.shared().createTopic(topic, 1);
    fixture.migrate();
    assertThat(fixture.console().run("migrate", "--table", "second_outbox")).isZero();
    String good = enqueue(topic, "{\"note\":\"" + PAYLOAD + "\"}");
    String bad = enqueue("no topic of " + PAYLOAD.length(), "{\"note\":\"" + PAYLOAD + "\"}");
    ChildProcess relay =
        relay()
            .environment("POSTCOMMIT_LOG_FORMAT", "json")
            .environment("POSTCOMMIT_LOG_LEVEL", "info,dev.postcommit.event=debug")
            .environment("POSTCOMMIT_RELAYS", "first,second")
            .environment("POSTCOMMIT_RELAY_SECOND_TABLE", "second_outbox")
            .start();
    await().atMost(PATIENCE).until(() -> fixture.admin().status().pending() == 0);
    relay.terminate();
    assertThat(relay.awaitExit(PATIENCE)).as(relay.output()).isZero();

    assertThat(relay.output()).doesNotContain(PAYLOAD);
    List<Map<String, Object>> lines = relay.output().lines().map(PARSER::parseMap).toList();
    assertThat(lines)
        .allSatisfy(
            line -> {
              assertThat(line).containsKeys("@timestamp", "level", "logger", "thread", "message");
              assertThat(line).doesNotContainKeys("format", "mdc", "@version", "level_value");
              assertThat(line.values()).noneMatch(Map.class::isInstance);
            });
    assertThat(path(lines, good)).containsExactly("DEBUG claimed", "DEBUG delivered");
    assertThat(path(lines, bad)).containsExactly("DEBUG claimed", "ERROR dead event");
    assertThat(lines)
        .filteredOn(line -> line.containsKey("event_id") || text(line, "message").contains(good))
        .hasSizeGreaterThanOrEqualTo(4)
        .allSatisfy(
            line ->
                assertThat(line)
                    .containsEntry("event_type", "order.placed")
                    .containsEntry("aggregate_type", "order")
                    .containsEntry("aggregate_id", "order-7")
                    .containsEntry("traceId", TRACE)
                    .containsEntry("correlationId", "checkout-3")
                    .containsEntry("attempt", "1")
                    .containsEntry("relay", "first")
                    .containsEntry("table", "postcommit_outbox"));
    assertThat(lines)
        .filteredOn(line -> "second".equals(line.get("relay")))
        .isNotEmpty()
        .allSatisfy(line -> assertThat(line).containsEntry("table", "second_outbox"));
  }

  /** What the log says of an event, in order. */
  private static List<String> path(List<Map<String, Object>> lines, String id) {
    return lines.stream()
        .filter(line -> id.equals(line.get("event_id")))
        .filter(line -> !text(line, "message").startsWith("cause of death"))
        .map(line -> line.get("level") + " " + text(line, "message").replaceFirst(":.*", ""))
        .toList();
  }

  @Test
  void theLevelOfALibraryCanBeSet() {
    ChildProcess relay =
        relay()
            .environment("POSTCOMMIT_LOG_LEVEL", "error,org.apache.kafka.common.config=info")
            .start();
    await()
        .atMost(PATIENCE)
        .until(() -> relay.output().contains("INFO  AbstractConfig - AdminClientConfig values"));
    relay.terminate();
    assertThat(relay.awaitExit(PATIENCE)).as(relay.output()).isZero();
    assertThat(relay.output()).doesNotContain("RunningRelay");
  }
}
