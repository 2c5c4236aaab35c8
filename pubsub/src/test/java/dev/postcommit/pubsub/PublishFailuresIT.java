package dev.postcommit.pubsub;

import static dev.postcommit.pubsub.PublishScene.begin;
import static dev.postcommit.pubsub.PublishScene.numbered;
import static dev.postcommit.pubsub.PublishScene.numbers;
import static dev.postcommit.pubsub.PublishScene.outcomes;
import static dev.postcommit.pubsub.PublishScene.send;
import static dev.postcommit.pubsub.PublishScene.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Delivery.Deferred;
import dev.postcommit.relay.Delivery.Rejected;
import dev.postcommit.relay.Delivery.Retryable;
import dev.postcommit.relay.Delivery.TopicUnavailable;
import dev.postcommit.relay.Delivery.Unavailable;
import dev.postcommit.relay.Message;
import dev.postcommit.relay.Publisher;
import dev.postcommit.testkit.pubsub.PubSubProxy.Fault;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The publisher and a server that fails some requests. */
class PublishFailuresIT {
  private static PublishScene scene;

  private final String topic = scene.newTopic();
  private Publisher publisher;

  @BeforeAll
  static void start() {
    scene = new PublishScene();
  }

  @AfterAll
  static void stop() {
    scene.close();
  }

  @BeforeEach
  void open() {
    publisher = PubSubPublisher.builder(scene.connection()).build();
  }

  @AfterEach
  void close() {
    publisher.close();
  }

  private String fullName(String name) {
    return scene.server.topicName(name);
  }

  /** A key fails, alone, holds its followers back, and goes on when the failure ends. */
  private void aKeyFailsAlone(Status status, Class<? extends Delivery> outcome) {
    Fault fault = scene.proxy.fail(with("a", 3), status);
    List<CompletableFuture<Delivery>> sent = begin(publisher, numbered(topic, "a", 6));
    List<Message> others = new ArrayList<>(numbered(topic, "b", 6));
    others.addAll(numbered(topic, null, 6));
    assertThat(send(publisher, others)).containsOnly(Delivery.DELIVERED);
    List<Delivery> deliveries = outcomes(publisher, sent);

    assertThat(deliveries.subList(0, 3)).containsOnly(Delivery.DELIVERED);
    assertThat(deliveries.get(3)).isInstanceOf(outcome);
    assertThat(deliveries.get(3).toString()).contains("reason=", status.getCode().toString());
    assertThat(deliveries.subList(4, 6)).containsOnly(Delivery.HELD_BACK);
    assertThat(publisher.problem()).isEmpty();

    fault.end();
    assertThat(send(publisher, numbered(topic, "a", 3, 6))).containsOnly(Delivery.DELIVERED);
    assertThat(scene.arrivals(topic, 18).values()).hasSize(3).containsOnly(numbers(6));
  }

  @Test
  @DisplayName("R22: a failing key holds back its followers alone, then goes on: INTERNAL")
  void internalErrors() {
    aKeyFailsAlone(Status.INTERNAL, Retryable.class);
  }

  @Test
  @DisplayName("R22: a failing key holds back its followers alone, then goes on: UNAVAILABLE")
  void unavailableForAKey() {
    aKeyFailsAlone(Status.UNAVAILABLE, Deferred.class);
  }

  @Test
  @DisplayName("R22: a failing key holds back its followers alone, then goes on: DEADLINE_EXCEEDED")
  void deadlines() {
    aKeyFailsAlone(Status.DEADLINE_EXCEEDED, Deferred.class);
  }

  @Test
  @DisplayName(
      "R22: a failing key holds back its followers alone, then goes on: FAILED_PRECONDITION")
  void failedPreconditions() {
    aKeyFailsAlone(Status.FAILED_PRECONDITION, Deferred.class);
  }

