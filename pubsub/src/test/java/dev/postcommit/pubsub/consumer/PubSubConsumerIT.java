package dev.postcommit.pubsub.consumer;

import static dev.postcommit.testkit.contract.ScriptedConsumer.body;
import static dev.postcommit.testkit.contract.ScriptedConsumer.retry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.pubsub.v1.PubsubMessage;
import dev.postcommit.consumer.Outcome;
import dev.postcommit.consumer.WorkItem;
import dev.postcommit.consumer.message.ReceivedMessage;
import dev.postcommit.testkit.contract.ScriptedConsumer;
import dev.postcommit.testkit.pubsub.PubSubServer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a consumer does with messages, their order, and how it ends. */
class PubSubConsumerIT {
  private static final int MESSAGES = 2_000;
  private static final int KEYS = 20;

  private final PubSubConsumerStage stage = new PubSubConsumerStage(PubSubServer.shared());
  private final Map<String, List<Integer>> handled = new ConcurrentHashMap<>();
  private final AtomicInteger count = new AtomicInteger();
  private final Set<String> busy = ConcurrentHashMap.newKeySet();
  private final List<String> overlaps = Collections.synchronizedList(new ArrayList<>());

  @AfterEach
  void close() {
    stage.close();
  }

  private Outcome done(WorkItem item) {
    String key = String.valueOf(item.message().key());
    if (!busy.add(key)) {
      overlaps.add(key);
    }
    handled
        .computeIfAbsent(key, unused -> new CopyOnWriteArrayList<>())
        .add(Integer.valueOf(body(item)));
    count.incrementAndGet();
    busy.remove(key);
    return Outcome.Done.PROCESSED;
  }

  @Test
  @DisplayName("R40: messages of a key are handled in order, none skipped, whatever fails")
  void keepsTheOrderOfKeys() {
    Random random = new Random(7);
    List<PubsubMessage> messages = new ArrayList<>();
    for (int i = 0; i < MESSAGES; i++) {
      messages.add(PubSubConsumerStage.message("key-" + random.nextInt(KEYS), "" + i, Map.of()));
    }
    stage.publish(messages);
    ScriptedConsumer consumer =
        new ScriptedConsumer(
            item -> {
              int number = Integer.parseInt(body(item));
              return number % 10 == 3 && item.attempt() <= 1 + number % 2
                  ? retry(number % 7)
                  : done(item);
            });
    try (PubSubEventConsumer pubsub =
        stage.consumer(consumer).threads(4).maxOutstanding(300).batchSize(50).build()) {
      pubsub.start();
      await().until(() -> count.get() >= MESSAGES && pubsub.pending() == 0);
    }
    assertThat(overlaps).isEmpty();
    assertThat(handled).hasSize(KEYS);
    assertThat(handled.values())
        .allSatisfy(numbers -> assertThat(numbers).isSorted().doesNotHaveDuplicates());
    assertThat(count).hasValue(MESSAGES);
    assertThat(stage.unacknowledged(0)).isEmpty();
  }

  @Test
  @DisplayName("R40: a message that is to be retried holds back only its own key")
  void aFailedMessageHoldsBackOnlyItsKey() {
    CountDownLatch healed = new CountDownLatch(1);
    AtomicInteger attempts = new AtomicInteger();
    ScriptedConsumer consumer =
        new ScriptedConsumer(
            item -> {
              if ("sick".equals(item.message().key()) && healed.getCount() > 0) {
                attempts.set(item.attempt());
                return retry(20);
              }
              return done(item);
            });
    stage.publish("sick", "1", "2");
    stage.publish("well", "1", "2", "3");
    stage.publish(null, "1", "2");
    try (PubSubEventConsumer pubsub = stage.consumer(consumer).build()) {
      pubsub.start();
      await().until(() -> count.get() == 5 && attempts.get() >= 5);
      assertThat(handled).doesNotContainKey("sick");
      assertThat(pubsub.pending()).isEqualTo(2);
      healed.countDown();
      await().until(() -> pubsub.pending() == 0);
    }
    assertThat(handled.get("sick")).containsExactly(1, 2);
    assertThat(handled.get("well")).containsExactly(1, 2, 3);
    assertThat(stage.unacknowledged(0)).isEmpty();
  }

  @Test
  void aMessageIsWhatWasPublished() {
    AtomicReference<ReceivedMessage> seen = new AtomicReference<>();
    ScriptedConsumer consumer =
        new ScriptedConsumer(
            item -> {
              seen.set(item.message());
              return Outcome.Done.PROCESSED;
            });
    Instant begin = Instant.now().minusSeconds(5);
    stage.publish(List.of(PubSubConsumerStage.message(null, "", Map.of("a", "ä"))));
    try (PubSubEventConsumer pubsub = stage.consumer(consumer).build()) {
      pubsub.start();
      await().until(() -> seen.get() != null);
    }
    ReceivedMessage message = seen.get();
    assertThat(message.topic()).isEqualTo(stage.name());
    assertThat(message.key()).isNull();
    assertThat(message.headers()).isEqualTo(Map.of("a", "ä"));
    assertThat(message.body()).isEmpty();
    assertThat(message.origin())
        .containsOnlyKeys("subscription", "message_id", "publish_time")
        .containsEntry("subscription", stage.name());
    assertThat(Instant.parse(message.origin().get("publish_time")))
        .isBetween(begin, Instant.now().plusSeconds(5));
  }

  @Test
  @DisplayName("R40: on close what is being handled ends first, then others go on where it was")
  void closesInOrder() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch finish = new CountDownLatch(1);
    ScriptedConsumer first =
        new ScriptedConsumer(
            item -> {
              begun.countDown();
              finish.await();
              return done(item);
            });
    for (int i = 0; i < 20; i++) {
      stage.publish("key-" + i % 2, Integer.toString(i));
    }
    PubSubEventConsumer leaves = stage.consumer(first).batchSize(1).build();
    leaves.start();
    assertThat(begun.await(20, java.util.concurrent.TimeUnit.SECONDS)).isTrue();
    await().until(() -> leaves.pending() == 20);
    try (PubSubEventConsumer stays = stage.consumer(new ScriptedConsumer(this::done)).build()) {
      stays.start();
      Thread closer = new Thread(leaves::close, "test-closer");
      closer.start();
      await()
          .during(Duration.ofMillis(300))
          .atMost(Duration.ofSeconds(5))
          .until(() -> count.get() == 0);
      finish.countDown();
      // Long before the deadline of the messages: they were given back.
      await().atMost(Duration.ofSeconds(8)).until(() -> count.get() >= 20);
      closer.join();
    }
    assertThat(overlaps).isEmpty();
    assertThat(handled.values())
        .allSatisfy(numbers -> assertThat(numbers).hasSize(10).isSorted().doesNotHaveDuplicates());
    assertThat(stage.unacknowledged(0)).isEmpty();
  }
}
