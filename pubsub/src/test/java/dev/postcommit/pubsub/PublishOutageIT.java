package dev.postcommit.pubsub;

import static dev.postcommit.pubsub.PublishScene.begin;
import static dev.postcommit.pubsub.PublishScene.numbered;
import static dev.postcommit.pubsub.PublishScene.outcomes;
import static dev.postcommit.pubsub.PublishScene.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Delivery.Unavailable;
import dev.postcommit.relay.Message;
import dev.postcommit.relay.Publisher;
import dev.postcommit.testkit.contract.OrderedTraffic;
import dev.postcommit.testkit.pubsub.PubSubReader;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The publisher and a server that freezes, dies and comes back. */
class PublishOutageIT {
  private PublishScene scene;
  private String topic;
  private Publisher publisher;

  @BeforeEach
  void open() {
    scene = new PublishScene();
    topic = scene.newTopic();
    publisher =
        PubSubPublisher.builder(scene.connection())
            .topics(topic)
            .deliveryTimeout(Duration.ofSeconds(1))
            .requestTimeout(Duration.ofMillis(400))
            .build();
    List<Message> first = numbered(scene.newTopic(), "a", 1);
    await().until(() -> send(publisher, first).contains(Delivery.DELIVERED));
  }

  @AfterEach
  void close() {
    publisher.close();
    scene.close();
  }

  private List<Message> arrivals(int count) {
    return PubSubReader.read(scene.server, topic, count);
  }

  /** More than are sent at a time. */
  private List<Message> ofManyKeys() {
    return IntStream.range(0, 500).mapToObj(i -> numbered(topic, "key " + i, 1).get(0)).toList();
  }

  @Test
  @DisplayName("R37: while the server is frozen all messages end unavailable, in time, sent or not")
  void aFrozenServerIsUnavailable() {
    scene.proxy.freeze();
    List<CompletableFuture<Delivery>> sent = begin(publisher, ofManyKeys());
    String reason = scene.connection() + " does not answer within 3 s";
    assertThat(publisher.problem()).contains(reason);
    List<Delivery> deliveries = outcomes(publisher, sent);
    assertThat(deliveries).hasOnlyElementsOfType(Unavailable.class);
    assertThat(deliveries.get(0))
        .isInstanceOfSatisfying(
            Unavailable.class, first -> assertThat(first.reason()).isEqualTo(reason));
    assertThat(deliveries.get(499))
        .isEqualTo(
            new Unavailable(
                "not sent, as Pub/Sub took longer than 1 s over what was before it", null));

    scene.proxy.thaw();
    await().until(() -> publisher.problem().isEmpty());
    assertThat(send(publisher, numbered(topic, "a", 10))).containsOnly(Delivery.DELIVERED);
  }

  @Test
  @DisplayName("R30: no message of a key is delivered after an earlier one failed: a freeze")
  void keepsOrderThroughAFreeze() {
    try (OrderedTraffic traffic = new OrderedTraffic(publisher, topic)) {
      await().until(traffic::isFlowing);
      scene.proxy.freeze();
      await().pollInterval(Duration.ofMillis(1)).until(traffic::isInterrupted);
      scene.proxy.thaw();
      await().until(traffic::isFlowing);
      traffic.stopAndCheck(this::arrivals);
    }
  }

  @Test
  @DisplayName("R30: no message of a key is delivered after an earlier one failed: outages")
  void keepsOrderThroughOutages() {
    try (OrderedTraffic traffic = new OrderedTraffic(publisher, topic)) {
      for (int outage = 0; outage < 2; outage++) {
        await().until(traffic::isFlowing);
        scene.proxy.stop();
        await().until(traffic::isInterrupted);
        assertThat(publisher.problem())
            .hasValueSatisfying(
                why -> assertThat(why).contains(scene.proxy.emulatorHost(), "does not answer"));
        scene.proxy.restart();
        await().atMost(Duration.ofSeconds(5)).until(traffic::isFlowing);
      }
      assertThat(publisher.problem()).isEmpty();
      traffic.stopAndCheck(this::arrivals);
    }
  }

  @Test
  @DisplayName("closing during an outage ends every message and does not hang")
  void closesDuringAnOutage() {
    scene.proxy.freeze();
    List<CompletableFuture<Delivery>> sent = begin(publisher, numbered(topic, "a", 3));

    publisher.close();

    assertThat(sent).allMatch(CompletableFuture::isDone);
    assertThat(sent).allMatch(each -> each.join() instanceof Unavailable);
  }
}
