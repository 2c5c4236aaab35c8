package dev.postcommit.examples.packfinderz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.relay.Message;
import dev.postcommit.testkit.process.ChildProcess;
import dev.postcommit.testkit.pubsub.PubSubProxy;
import dev.postcommit.testkit.pubsub.PubSubReader;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** PF-067, how the publisher works. */
@DisplayName("R57: PF-067, Outbox worker build, local run, and system write-up")
class Pf067AcceptanceIT {
  /** The longest error that is kept. */
  private static final int BOUND = 1024;

  private static Stage stage;
  private static ChildProcess publisher;

  @TempDir private Path directory;

  @BeforeAll
  static void start() {
    stage = new Stage();
    publisher = startPublisher();
  }

  /** Starts the publisher, and waits until it has seen database and topic. */
  private static ChildProcess startPublisher() {
    ChildProcess process =
        stage
            .publisher()
            .environment("PACKFINDERZ_OUTBOX_PUBLISH_BATCH_SIZE", "3")
            .environment("PACKFINDERZ_OUTBOX_PUBLISH_POLL_MS", "250")
            .environment("PACKFINDERZ_OUTBOX_MAX_ATTEMPTS", "3")
            .start();
    new Health(process).becomesReady();
    return process;
  }

  @AfterEach
  void calm() {
    stage.proxy().thaw();
  }

  @AfterAll
  static void stop() {
    stage.close();
  }

  @Test
  @DisplayName("Worker runs with zero domain dependencies")
  void theWorkerRunsWithoutAnyClassOfTheDomain() throws IOException, SQLException {
    // It publishes the domain's events ...
    stage.awaitPublished(stage.upload());
    // ... and could not load the domain's classes if it were told to ...
    Path registry = directory.resolve("classes.json");
    Files.writeString(registry, Domain.REGISTRY_OF_CLASSES);
    ChildProcess other =
        stage.publisher().environment("POSTCOMMIT_REGISTRY_FILE", registry.toString()).start();
    assertThat(other.awaitExit(Stage.PATIENCE)).as(other.output()).isEqualTo(2);
    assertThat(other.output()).contains(Domain.PAYLOAD + " cannot be loaded");
    // ... and nothing of examples, demos and tests is in its jar.
    assertThat(Domain.librariesOf(Repository.ROOT.resolve(Heroku.jar())))
        .anyMatch(name -> name.startsWith("postcommit-pubsub-"))
        .noneMatch(name -> name.matches("postcommit-(example|demo|testkit|bench).*"));
  }

  @Test
  @DisplayName("Configurable batch size, poll interval, max attempts")
  void theKnobsTurnSomething() throws SQLException {
    assertThat(publisher.output())
        .contains("batch-size 3, ", "poll-interval 250ms, ", "max-attempts 3, ");

    Batches batches = new Batches(stage.proxy());
    stage.expireOrders(UUID.randomUUID(), 9);
    stage.awaitAllPublished();
    assertThat(batches.largest()).isEqualTo(3);
    batches.close();

    PubSubProxy.Fault fault = stage.proxy().fail(request -> true, Status.INTERNAL);
    String dead = stage.upload();
    await().atMost(Stage.PATIENCE).until(() -> stage.attempts(dead) == 3);
    fault.end();
    stage.awaitPublished(stage.upload());
    assertThat(stage.isPublished(dead)).isFalse();
    Sql.execute(stage.dataSource(), "DELETE FROM outbox_events WHERE id = '" + dead + "'");
  }

  @Test
  @DisplayName(
      "Worker fetches unpublished rows in batches using FOR UPDATE SKIP LOCKED so multiple"
          + " publishers can run safely")
  void twoWorkersPassOverLockedRowsAndPublishNothingTwice() throws SQLException {
    try (TwoPublishers two = new TwoPublishers()) {
      String locked = two.uploadAndLock();
      two.start();
      two.awaitPublishedAllBut(locked);
      two.unlock();
      two.awaitAllPublished();
      assertThat(two.published()).hasSize(two.uploaded()).doesNotHaveDuplicates().contains(locked);
    }
  }

  @Test
  @DisplayName(
      "Publishing success updates published_at for each row only after Pub/Sub publish returns"
          + " success")
  void publishedIsWhatPubSubHasAcknowledged() throws SQLException {
    stage.proxy().freeze();
    String event = stage.upload();
    await().atMost(Stage.PATIENCE).until(() -> stage.free() == 0);
    await()
        .during(Duration.ofMillis(500))
        .atMost(Stage.PATIENCE)
        .until(() -> !stage.isPublished(event));
    Instant thawed = Instant.now().truncatedTo(ChronoUnit.MICROS);
    stage.proxy().thaw();

    stage.awaitPublished(event);
    assertThat(stage.publishedAt(event)).isAfterOrEqualTo(thawed);
  }

  @Test
  @DisplayName(
      "Publishing failures increment attempt_count and set last_error (bounded length) without"
          + " marking published_at")
  void aFailureCountsAndLeavesABoundedError() throws SQLException {
    String complaint = "no room " + "x".repeat(2 * BOUND);
    PubSubProxy.Fault fault =
        stage.proxy().fail(request -> true, Status.INTERNAL.withDescription(complaint));
    String event = stage.upload();
    await().atMost(Stage.PATIENCE).until(() -> stage.attempts(event) > 0);
    assertThat(stage.isPublished(event)).isFalse();
    assertThat(stage.lastError(event)).contains("no room x").hasSizeLessThanOrEqualTo(BOUND);
    fault.end();
    stage.awaitPublished(event);
  }

  @Test
  @DisplayName("Worker is restart-safe and does not require manual recovery to continue progress")
  void aKilledWorkersSuccessorGoesOn() throws SQLException {
    String subscription = stage.subscribe();
    stage.proxy().freeze();
    stage.uploadMany(3);
    await().atMost(Stage.PATIENCE).until(() -> stage.free() == 0);
    publisher.kill();
    List<String> ids =
        Sql.list(stage.dataSource(), "SELECT id FROM outbox_events WHERE published_at IS NULL");
    assertThat(ids).hasSize(3);
    stage.proxy().thaw();
    publisher = startPublisher();

    stage.awaitAllPublished();
    List<Message> messages = PubSubReader.read(stage.pubsub(), subscription, ids.size());
    assertThat(messages).extracting(message -> message.headers().get("event_id")).containsAll(ids);
  }

  @Test
  @DisplayName(
      "Readiness fails if DB or Pub/Sub dependencies are not ready (consistent with pkg/* ready"
          + " checks)")
  void readinessNeedsDatabaseAndPubSub() throws Exception {
    Health health = new Health(publisher);
    health.becomesReady();
    stage.proxy().stop();
    health.becomesUnready();
    stage.proxy().restart();
    health.becomesReady();

    stage.admitNobody();
    health.becomesUnready();
    assertThat(health.status("/livez")).isEqualTo(200);
    stage.admitEverybody();
    health.becomesReady();
    stage.awaitPublished(stage.upload());
  }
}