  @Test
  @DisplayName("R22: of messages without a key only the one that fails does")
  void withoutAKeyOthersGoOn() {
    Fault fault = scene.proxy.fail(with("", 3), Status.DEADLINE_EXCEEDED);

    List<Delivery> deliveries = new ArrayList<>(send(publisher, numbered(topic, null, 10)));

    fault.end();
    assertThat(deliveries.remove(3)).isInstanceOf(Deferred.class);
    assertThat(deliveries).containsOnly(Delivery.DELIVERED);
    assertThat(scene.arrivals(topic, 9).get("null"))
        .containsExactlyInAnyOrder("0", "1", "2", "4", "5", "6", "7", "8", "9");
  }

  @Test
  @DisplayName("R22: a message that Pub/Sub finds invalid is rejected alone, with its reason")
  void invalidMessagesAreRejectedAlone() {
    Status refusal = Status.INVALID_ARGUMENT.withDescription("too many attributes");
    Fault fault = scene.proxy.fail(with("a", 3).or(with("a", 4)), refusal);

    List<Delivery> deliveries = new ArrayList<>(send(publisher, numbered(topic, "a", 100)));

    fault.end();
    for (int i : List.of(4, 3)) {
      assertThat(deliveries.remove(i))
          .isInstanceOfSatisfying(
              Rejected.class,
              rejected ->
                  assertThat(rejected.reason())
                      .isEqualTo("Pub/Sub refuses it: INVALID_ARGUMENT: too many attributes"));
    }
    assertThat(deliveries).containsOnly(Delivery.DELIVERED);
    List<String> expected = new ArrayList<>(numbers(100));
    expected.removeAll(List.of("3", "4"));
    assertThat(scene.arrivals(topic, 98)).containsExactly(Map.entry("a", expected));
  }

  @Test
  @DisplayName("R22: a lost answer repeats messages and never reorders them")
  void lostAnswersRepeat() {
    for (Status status : List.of(Status.UNAVAILABLE, Status.DEADLINE_EXCEEDED)) {
      Fault fault = scene.proxy.loseAnswers(with("a", 3), status, 2);
      assertThat(send(publisher, numbered(topic, "a", 8))).containsOnly(Delivery.DELIVERED);
      assertThat(fault.count()).isEqualTo(2);

      List<String> arrived = scene.arrivals(topic, 9).getOrDefault("a", List.of());
      assertThat(arrived).hasSizeGreaterThan(8);
      assertThat(arrived.stream().distinct()).isEqualTo(numbers(8));
    }
  }

  @Test
  @DisplayName("R22: a moment's trouble is bridged")
  void shortTroubleIsBridged() {
    Fault fault = scene.proxy.fail(with("a", 0), Status.UNAVAILABLE, 3);
    assertThat(send(publisher, numbered(topic, "a", 2))).containsOnly(Delivery.DELIVERED);
    assertThat(fault.count()).isEqualTo(3);
  }

  private void isUnavailable(Status status, String reason) {
    Fault fault = scene.proxy.fail(with("a", 1), status);
    List<Delivery> deliveries = send(publisher, numbered(topic, "a", 3));
    fault.end();
    assertThat(deliveries)
        .hasSize(3)
        .allSatisfy(
            delivery ->
                assertThat(delivery)
                    .isInstanceOfSatisfying(
                        Unavailable.class,
                        unavailable -> assertThat(unavailable.reason()).isEqualTo(reason)));
    assertThat(fault.count()).isEqualTo(1);
  }

  @Test
  @DisplayName("R37: quotas, credentials and servers of another kind are nobody's attempt")
  void noAttemptCountsForWhatConcernsAll() {
    isUnavailable(
        Status.RESOURCE_EXHAUSTED.withDescription("publisher throughput"),
        "a quota of Pub/Sub is used up; see the quotas of its project: RESOURCE_EXHAUSTED:"
            + " publisher throughput");
    isUnavailable(
        Status.UNAUTHENTICATED,
        "Pub/Sub does not accept the credentials; set GOOGLE_APPLICATION_CREDENTIALS to the file of"
            + " a service account's key, or run 'gcloud auth application-default login', or set"
            + " PUBSUB_EMULATOR_HOST for a server without credentials: UNAUTHENTICATED");
    isUnavailable(
        Status.UNIMPLEMENTED,
        "the server cannot publish; is there Pub/Sub at this address? UNIMPLEMENTED");
    isUnavailable(Status.CANCELLED, "CANCELLED");
  }

