package dev.postcommit.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Delivery.Deferred;
import dev.postcommit.relay.Delivery.Delivered;
import dev.postcommit.relay.Delivery.HeldBack;
import dev.postcommit.relay.Delivery.TopicUnavailable;
import dev.postcommit.relay.Delivery.Unavailable;
import dev.postcommit.relay.Message;
import dev.postcommit.testkit.KafkaCluster;
import dev.postcommit.testkit.KafkaReader;
import dev.postcommit.testkit.contract.OrderedTraffic;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.acl.AclOperation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * The publisher and a cluster that answers, but cannot take messages: nothing of that is a
 * message's fault, so none ends as an attempt that counts.
 */
class KafkaClusterFaultsIT {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String USER = "relay";

  private final KafkaCluster cluster = KafkaCluster.shared();
  private final String topic = "topic-" + UUID.randomUUID();
  private RecordedPublisher publisher;
  private Acls acls;

  @BeforeEach
  void open() {
    publisher = publisher(Map.of("bootstrap.servers", cluster.bootstrapServers()));
    acls = new Acls(cluster.bootstrapServers(), USER);
  }

  @AfterEach
  void close() {
    publisher.close();
    acls.close();
  }

  private static RecordedPublisher publisher(Map<String, String> client) {
    Map<String, Object> properties = new HashMap<>(client);
    properties.put("delivery.timeout.ms", 2_000);
    properties.put("request.timeout.ms", 900);
    properties.put("max.block.ms", 2_000);
    properties.put("batch.size", 2_000);
    properties.put("reconnect.backoff.max.ms", 200);
    return new RecordedPublisher(KafkaPublisher.builder().properties(properties).build());
  }

  private void createReplicated() {
    cluster.createTopic(topic, 2, 3, Map.of("min.insync.replicas", "2"));
  }

  private List<Message> arrivals(int count) {
    return KafkaReader.read(cluster.bootstrapServers(), topic, count);
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

  private static void assertThatNoAttemptCounts(RecordedPublisher publisher) {
    assertThat(publisher.deliveries())
        .hasOnlyElementsOfTypes(
            Delivered.class,
            Deferred.class,
            TopicUnavailable.class,
            Unavailable.class,
            HeldBack.class);
  }

  @Test
  @DisplayName("a leader that is killed costs no attempt, and order is kept")
  void aKilledLeader() {
    createReplicated();
    int leader = cluster.leader(topic, 0).orElseThrow();
    try (OrderedTraffic traffic = new OrderedTraffic(publisher, topic)) {
      await().atMost(PATIENCE).until(traffic::isFlowing);
      cluster.kill(leader);
      await().atMost(PATIENCE).until(traffic::isInterrupted);
      await().atMost(PATIENCE).until(traffic::isFlowing);
      traffic.stopAndCheck(this::arrivals);
    } finally {
      cluster.restart(leader);
    }
    assertThatNoAttemptCounts(publisher);
  }

  @Test
  @DisplayName("messages are deferred while two of three brokers are down, and order is kept")
  void tooFewReplicas() {
    createReplicated();
    try (OrderedTraffic traffic = new OrderedTraffic(publisher, topic)) {
      await().atMost(PATIENCE).until(traffic::isFlowing);
      stopTwoUntil(() -> publisher.deliveries().stream().anyMatch(Deferred.class::isInstance));
      await().atMost(PATIENCE).until(traffic::isFlowing);
      traffic.stopAndCheck(this::arrivals);
    }
    assertThatNoAttemptCounts(publisher);
  }

  private void stopTwoUntil(Callable<Boolean> condition) {
    cluster.stop(1);
    cluster.stop(2);
    try {
      await().atMost(PATIENCE).until(condition);
    } finally {
      CompletableFuture<Void> one = CompletableFuture.runAsync(() -> cluster.restart(1));
      cluster.restart(2);
      one.join();
    }
  }

  @Test
  @DisplayName("a rolling restart costs no attempt, and order is kept")
  void aRollingRestart() {
    createReplicated();
    try (OrderedTraffic traffic = new OrderedTraffic(publisher, topic)) {
      for (int broker : cluster.brokers()) {
        await().atMost(PATIENCE).until(traffic::isFlowing);
        cluster.restart(broker);
      }
      await().atMost(PATIENCE).until(traffic::isFlowing);
      traffic.stopAndCheckOrder(this::arrivals);
    }
    assertThatNoAttemptCounts(publisher);
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
    assertThatNoAttemptCounts(publisher);
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
    assertThatNoAttemptCounts(publisher);
  }

  @Test
  @DisplayName("a topic without an ACL is named, delays no other, and is used soon after the grant")
  void aForbiddenTopic() {
    createReplicated();
    String allowed = topic + "-allowed";
    cluster.createTopic(allowed, 1, 3, Map.of());
    acls.grant(allowed, AclOperation.WRITE);
    try (RecordedPublisher user = publisher(cluster.clientSettings(USER))) {
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
      assertThatNoAttemptCounts(user);
    }
  }

  @Test
  @DisplayName("a user that may write to no topic at all waits for the first grant")
  void noGrantAtAll() {
    createReplicated();
    try (RecordedPublisher user = publisher(cluster.clientSettings(USER))) {
      assertThat(send(user, topic)).isInstanceOf(TopicUnavailable.class);
      acls.grant(topic, AclOperation.WRITE);
      awaitDelivered(user, topic);
      assertThatNoAttemptCounts(user);
    } finally {
      acls.revoke(topic, AclOperation.WRITE);
    }
  }
}
