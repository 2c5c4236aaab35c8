package dev.postcommit.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Delivery.Unavailable;
import dev.postcommit.relay.Message;
import dev.postcommit.relay.Publisher;
import dev.postcommit.testkit.contract.OrderedTraffic;
import dev.postcommit.testkit.kafka.KafkaReader;
import dev.postcommit.testkit.kafka.KafkaServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The publisher and a broker that freezes, dies and comes back. */
class KafkaOutageIT {
  private static KafkaServer kafka;

  private final String topic = "topic-" + UUID.randomUUID();
  private Publisher publisher;

  @BeforeAll
  static void start() {
    kafka = KafkaServer.builder().autoCreateTopics(true).start();
  }

  @AfterAll
  static void stop() {
    kafka.close();
  }

  @BeforeEach
  void open() {
    kafka.createTopic(topic, 3);
    publisher =
        KafkaPublisher.builder()
            .bootstrapServers(kafka.bootstrapServers())
            .property("delivery.timeout.ms", 1_200)
            .property("request.timeout.ms", 500)
            .property("max.block.ms", 1_000)
            .property("batch.size", 2_000)
            .property("reconnect.backoff.max.ms", 200)
            .build();
  }

  @AfterEach
  void close() {
    kafka.thaw();
    publisher.close();
  }

  private CompletableFuture<Delivery> send(String topicName) {
    return publisher
        .send(new Message(topicName, "key", Map.of(), new byte[] {1}))
        .toCompletableFuture();
  }

  private List<CompletableFuture<Delivery>> begin(int count) {
    List<CompletableFuture<Delivery>> sent = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      sent.add(send(topic));
    }
    return sent;
  }

  private List<Delivery> send(int count) {
    return outcomes(begin(count));
  }

  private List<Delivery> outcomes(List<CompletableFuture<Delivery>> sent) {
    long limit = publisher.deliveryTimeout().toMillis();
    return sent.stream().map(each -> each.orTimeout(limit, TimeUnit.MILLISECONDS).join()).toList();
  }

  private List<Message> arrivals(int count) {
    return KafkaReader.read(kafka.bootstrapServers(), topic, count);
  }

  @Test
  @DisplayName("R30: while the broker is frozen messages end unavailable, in time, and not ready")
  void aFrozenBrokerIsUnavailable() {
    assertThat(send(10)).containsOnly(Delivery.DELIVERED);
    assertThat(publisher.problem()).isEmpty();

    kafka.freeze();
    List<CompletableFuture<Delivery>> sent = begin(10);
    assertThat(publisher.problem()).isPresent();
    assertThat(outcomes(sent)).hasOnlyElementsOfType(Unavailable.class);
    assertThat(send(10)).hasOnlyElementsOfType(Unavailable.class);

    kafka.thaw();
    await().until(() -> publisher.problem().isEmpty());
    assertThat(send(10)).containsOnly(Delivery.DELIVERED);
  }

  @Test
  @DisplayName("R30: no message of a key is delivered after an earlier one failed: frozen brokers")
  void keepsOrderThroughFreezes() {
    try (OrderedTraffic traffic = new OrderedTraffic(publisher, topic)) {
      for (int outage = 0; outage < 2; outage++) {
        await().until(traffic::isFlowing);
        kafka.freeze();
        // Thawed at once when the producer gives up, so that what it had sent is still written.
        await().pollInterval(Duration.ofMillis(1)).until(traffic::isInterrupted);
        kafka.thaw();
        await().atMost(Duration.ofSeconds(20)).until(traffic::isFlowing);
      }
      traffic.stopAndCheck(this::arrivals);
    }
  }

  @Test
  @DisplayName("R30: no message of a key is delivered after an earlier one failed: a killed broker")
  void keepsOrderThroughAKill() {
    try (OrderedTraffic traffic = new OrderedTraffic(publisher, topic)) {
      await().until(traffic::isFlowing);
      kafka.kill();
      await().until(traffic::isInterrupted);
      assertThat(publisher.problem()).isPresent();
      kafka.restart();
      await().atMost(Duration.ofSeconds(20)).until(traffic::isFlowing);
      assertThat(publisher.problem()).isEmpty();
      traffic.stopAndCheck(this::arrivals);
    }
  }

  @Test
  @DisplayName("closing during an outage ends every message and does not hang")
  void closesDuringAnOutage() {
    assertThat(send(1)).containsOnly(Delivery.DELIVERED);
    kafka.freeze();
    List<CompletableFuture<Delivery>> sent = List.of(send(topic), send("unknown"), send(topic));

    publisher.close();

    Predicate<CompletableFuture<Delivery>> done = CompletableFuture::isDone;
    await().untilAsserted(() -> assertThat(sent).allMatch(done));
    assertThat(sent).allMatch(each -> each.join() instanceof Unavailable);
  }

  @Test
  @DisplayName("R30: nothing needs to be there when the publisher is built")
  void startsWithoutABroker() {
    try (Publisher early =
        KafkaPublisher.builder()
            .bootstrapServers("localhost:1")
            .property("max.block.ms", 500)
            .build()) {
      assertThat(early.problem())
          .hasValueSatisfying(why -> assertThat(why).contains("localhost:1"));
      assertThat(early.send(new Message(topic, "key", Map.of(), new byte[1])))
          .succeedsWithin(early.deliveryTimeout())
          .isInstanceOf(Unavailable.class);
    }
    try (Publisher nowhere =
        KafkaPublisher.builder().bootstrapServers("no-such-host.invalid:9092").build()) {
      assertThat(nowhere.problem()).isPresent();
      assertThat(nowhere.send(new Message(topic, "key", Map.of(), new byte[1])))
          .succeedsWithin(nowhere.deliveryTimeout())
          .isInstanceOf(Unavailable.class);
    }
  }

  @Test
  @DisplayName("R30: a broker may create topics when they are used")
  void topicsMayBeCreatedByUse() {
    // With the timeouts it has by itself: those of the outages are shorter than creation may take.
    try (Publisher patient =
        KafkaPublisher.builder().bootstrapServers(kafka.bootstrapServers()).build()) {
      List<CompletableFuture<Delivery>> sent = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        Message message = new Message(topic + "-new-" + i % 3, "key", Map.of(), new byte[] {1});
        sent.add(patient.send(message).toCompletableFuture());
      }
      assertThat(sent.stream().map(CompletableFuture::join)).containsOnly(Delivery.DELIVERED);
    }
  }

  /** As a relay does, which sends again what has to wait for its topic. */
  @Test
  @DisplayName(
      "R30: a topic that the broker creates too late for one message is there for the next")
  void topicsMayBeCreatedInTheEnd() {
    for (int i = 0; i < 3; i++) {
      String created = topic + "-late-" + i;
      await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> publisher.problem().isEmpty() && send(created).join() == Delivery.DELIVERED);
    }
  }
}
