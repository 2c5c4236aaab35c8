package dev.postcommit.kafka.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.consumer.Outcome;
import dev.postcommit.testkit.contract.ScriptedConsumer;
import dev.postcommit.testkit.kafka.KafkaServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** How far a consumer knows itself to be behind. */
class ConsumerLagIT {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int FETCHED = 1_500;

  private final CountDownLatch mayEnd = new CountDownLatch(1);
  private final ScriptedConsumer consumer =
      new ScriptedConsumer(
          item -> {
            mayEnd.await();
            return Outcome.Done.PROCESSED;
          });

  private static void send(ConsumedTopic topic, int messages) {
    for (int i = 0; i < messages; i++) {
      topic.send(0, "key", "x");
    }
    topic.flush();
  }

  @Test
  void growsWhileAHandlerIsStuck() {
    try (ConsumedTopic topic = new ConsumedTopic(KafkaServer.shared(), 1);
        KafkaEventConsumer running = topic.consumer(consumer).build()) {
      send(topic, FETCHED);
      running.start();
      await().atMost(PATIENCE).until(() -> running.lag().orElse(-1) == FETCHED);
      assertThat(running.pending()).isGreaterThanOrEqualTo(1_000);

      send(topic, 100);
      await().atMost(PATIENCE).until(() -> running.lag().orElse(-1) == FETCHED + 100);
      mayEnd.countDown();
      await().atMost(PATIENCE).until(() -> running.lag().orElse(-1) == 0);
    }
  }

  @Test
  void isUnknownUntilKafkaIsReached() {
    try (ConsumedTopic topic = new ConsumedTopic(KafkaServer.shared(), 1);
        KafkaEventConsumer running =
            topic.consumer(consumer).bootstrapServers("127.0.0.1:1").build()) {
      running.start();
      await().during(Duration.ofSeconds(3)).atMost(PATIENCE).until(() -> running.lag().isEmpty());
    }
  }

  @Test
  void isNothingForAMemberWithoutPartitions() {
    for (String protocol : List.of("classic", "consumer")) {
      try (ConsumedTopic topic = new ConsumedTopic(KafkaServer.shared(), 1);
          KafkaEventConsumer one = member(topic, protocol);
          KafkaEventConsumer other = member(topic, protocol)) {
        one.start();
        other.start();
        await(protocol)
            .atMost(PATIENCE)
            .until(() -> one.lag().orElse(-1) == 0 && other.lag().orElse(-1) == 0);
      }
    }
  }

  private KafkaEventConsumer member(ConsumedTopic topic, String protocol) {
    return topic
        .consumer(consumer)
        .group(protocol + "-" + topic.name())
        .property("group.protocol", protocol)
        .build();
  }
}
