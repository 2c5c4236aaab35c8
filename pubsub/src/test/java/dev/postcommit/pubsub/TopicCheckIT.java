package dev.postcommit.pubsub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Message;
import dev.postcommit.relay.Publisher;
import dev.postcommit.testkit.pubsub.PubSubProxy.Fault;
import dev.postcommit.testkit.pubsub.PubSubReader;
import io.grpc.Status;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What the publisher finds out about its topics before it is used. */
class TopicCheckIT {
  private static final String GET_TOPIC = "google.pubsub.v1.Publisher/GetTopic";
  private static final String PUBLISH = "google.pubsub.v1.Publisher/Publish";
  private static final String LIST_SUBSCRIPTIONS =
      "google.pubsub.v1.Publisher/ListTopicSubscriptions";

  private static PublishScene scene;

  private final Logger logger = (Logger) LoggerFactory.getLogger(TopicCheck.class);
  private final ListAppender<ILoggingEvent> logged = new ListAppender<>();

  @BeforeAll
  static void start() {
    scene = new PublishScene();
  }

  @AfterAll
  static void stop() {
    scene.close();
  }

  @BeforeEach
  void listen() {
    logged.start();
    logger.addAppender(logged);
  }

  @AfterEach
  void stopListening() {
    logger.detachAppender(logged);
  }

  private static Publisher publisher(String... topics) {
    return PubSubPublisher.builder(scene.connection()).topics(topics).build();
  }

  private List<String> lines(String topic) {
    return List.copyOf(logged.list).stream()
        .map(event -> event.getLevel() + " " + event.getFormattedMessage())
        .filter(line -> line.contains(topic))
        .toList();
  }

  @Test
  @DisplayName("R48: every required topic is looked for; full names are topics of other projects")
  void looksForEveryTopic() {
    String there = scene.newTopic();
    String missing = PublishScene.newName();
    String elsewhere = "projects/another/topics/" + missing;
    try (Publisher publisher = publisher(there, elsewhere)) {
      assertThat(publisher.problem())
          .contains(
              "topic %s does not exist; create it: gcloud pubsub topics create %s --project another"
                  .formatted(elsewhere, missing));
    }
    try (Publisher publisher = publisher(there)) {
      assertThat(publisher.problem()).isEmpty();
    }
  }

  @Test
  @DisplayName("R48: who may not look for a topic may still publish to it, and is told once")
  void mayNotBeAllowedToLook() {
    String topic = scene.newTopic();
    Fault fault = scene.proxy.fail(GET_TOPIC, Status.PERMISSION_DENIED.withDescription("no"));
    try (Publisher publisher = publisher(topic)) {
      assertThat(publisher.problem()).isEmpty();
      assertThat(publisher.problem()).isEmpty();
    } finally {
      fault.end();
    }
    assertThat(lines(topic))
        .containsExactly(
            "INFO cannot look whether topic %s exists; grant pubsub.topics.get (roles/pubsub.viewer): PERMISSION_DENIED: no"
                .formatted(scene.server.topicName(topic)));
  }

  @Test
  @DisplayName("R48: credentials that do not do are a problem")
  void credentialsMayNotDo() {
    Fault fault = scene.proxy.fail(GET_TOPIC, Status.UNAUTHENTICATED);
    try (Publisher publisher = publisher()) {
      assertThat(publisher.problem())
          .hasValueSatisfying(
              why ->
                  assertThat(why)
                      .startsWith("Pub/Sub does not accept the credentials; set GOOGLE_APPLICATION")
                      .endsWith("UNAUTHENTICATED"));
    } finally {
      fault.end();
    }
  }

  @Test
  @DisplayName("R48: that nobody is subscribed to a required topic is said once")
  void saysThatNobodyIsSubscribed() {
    String alone = PublishScene.newName();
    scene.server.createTopic(alone);
    String subscribed = scene.newTopic();
    try (Publisher publisher = publisher(alone, subscribed)) {
      assertThat(publisher.problem()).isEmpty();
      assertThat(publisher.problem()).isEmpty();
      await().until(() -> !lines(alone).isEmpty());
    }
    assertThat(lines(alone))
        .containsExactly(
            "WARN topic %s has no subscription; Pub/Sub drops what is published to it"
                .formatted(scene.server.topicName(alone)));
    assertThat(lines(subscribed)).isEmpty();
  }

  @Test
  @DisplayName("R48: that subscriptions cannot be looked for is no problem")
  void subscriptionsAreNoCondition() {
    String alone = PublishScene.newName();
    scene.server.createTopic(alone);
    Fault fault = scene.proxy.fail(LIST_SUBSCRIPTIONS, Status.PERMISSION_DENIED);
    try (Publisher publisher = publisher(alone)) {
      assertThat(publisher.problem()).isEmpty();
      await().until(() -> fault.count() == 1);
    } finally {
      fault.end();
    }
    assertThat(lines(alone)).isEmpty();
  }

  @Test
  @DisplayName("R48: a required topic that may not be published to is a problem until it may")
  void mayNotBeAllowedToPublish() {
    String topic = scene.newTopic();
    Message message = new Message(topic, "key", Map.of(), new byte[1]);
    String advice = "may not publish to topic %s; grant roles/pubsub.publisher on it";
    String reason = advice.formatted(scene.server.topicName(topic));
    Fault fault = scene.proxy.fail(PUBLISH, Status.PERMISSION_DENIED);
    try (Publisher publisher = publisher(topic)) {
      assertThat(publisher.problem()).isEmpty();
      assertThat(publisher.send(message))
          .succeedsWithin(publisher.deliveryTimeout())
          .isInstanceOf(Delivery.Unavailable.class);
      assertThat(publisher.problem()).hasValueSatisfying(why -> assertThat(why).startsWith(reason));

      fault.end();
      assertThat(publisher.problem()).isEmpty();
      assertThat(publisher.send(message))
          .succeedsWithin(publisher.deliveryTimeout())
          .isEqualTo(Delivery.DELIVERED);
    } finally {
      fault.end();
    }
    assertThat(PubSubReader.read(scene.server, topic, 1)).hasSize(1);
  }
}
