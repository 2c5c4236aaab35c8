package dev.postcommit.kafka.consumer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.consumer.Outcome;
import dev.postcommit.testkit.contract.ScriptedConsumer;
import dev.postcommit.testkit.kafka.KafkaServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Partitions that move while their messages are being handled. */
class ConsumerMovesIT {
  private static final int KEYS = 20;

  private final ConsumedTopic topic = new ConsumedTopic(KafkaServer.shared(), 2);
  private int sent;
  private final List<Integer> handled = Collections.synchronizedList(new ArrayList<>());
  private final Map<String, List<Integer>> ofKey = new ConcurrentHashMap<>();
  private final Set<String> busy = ConcurrentHashMap.newKeySet();
  private final List<String> overlaps = Collections.synchronizedList(new ArrayList<>());

  @AfterEach
  void close() {
    topic.close();
  }

  /** A consumer that takes a while, and notes the numbers that came with each key. */
  private ScriptedConsumer consumer(long millis, BiConsumer<List<Integer>, Integer> note) {
    return new ScriptedConsumer(
        item -> {
          String key = item.message().key();
          if (!busy.add(key)) {
            overlaps.add(key);
          }
          TimeUnit.MILLISECONDS.sleep(millis);
          Integer number = Integer.valueOf(new String(item.message().body(), UTF_8));
          note.accept(
              ofKey.computeIfAbsent(key, unused -> Collections.synchronizedList(new ArrayList<>())),
              number);
          busy.remove(key);
          handled.add(number);
          return Outcome.Done.PROCESSED;
        });
  }

  private void send(int count) {
    int end = sent + count;
    for (; sent < end; sent++) {
      topic.send(sent % 2, "key-" + sent % KEYS, Integer.toString(sent));
    }
    topic.flush();
  }

  private long committed(ScriptedConsumer consumer) {
    return topic.committed(consumer, 0) + topic.committed(consumer, 1);
  }

  @Test
  @DisplayName(
      "partitions move between consumers: each message is handled, in order, by one at a time")
  void sharesPartitionsWithOthers() {
    ScriptedConsumer consumer = consumer(1, List::add);
    send(2_000);
    KafkaEventConsumer.Builder builder =
        topic
            .consumer(consumer)
            .threads(2)
            .order(ConsumerOrder.KEY)
            .batchSize(10)
            .property("heartbeat.interval.ms", 200);
    try (KafkaEventConsumer stays = builder.build()) {
      stays.start();
      await().until(() -> handled.size() > 200);
      try (KafkaEventConsumer leaves = builder.build()) {
        leaves.start();
        ConsumedTopic.awaitWhileSending(() -> send(100), () -> leaves.pending() > 0);
        send(1_000);
        assertThat(handled).hasSizeLessThan(sent);
      }
      await().atMost(Duration.ofSeconds(30)).until(() -> committed(consumer) == sent);
    }
    assertThat(overlaps).isEmpty();
    assertThat(ofKey).hasSize(KEYS);
    assertThat(ofKey.values())
        .allSatisfy(numbers -> assertThat(numbers).isSorted().doesNotHaveDuplicates());
    assertThat(handled).hasSize(sent);
  }

  @Test
  @DisplayName("R40: a consumer that was thrown out of its group comes back; keys stay in order")
  void comesBackAfterItWasThrownOut() throws Exception {
    int count = 1_000;
    ScriptedConsumer consumer =
        consumer(
            2,
            (numbers, number) -> {
              if (!numbers.contains(number)) {
                numbers.add(number);
              }
            });
    send(count);
    try (KafkaEventConsumer kafka =
        topic
            .consumer(consumer)
            .threads(3)
            .order(ConsumerOrder.KEY)
            .property("heartbeat.interval.ms", 200)
            .build()) {
      kafka.start();
      await().until(() -> handled.size() > 100);
      Set<String> before = topic.members(consumer);
      topic.throwOut(consumer);
      await().atMost(Duration.ofSeconds(20)).until(() -> committed(consumer) == count);
      assertThat(topic.members(consumer)).hasSize(1).doesNotContainAnyElementsOf(before);
    }
    assertThat(overlaps).isEmpty();
    assertThat(ofKey).hasSize(KEYS);
    assertThat(ofKey.values())
        .allSatisfy(numbers -> assertThat(numbers).isSorted().hasSize(count / KEYS));
  }
}