  @Test
  @DisplayName("R37: while even questions fail, a failure counts for nobody")
  void aSickServerIsUnavailable() {
    Fault asking = scene.proxy.fail("google.pubsub.v1.Publisher/GetTopic", Status.INTERNAL);
    isUnavailable(Status.DEADLINE_EXCEEDED, scene.connection() + " does not answer: INTERNAL");
    assertThat(publisher.problem()).contains(scene.connection() + " does not answer: INTERNAL");
    asking.end();
    assertThat(publisher.problem()).isEmpty();
  }

  @Test
  @DisplayName("R22: a missing topic is waited for; if it is required, nothing can be delivered")
  void missingTopics() {
    String missing = PublishScene.newName();
    String reason =
        "topic %s does not exist; create it: gcloud pubsub topics create %s --project %s"
            .formatted(fullName(missing), missing, scene.server.project());
    List<Delivery> deliveries = send(publisher, numbered(missing, "a", 2));
    assertThat(deliveries.get(0))
        .isInstanceOfSatisfying(
            TopicUnavailable.class, failed -> assertThat(failed.reason()).isEqualTo(reason));
    assertThat(deliveries.get(1)).isEqualTo(Delivery.HELD_BACK);
    assertThat(send(publisher, numbered(missing, null, 2)))
        .hasOnlyElementsOfType(TopicUnavailable.class);

    try (Publisher requiring =
        PubSubPublisher.builder(scene.connection()).topics(topic, missing).build()) {
      assertThat(requiring.problem()).contains(reason);
      assertThat(send(requiring, numbered(missing, "a", 2)))
          .allSatisfy(
              delivery ->
                  assertThat(delivery)
                      .isInstanceOfSatisfying(
                          Unavailable.class,
                          failed -> assertThat(failed.reason()).isEqualTo(reason)));
      scene.server.createTopic(missing);
      assertThat(requiring.problem()).isEmpty();
      assertThat(send(requiring, numbered(missing, "a", 2))).containsOnly(Delivery.DELIVERED);
    }
  }

  @Test
  @DisplayName("R22: so is a topic to which one may not publish")
  void forbiddenTopics() {
    String reason =
        "may not publish to topic %s; grant roles/pubsub.publisher on it: PERMISSION_DENIED: no"
            .formatted(fullName(topic));
    Fault fault = scene.proxy.fail(with("a", 0), Status.PERMISSION_DENIED.withDescription("no"));
    assertThat(send(publisher, numbered(topic, "a", 2)).get(0))
        .isInstanceOfSatisfying(
            TopicUnavailable.class, failed -> assertThat(failed.reason()).isEqualTo(reason));
    try (Publisher requiring = PubSubPublisher.builder(scene.connection()).topics(topic).build()) {
      assertThat(send(requiring, numbered(topic, "a", 2)).get(1))
          .isInstanceOfSatisfying(
              Unavailable.class, failed -> assertThat(failed.reason()).isEqualTo(reason));
    }
    fault.end();
  }

  @Test
  @DisplayName("R22: what there is no time for is not sent, and no attempt of it counts")
  void whatThereIsNoTimeForIsNotSent() {
    try (Publisher hasty =
        PubSubPublisher.builder(scene.connection())
            .deliveryTimeout(Duration.ofMillis(100))
            .requestTimeout(Duration.ofMillis(100))
            .build()) {
      Fault fault = scene.proxy.fail(with("a", 0), Status.UNAVAILABLE);
      List<Delivery> deliveries = send(hasty, numbered(topic, "a", 1_500));
      fault.end();
      assertThat(deliveries.get(0)).isInstanceOf(Deferred.class);
      assertThat(deliveries.subList(1, 1_500)).containsOnly(Delivery.HELD_BACK);
    }
  }
}
