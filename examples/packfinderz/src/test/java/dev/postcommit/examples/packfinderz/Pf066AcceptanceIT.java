package dev.postcommit.examples.packfinderz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.postcommit.Actor;
import dev.postcommit.consumer.inbox.IdempotencyStore;
import dev.postcommit.examples.packfinderz.compliance.ComplianceConsumer;
import dev.postcommit.relay.Message;
import dev.postcommit.testkit.pubsub.PubSubProxy;
import dev.postcommit.testkit.pubsub.PubSubReader;
import io.grpc.Status;
import java.io.IOException;
import java.lang.reflect.Method;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** PF-066: idempotency of publisher and consumer. */
@DisplayName("R57: PF-066, Outbox idempotency strategy (publisher + consumer) using Redis")
class Pf066AcceptanceIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration TTL = Duration.ofDays(7);

  private static ComplianceStage compliance;
  private static Stage stage;
  private static Heard heard;

  @BeforeAll
  static void start() {
    compliance = new ComplianceStage(TTL);
    stage = compliance.stage();
    heard = compliance.heard();
  }

  @AfterAll
  static void stop() {
    compliance.close();
  }

  /** Uploads a license whose event Pub/Sub takes twice, since the first answer is lost. */
  private static String uploadPublishedTwice() throws SQLException {
    PubSubProxy.Fault lost = stage.proxy().loseAnswers(request -> true, Status.INTERNAL, 1);
    String event = stage.upload();
    stage.awaitPublished(event);
    assertThat(lost.count()).isEqualTo(1);
    return event;
  }

  @Test
  @DisplayName("Every published event includes a stable event_id (outbox row UUID)")
  void everyPublishedEventIncludesTheIdOfItsRow() throws SQLException, IOException {
    String subscription = stage.subscribe();
    String event = uploadPublishedTwice();

    List<Message> messages = PubSubReader.read(stage.pubsub(), subscription, 2);
    assertThat(messages).hasSize(2);
    for (Message message : messages) {
      assertThat(message.headers()).containsEntry("event_id", event);
      assertThat(JSON.readTree(message.body()).get("eventId").asText()).isEqualTo(event);
    }
  }

  @Test
  @DisplayName("Publisher logs include event_id, event_type, aggregate_type, aggregate_id")
  void thePublisherLogsTheIdsAndNeverAPayload() throws SQLException, JsonProcessingException {
    UUID store = UUID.randomUUID();
    String event = stage.upload(store);
    String license =
        Sql.list(
                stage.dataSource(),
                "SELECT aggregate_id FROM outbox_events WHERE id = '" + event + "'")
            .get(0);
    await().atMost(Stage.PATIENCE).until(() -> linesAbout(event).size() >= 2);

    List<JsonNode> lines = linesAbout(event);
    assertThat(lines)
        .extracting(line -> line.get("message").asText().replaceFirst(":.*", ""))
        .containsExactly("claimed", "delivered");
    for (JsonNode line : lines) {
      assertThat(line.get("event_type").asText()).isEqualTo("license_status_changed");
      assertThat(line.get("aggregate_type").asText()).isEqualTo("license");
      assertThat(line.get("aggregate_id").asText()).isEqualTo(license);
    }
    // The store is in the payload, and nowhere else.
    assertThat(compliance.publisher().output()).contains(event).doesNotContain(store.toString());
  }

  /** The whole lines so far that speak of an event. */
  private static List<JsonNode> linesAbout(String event) throws JsonProcessingException {
    List<JsonNode> lines = new ArrayList<>();
    String output = compliance.publisher().output();
    for (String line : output.substring(0, output.lastIndexOf('\n') + 1).lines().toList()) {
      JsonNode json = JSON.readTree(line);
      if (json.path("event_id").asText().equals(event)) {
        lines.add(json);
      }
    }
    return lines;
  }

  @Test
  @DisplayName("Redis helper exposes a single CheckAndMarkProcessed(...) API")
  void oneCallChecksAndMarks() {
    List<Method> calls =
        Arrays.stream(IdempotencyStore.class.getMethods())
            .filter(method -> method.getName().equals("checkAndMarkProcessed"))
            .toList();
    assertThat(calls).hasSize(1);
    assertThat(calls.get(0).getParameterTypes())
        .containsExactly(String.class, String.class, Duration.class);
    assertThat(calls.get(0).getReturnType()).isEqualTo(boolean.class);

    IdempotencyStore marks = compliance.store();
    String event = UUID.randomUUID().toString();
    assertThat(marks.checkAndMarkProcessed(ComplianceConsumer.NAME, event, TTL)).isFalse();
    assertThat(marks.checkAndMarkProcessed(ComplianceConsumer.NAME, event, TTL)).isTrue();
    assertThat(marks.checkAndMarkProcessed("another", event, TTL)).isFalse();
    assertThat(compliance.marks().secondsLeft(event))
        .isBetween(TTL.minusMinutes(1).toSeconds(), TTL.toSeconds());
  }

  @Test
  @DisplayName("Duplicate deliveries do not re-run side-effects")
  void aDuplicateHasNoSecondEffect() throws SQLException {
    String event = uploadPublishedTwice();
    await().atMost(Stage.PATIENCE).until(() -> heard.has("duplicate", event));

    assertThat(heard.about(event)).containsExactly("handling", "processed", "duplicate");
  }

  @Test
  @DisplayName("Idempotency mechanism is concurrency-safe (SETNX)")
  void ofManyAtTheSameInstantOneIsFirst() throws InterruptedException, ExecutionException {
    int threads = 16;
    int events = 50;
    CyclicBarrier together = new CyclicBarrier(threads);
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < events; i++) {
      ids.add(UUID.randomUUID().toString());
    }
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<List<String>>> winners = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        winners.add(
            pool.submit(
                () -> {
                  List<String> mine = new ArrayList<>();
                  for (String id : ids) {
                    together.await();
                    if (!compliance.store().checkAndMarkProcessed("race", id, TTL)) {
                      mine.add(id);
                    }
                  }
                  return mine;
                }));
      }
      List<String> won = new ArrayList<>();
      for (Future<List<String>> winner : winners) {
        won.addAll(winner.get());
      }
      assertThat(won).containsExactlyInAnyOrderElementsOf(ids);
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  @DisplayName("One consumer example compiles and demonstrates correct usage")
  void theExampleMarksAfterSuccessAndDeletesTheMarkAfterFailure() throws SQLException {
    Marks found = compliance.marks();
    Sql.execute(stage.dataSource(), "ALTER TABLE notifications RENAME TO notifications_away");
    String event = stage.upload();
    await().atMost(Stage.PATIENCE).until(() -> heard.has("retrying", event));
    await().atMost(Stage.PATIENCE).until(() -> !found.isThere(event));
    Sql.execute(stage.dataSource(), "ALTER TABLE notifications_away RENAME TO notifications");

    await().atMost(Stage.PATIENCE).until(() -> heard.has("processed", event));
    assertThat(found.secondsLeft(event)).isBetween(1L, TTL.toSeconds());
    UUID license =
        UUID.fromString(
            Sql.list(
                    stage.dataSource(),
                    "SELECT aggregate_id FROM outbox_events WHERE id = '" + event + "'")
                .get(0));
    UUID decision =
        Transaction.run(
            stage.dataSource(),
            tx -> {
              stage.licenses().reject(tx, license, "expired", new Actor(license, null, "admin"));
              return license;
            });
    await().atMost(Stage.PATIENCE).until(() -> heard.has("processed", stage.eventOf(decision)));
    assertThat(
            Sql.list(
                stage.dataSource(),
                "SELECT type || ': ' || title FROM notifications WHERE message LIKE '%%%s%%'"
                        .formatted(license)
                    + " ORDER BY created_at"))
        .containsExactly("compliance: License submitted for review", "compliance: License updated");
  }

  @Test
  @DisplayName(
      "Strategy is documented clearly: “duplicates possible; consumers must be idempotent”")
  void theStrategyIsTheFirstThingThePageSays() throws IOException {
    WriteUp.says(
        "**Duplicates are possible; consumers must be idempotent.** Everything below follows from"
            + " this sentence.");
    String page = Repository.read("docs/outbox.md");
    assertThat(page.indexOf("Duplicates are possible")).isLessThan(page.indexOf("## "));
  }
}
