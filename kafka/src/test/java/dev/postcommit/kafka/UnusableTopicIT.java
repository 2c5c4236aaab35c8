package dev.postcommit.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Delivery.Delivered;
import dev.postcommit.relay.Delivery.TopicUnavailable;
import dev.postcommit.relay.Message;
import dev.postcommit.testkit.kafka.KafkaCluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.common.acl.AclOperation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * The publisher and topics that are missing, or that may not be written to: their messages wait, no
 * attempt of them counts, and no other topic pays for it.
 */
class UnusableTopicIT {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String USER = "relay";

  private final KafkaCluster cluster = KafkaCluster.shared();
  private final String topic = "topic-" + UUID.randomUUID();
  private RecordedPublisher publisher;
  private Acls acls;

  @BeforeEach
  void open() {
    publisher =
        RecordedPublisher.impatient(Map.of("bootstrap.servers", cluster.bootstrapServers()));
    acls = new Acls(cluster.bootstrapServers(), USER);
  }

  @AfterEach
  void close() {
    publisher.close();
    acls.close();
  }

  private void createReplicated() {
    cluster.createTopic(topic, 2, 3, Map.of("min.insync.replicas", "2"));
  }

  private static Delivery send(RecordedPublisher to, String topicName) {
    return to.send(new Message(topicName, "key", Map.of(), new byte[] {1}))
        .toCompletableFuture()
        .orTimeout(30, TimeUnit.SECONDS)
        .join();
  }

  /** Sends until a message is delivered; returns how long that took. */
  private static Duration awaitDelivered(RecordedPublisher to, String topicName) {
    long begin = System.nanoTime();
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(200))
        .until(() -> to.problem().isEmpty() && send(to, topicName) instanceof Delivered);
    return Duration.ofNanos(System.nanoTime() - begin);
  }

  @Test
  @DisplayName("a missing topic is named, costs no attempt, and is used soon after its creation")
  void aMissingTopic() {
    Delivery missing = send(publisher, topic);
    assertThat(missing)
        .isInstanceOfSatisfying(
            TopicUnavailable.class,
            unavailable ->
                assertThat(unavailable.reason())
                    .isEqualTo(
                        "topic %s does not exist; create it: kafka-topics --create --topic %s"
                            .formatted(topic, topic)));
    assertThat(send(publisher, topic)).isEqualTo(missing);

    createReplicated();

    assertThat(awaitDelivered(publisher, topic)).isLessThan(Duration.ofSeconds(3));
    publisher.assertThatNoAttemptCounts();
  }

  @Test
  @DisplayName("a topic that is deleted makes its messages wait, and those of others go on")
  void aDeletedTopic() {
    createReplicated();
    String other = topic + "-other";
    cluster.createTopic(other, 1, 3, Map.of());
    assertThat(send(publisher, topic)).isEqualTo(Delivery.DELIVERED);

    acls.deleteTopic(topic);

    await()
        .atMost(PATIENCE)
        .until(
            () ->
                publisher.problem().isEmpty()
                    && send(publisher, topic) instanceof TopicUnavailable);
    awaitDelivered(publisher, other);
    for (int i = 0; i < 20; i++) {
      assertThat(send(publisher, topic)).isInstanceOf(TopicUnavailable.class);
      assertThat(send(publisher, other)).isEqualTo(Delivery.DELIVERED);
    }
    createReplicated();
    awaitDelivered(publisher, topic);
    publisher.assertThatNoAttemptCounts();
  }

  @Test
  @DisplayName("a topic without an ACL is named, delays no other, and is used soon after the grant")
  void aForbiddenTopic() {
    createReplicated();
    String allowed = topic + "-allowed";
    cluster.createTopic(allowed, 1, 3, Map.of());
    acls.grant(allowed, AclOperation.WRITE);
    try (RecordedPublisher user = RecordedPublisher.impatient(cluster.clientSettings(USER))) {
      awaitDelivered(user, allowed);
      String reason =
          "topic %s may not be written to; allow it: kafka-acls --add --allow-principal User:..."
              + " --operation Write --topic %s";
      for (AclOperation operation : List.of(AclOperation.DESCRIBE, AclOperation.WRITE)) {
        for (int i = 0; i < 5; i++) {
          assertThat(send(user, topic))
              .isInstanceOfSatisfying(
                  TopicUnavailable.class,
                  unavailable ->
                      assertThat(unavailable.reason()).isEqualTo(reason.formatted(topic, topic)));
          assertThat(send(user, allowed)).isEqualTo(Delivery.DELIVERED);
        }
        acls.grant(topic, operation);
      }
      assertThat(awaitDelivered(user, topic)).isLessThan(Duration.ofSeconds(3));

      acls.revoke(topic, AclOperation.WRITE);

      await()
          .atMost(PATIENCE)
          .until(() -> user.problem().isEmpty() && send(user, topic) instanceof TopicUnavailable);
      awaitDelivered(user, allowed);
      for (int i = 0; i < 5; i++) {
        assertThat(send(user, topic)).isInstanceOf(TopicUnavailable.class);
        assertThat(send(user, allowed)).isEqualTo(Delivery.DELIVERED);
      }
      user.assertThatNoAttemptCounts();
    }
  }

  @Test
  @DisplayName("a user that may write to no topic at all waits for the first grant")
  void noGrantAtAll() {
    createReplicated();
    try (RecordedPublisher user = RecordedPublisher.impatient(cluster.clientSettings(USER))) {
      assertThat(send(user, topic)).isInstanceOf(TopicUnavailable.class);
      acls.grant(topic, AclOperation.WRITE);
      awaitDelivered(user, topic);
      user.assertThatNoAttemptCounts();
    } finally {
      acls.revoke(topic, AclOperation.WRITE);
    }
  }

  @Test
  @DisplayName("a topic that refuses the time of the clock makes its messages wait, not die")
  void aWrongClock() {
    String limit = "message.timestamp.before.max.ms";
    // However right a clock is, a message is older than that when it arrives.
    cluster.createTopic(topic, 1, 3, Map.of(limit, "0"));
    String reason =
        "topic %s refuses messages for their time, which is that of the relay's clock; set the clock,"
            + " or the limits of the topic (message.timestamp.after.max.ms,"
            + " message.timestamp.before.max.ms)";
    // Kafka says something else of a message alone than of one among others.
    for (int together : List.of(1, 5)) {
      await().atMost(PATIENCE).until(() -> publisher.problem().isEmpty());
      List<CompletableFuture<Delivery>> sent =
          IntStream.range(0, together)
              .mapToObj(i -> new Message(topic, "key-" + i, Map.of(), new byte[] {1}))
              .map(message -> publisher.send(message).toCompletableFuture())
              .toList();
      for (CompletableFuture<Delivery> each : sent) {
        assertThat(each.orTimeout(30, TimeUnit.SECONDS).join())
            .isInstanceOfSatisfying(
                TopicUnavailable.class,
                unavailable -> assertThat(unavailable.reason()).isEqualTo(reason.formatted(topic)));
      }
    }

    acls.configure(topic, limit, "3600000");

    assertThat(awaitDelivered(publisher, topic)).isLessThan(Duration.ofSeconds(3));
    publisher.assertThatNoAttemptCounts();
  }
}
