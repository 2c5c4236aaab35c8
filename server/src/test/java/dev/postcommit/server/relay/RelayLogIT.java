package dev.postcommit.server.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.postcommit.Event;
import dev.postcommit.server.Main;
import dev.postcommit.server.OutboxFixture;
import dev.postcommit.server.OutboxPublisher;
import dev.postcommit.store.Decision;
import dev.postcommit.testkit.contract.Programs;
import dev.postcommit.testkit.fault.SmallDisk;
import dev.postcommit.testkit.kafka.KafkaReader;
import dev.postcommit.testkit.kafka.KafkaServer;
import dev.postcommit.testkit.process.ChildProcess;
import dev.postcommit.testkit.process.Processes;
import java.nio.file.Files;
import java.nio.file.Path;
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

  @Test
  @DisplayName("no event, header or operator can forge a line of the text log")
  void nothingForgesALine() throws SQLException {
    fixture.migrate();
    String forged = "2026-01-01T00:00:00.000Z ERROR Relay - forged";
    String attack = "x\n%1$s\r%1$s\u0085%1$s\u2028%1$s\u001b[2J\u009b2J\u202e".formatted(forged);
    KafkaServer.shared().createTopic("forgery", 1);
    // Dead for its payload, which is no JSON; with all that the log has of an event.
    fixture.enqueue(
        Event.builder(attack)
            .topic("forgery")
            .aggregate(attack, attack)
            .header("traceId", attack)
            .header("correlationId", attack)
            .bytes(new byte[] {1}));
    fixture.admin().pause(new Decision(attack, attack));
    ChildProcess relay =
        relay().environment("POSTCOMMIT_LOG_LEVEL", "dev.postcommit=debug").start();
    await().atMost(PATIENCE).until(() -> relay.output().contains("paused by x"));
    fixture.admin().resume(new Decision("ada", null));
    await().atMost(PATIENCE).until(() -> fixture.admin().status().dead() == 1);
    await().atMost(PATIENCE).until(() -> relay.output().contains("cause of death"));
    relay.terminate();
    assertThat(relay.awaitExit(PATIENCE)).as(relay.output()).isZero();

    assertThat(relay.output()).contains("dead event", "forged");
    assertThat(relay.output().split("\\R"))
        .noneMatch(line -> line.startsWith(forged))
        .allMatch(line -> line.chars().noneMatch(c -> c != '\t' && Character.isISOControl(c)))
        .noneMatch(line -> line.contains("\u202e"));
  }

  @Test
  @DisplayName("a relay that can write nothing to its log delivers all the same")
  void aFullLogStopsNothing() throws SQLException {
    Path full = Path.of("/dev/full");
    assumeTrue(Files.isWritable(full), "this system has no /dev/full");
    fixture.migrate();
    KafkaServer.shared().createTopic("full-log", 1);
    for (String format : List.of("text", "json")) {
      ChildProcess relay =
          relay().environment("POSTCOMMIT_LOG_FORMAT", format).output(full).start();
      enqueue("full-log", "{}");
      fixture.enqueue(Event.builder("order.placed").topic("no topic").json("{}"));
      await().atMost(PATIENCE).until(() -> fixture.admin().status().pending() == 0);
      relay.terminate();
      assertThat(relay.awaitExit(PATIENCE)).isZero();
    }
    assertThat(fixture.admin().status().dead()).isEqualTo(2);
    assertThat(KafkaReader.read(KafkaServer.shared().bootstrapServers(), "full-log", 2)).hasSize(2);
  }

  @Test
  @DisplayName("a relay whose log had no room writes to it again when there is some")
  void aLogThatHasRoomAgain() throws SQLException {
    Programs.requireSmallDisk();
    fixture.migrate();
    KafkaServer.shared().createTopic("small-log", 1);
    try (SmallDisk disk = SmallDisk.mount(1)) {
      Path file = disk.path().resolve("relay.log");
      ChildProcess relay = relay().output(file).start();
      await().atMost(PATIENCE).until(() -> relay.output().contains("starts on"));
      disk.fill();
      String lost;
      do {
        lost = fixture.enqueue(Event.builder("order.placed").topic("no topic").json("{}"));
        enqueue("small-log", "{}");
        await().atMost(PATIENCE).until(() -> fixture.admin().status().pending() == 0);
      } while (relay.output().contains(lost));
      disk.empty();
      String last = fixture.enqueue(Event.builder("order.placed").topic("no topic").json("{}"));
      await().atMost(PATIENCE).until(() -> relay.output().contains(last));
      assertThat(relay.output()).doesNotContain(lost);
      relay.terminate();
      assertThat(relay.awaitExit(PATIENCE)).isZero();
    }
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
    assertThat(fixture.terminal().run("migrate", "--table", "second_outbox")).isZero();
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

  @Test
  @DisplayName("a relay that refuses to start says why, and nothing of what it did not wait for")
  void aRefusalSaysOnlyWhy() throws SQLException {
    fixture.migrate();
    fixture.execute("ALTER TABLE postcommit_outbox RENAME COLUMN last_error TO error");
    ChildProcess relay = relay().start();
    assertThat(relay.awaitExit(PATIENCE)).as(relay.output()).isEqualTo(1);
    assertThat(relay.output())
        .contains("there is no column last_error for LAST_ERROR")
        .doesNotContain("does not answer");
  }

  @Test
  @DisplayName("what the database's driver logs does not come before our own message")
  void theDriverIsQuiet() {
    for (String command : List.of("status", "relay")) {
      ChildProcess process =
          processes
              .java(Main.class)
              .arguments(command)
              .environment("POSTCOMMIT_DATABASE_URL", "jdbc:postgresql://localhost:5432")
              .start();
      assertThat(process.awaitExit(PATIENCE)).as(process.output()).isEqualTo(2);
      assertThat(process.output())
          .hasLineCount(1)
          .contains("POSTCOMMIT_DATABASE_URL: the value is not");
    }
  }

  @Test
  @DisplayName("the process lists all commands in its help")
  void theProcessListsAllCommands() {
    ChildProcess help = processes.java(OutboxPublisher.class).arguments("--help").start();
    assertThat(help.awaitExit(PATIENCE)).as(help.output()).isZero();
    for (String command : List.of("relay", "migrate", "grants", "status", "dead", "prune")) {
      assertThat(help.output()).containsPattern("(?m)^  " + command + " ");
    }
  }
}
