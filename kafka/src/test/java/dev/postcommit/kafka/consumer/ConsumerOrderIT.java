package dev.postcommit.kafka.consumer;

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
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The order in which messages are handled, whatever fails. */
class ConsumerOrderIT {
  private static final int PARTITIONS = 3;
  private static final int MESSAGES = 3_000;

  private final ConsumedTopic topic = new ConsumedTopic(KafkaServer.shared(), PARTITIONS);
  private final Map<String, List<Long>> handled = new ConcurrentHashMap<>();
  private final AtomicInteger count = new AtomicInteger();
  private final Set<String> busy = ConcurrentHashMap.newKeySet();
  private final List<String> overlaps = Collections.synchronizedList(new ArrayList<>());

  @AfterEach
  void close() {
    topic.close();
  }

  private static int partition(WorkItem item) {
    return Integer.parseInt(item.message().origin().get("partition"));
  }

  private static long offset(WorkItem item) {
    return Long.parseLong(item.message().origin().get("offset"));
  }

  /** Handles a message of an ordering key; every tenth is to be retried once or twice before. */
  private Outcome handle(WorkItem item, String key) {
    if (!busy.add(key)) {
      overlaps.add(key);
    }
    try {
      if (offset(item) % 10 == 3 && item.attempt() <= 1 + offset(item) % 2) {
        return ScriptedConsumer.retry(offset(item) % 7);
      }
      handled.computeIfAbsent(key, unused -> new ArrayList<>()).add(offset(item));
      count.incrementAndGet();
      return Outcome.Done.PROCESSED;
    } finally {
      busy.remove(key);
    }
  }

  private void sendAll(int keys) {
    Random random = new Random(7);
    for (int i = 0; i < MESSAGES; i++) {
      int key = random.nextInt(keys);
      topic.send(key % PARTITIONS, "key-" + key, "x");
    }
    topic.flush();
  }

  private void check(ScriptedConsumer consumer, ConsumerOrder order) {
    sendAll(20);
    try (KafkaEventConsumer kafka = topic.consumer(consumer).threads(4).order(order).build()) {
      kafka.start();
      await().atMost(Duration.ofSeconds(30)).until(() -> count.get() >= MESSAGES);
      await().until(() -> kafka.pending() == 0);
    }
    assertThat(overlaps).isEmpty();
    assertThat(count).hasValue(MESSAGES);
    assertThat(handled.values())
        .allSatisfy(offsets -> assertThat(offsets).isSorted().doesNotHaveDuplicates());
    long committed = 0;
    for (int partition = 0; partition < PARTITIONS; partition++) {
      committed += topic.committed(consumer, partition);
    }
    assertThat(committed).isEqualTo(MESSAGES);
  }

  @Test
  @DisplayName("R40: messages of a partition are handled in order, none skipped, whatever fails")
  void keepsTheOrderOfPartitions() {
    check(
        new ScriptedConsumer(item -> handle(item, "partition-" + partition(item))),
        ConsumerOrder.PARTITION);
    assertThat(handled).hasSize(PARTITIONS);
  }

  @Test
  @DisplayName("R40: messages of a key are handled in order, none skipped, whatever fails")
  void keepsTheOrderOfKeys() {
    check(new ScriptedConsumer(item -> handle(item, item.message().key())), ConsumerOrder.KEY);
    assertThat(handled).hasSize(20);
  }

  @Test
  @DisplayName("R40: a message that is to be retried holds back only its own key")
  void aFailedMessageHoldsBackOnlyItsKey() throws InterruptedException {
    CountDownLatch healed = new CountDownLatch(1);
    AtomicInteger attempts = new AtomicInteger();
    ScriptedConsumer consumer =
        new ScriptedConsumer(
            item -> {
              if (item.message().key().equals("sick") && healed.getCount() > 0) {
                attempts.set(item.attempt());
                return ScriptedConsumer.retry(20);
              }
              return handle(item, item.message().key());
            });
    topic.send(0, "sick", "x");
    topic.send(0, "sick", "x");
    for (int i = 0; i < 500; i++) {
      topic.send(0, "well", "x");
    }
    topic.flush();
    try (KafkaEventConsumer kafka = topic.consumer(consumer).order(ConsumerOrder.KEY).build()) {
      kafka.start();
      await().until(() -> count.get() == 500 && attempts.get() >= 5);
      assertThat(handled).doesNotContainKey("sick");
      assertThat(topic.committed(consumer, 0)).isZero();
      healed.countDown();
      await().until(() -> topic.committed(consumer, 0) == 502);
    }
    assertThat(handled.get("sick")).containsExactly(0L, 1L);
  }

  @Test
  @DisplayName("messages without a key have no order, and none is skipped")
  void messagesWithoutAKey() {
    ScriptedConsumer consumer =
        new ScriptedConsumer(
            item -> {
              assertThat(item.orderingKey()).isNull();
              return item.attempt() == 1 && offset(item) % 5 == 0
                  ? ScriptedConsumer.retry(10)
                  : handle(item, "offset-" + offset(item));
            });
    for (int i = 0; i < 300; i++) {
      topic.send(0, null, "x");
    }
    topic.flush();
    try (KafkaEventConsumer kafka =
        topic.consumer(consumer).threads(3).order(ConsumerOrder.KEY).build()) {
      kafka.start();
      await().until(() -> topic.committed(consumer, 0) == 300);
    }
    assertThat(count).hasValue(300);
  }
}
