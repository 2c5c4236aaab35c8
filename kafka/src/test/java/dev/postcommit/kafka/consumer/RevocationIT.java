package dev.postcommit.kafka.consumer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.consumer.Outcome;
import dev.postcommit.consumer.WorkItem;
import dev.postcommit.testkit.contract.ScriptedConsumer;
import dev.postcommit.testkit.kafka.KafkaServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A partition that goes to another consumer while a message of it is being handled. */
class RevocationIT {
  private static final int MESSAGES = 20;

  private final ConsumedTopic topic = new ConsumedTopic(KafkaServer.shared(), 2);
  private final List<String> byOwner = Collections.synchronizedList(new ArrayList<>());
  private final List<String> byOther = Collections.synchronizedList(new ArrayList<>());
  private final CountDownLatch begun = new CountDownLatch(2);
  private final CountDownLatch mayEnd = new CountDownLatch(1);

  private final ScriptedConsumer owner =
      new ScriptedConsumer(
          item -> {
            begun.countDown();
            mayEnd.await();
            byOwner.add(text(item));
            return Outcome.Done.PROCESSED;
          });

  private final ScriptedConsumer other =
      new ScriptedConsumer(
          item -> {
            byOther.add(text(item));
            return Outcome.Done.PROCESSED;
          });

  @AfterEach
  void close() {
    topic.close();
  }

  private static String text(WorkItem item) {
    return new String(item.message().body(), UTF_8);
  }

  private void sendAll() {
    for (int i = 0; i < 2 * MESSAGES; i++) {
      topic.send(i % 2, "key", Integer.toString(i));
    }
    topic.flush();
  }

  private KafkaEventConsumer consumer(ScriptedConsumer consumer, int maxPollInterval) {
    return topic
        .consumer(consumer)
        .group(owner.name())
        .threads(2)
        .batchSize(1)
        .property("heartbeat.interval.ms", 200)
        .property("max.poll.interval.ms", maxPollInterval)
        .build();
  }

  private boolean isAllCommitted() {
    return topic.committed(owner, 0) == MESSAGES && topic.committed(owner, 1) == MESSAGES;
  }

  @Test
  @DisplayName("what is being handled is finished first; nobody is given it again")
  void aPartitionMovesWhenItsHandlerHasFinished() throws InterruptedException {
    sendAll();
    try (KafkaEventConsumer first = consumer(owner, 60_000);
        KafkaEventConsumer second = consumer(other, 60_000)) {
      first.start();
      begun.await();
      second.start();
      await().during(Duration.ofSeconds(2)).until(byOther::isEmpty);
      mayEnd.countDown();
      await().until(this::isAllCommitted);
    }
    List<String> all = new ArrayList<>(byOwner);
    all.addAll(byOther);
    assertThat(all).hasSize(2 * MESSAGES).doesNotHaveDuplicates();
    assertThat(byOther).isNotEmpty();
  }

  @Test
  @DisplayName("what is not finished in time moves all the same; its late end commits nothing")
  void aPartitionDoesNotWaitForEver() throws InterruptedException {
    sendAll();
    try (KafkaEventConsumer first = consumer(owner, 2_000);
        KafkaEventConsumer second = consumer(other, 2_000)) {
      first.start();
      begun.await();
      second.start();
      await().until(() -> byOther.size() == MESSAGES);
      assertThat(byOwner).isEmpty();
      assertThat(topic.committed(owner, 0) + topic.committed(owner, 1))
          .isLessThanOrEqualTo(MESSAGES);
      mayEnd.countDown();
      await().until(this::isAllCommitted);
    }
    // The one that was being handled when its partition moved came twice.
    assertThat(byOwner).hasSize(MESSAGES + 1).containsAnyElementsOf(byOther);
  }
}
