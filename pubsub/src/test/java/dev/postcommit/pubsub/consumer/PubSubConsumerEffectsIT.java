package dev.postcommit.pubsub.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.pubsub.v1.PubsubMessage;
import dev.postcommit.RetryPolicy;
import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.consumer.inbox.Inbox;
import dev.postcommit.consumer.inbox.JdbcIdempotencyStore;
import dev.postcommit.consumer.inbox.RedisIdempotencyStore;
import dev.postcommit.consumer.message.ReceivedEvent;
import dev.postcommit.testkit.contract.ObservedConsumer;
import dev.postcommit.testkit.pubsub.PubSubProxy;
import dev.postcommit.testkit.pubsub.PubSubServer;
import dev.postcommit.testkit.redis.RedisServer;
import io.lettuce.core.RedisClient;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Effects in a database, through everything that makes messages come again. The emulator sees no
 * stream end, and keeps what it sent there.
 */
class PubSubConsumerEffectsIT {
  private static final int EVENTS = 600;
  private static final int KEYS = 30;

  private final PubSubServer server = PubSubServer.startHere();
  private final PubSubConsumerStage stage = new PubSubConsumerStage(server);
  private final PubSubProxy proxy = PubSubProxy.before(server);
  private final PubSubConsumerEffects effects = new PubSubConsumerEffects();
  private final ObservedConsumer observed = new ObservedConsumer();
  private final String name = "inventory-" + UUID.randomUUID();

  @AfterEach
  void close() {
    proxy.close();
    stage.close();
    server.close();
    effects.close();
  }

  private EventConsumer consumer(Handler handler) {
    JdbcIdempotencyStore store =
        JdbcIdempotencyStore.builder(effects.database().dataSource(), name).build();
    return EventConsumer.builder(name)
        .inbox(Inbox.transactional(store))
        .retryPolicy(new RetryPolicy(3, Duration.ofMillis(5), Duration.ofMillis(20)))
        .listener(observed)
        .on("numbered", String.class, handler::handle)
        .build();
  }

  private interface Handler {
    void handle(Connection tx, ReceivedEvent<String> event) throws Exception;
  }

  private static PubsubMessage event(int number) {
    return PubSubConsumerStage.event(
        "key-" + number % KEYS, new UUID(7, number).toString(), "numbered", "" + number);
  }

  /**
   * Publishes every event twice, the second time right away or at the end, and then a last one of
   * each key: when that is processed, all of its key has come.
   */
  private void publishTwice() {
    List<PubsubMessage> messages = new ArrayList<>();
    for (int i = 0; i < EVENTS; i++) {
      messages.add(event(i));
      if (i % 3 == 0) {
        messages.add(event(i));
      }
    }
    for (int i = 0; i < EVENTS; i++) {
      if (i % 3 != 0) {
        messages.add(event(i));
      }
    }
    for (int i = EVENTS; i < EVENTS + KEYS; i++) {
      messages.add(event(i));
    }
    stage.publish(messages);
  }

  private void assertEachOnceInOrder() {
    assertThat(effects.byKey()).hasSize(KEYS);
    assertThat(effects.byKey().values())
        .allSatisfy(
            numbers ->
                assertThat(numbers).hasSize(EVENTS / KEYS + 1).doesNotHaveDuplicates().isSorted());
  }

  @Test
  @DisplayName("R40, R43, R44: outages and silence in mid-run; each effect once, in order")
  void anOutageRepeatsNothing() {
    publishTwice();
    EventConsumer events =
        consumer(
            (tx, event) -> {
              TimeUnit.MILLISECONDS.sleep(2);
              PubSubConsumerEffects.write(tx, event);
            });
    try (PubSubEventConsumer consumer =
        stage
            .consumer(events, proxy.emulatorHost())
            .threads(3)
            .batchSize(10)
            .maxOutstanding(100)
            .build()) {
      consumer.start();
      await().until(() -> observed.processed() > 50);
      proxy.stop();
      await().until(() -> consumer.problem().isPresent() && consumer.pending() == 0);
      proxy.restart();
      int before = observed.processed();
      await().until(() -> observed.processed() > before);
      await().until(() -> consumer.problem().isEmpty());
      proxy.freeze();
      await().pollDelay(Duration.ofSeconds(1)).until(() -> true);
      proxy.thaw();
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> observed.processed() == EVENTS + KEYS && consumer.pending() == 0);
    }
    assertThat(observed.duplicates()).isGreaterThanOrEqualTo(EVENTS);
    assertEachOnceInOrder();
    assertThat(observed.retries()).isEmpty();
    assertThat(observed.dead()).isEmpty();
    assertThat(stage.unacknowledged(0)).isEmpty();
  }

  @Test
  @DisplayName("R43: a message is acknowledged after its effect is committed, not before")
  void acknowledgesAfterTheCommit() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    EventConsumer hangs =
        consumer(
            (tx, event) -> {
              PubSubConsumerEffects.write(tx, event);
              begun.countDown();
              new CountDownLatch(1).await();
            });
    stage.publish(List.of(event(1)));
    try (PubSubEventConsumer consumer = stage.consumer(hangs).closeTimeout(Duration.ZERO).build()) {
      consumer.start();
      assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(effects.count()).isZero();
    assertThat(observed.processed()).isEqualTo(0);
    try (PubSubEventConsumer consumer =
        stage.consumer(consumer(PubSubConsumerEffects::write)).build()) {
      consumer.start();
      await().until(() -> observed.processed() == 1 && consumer.pending() == 0);
    }
    assertThat(effects.count()).isEqualTo(1);
    assertThat(stage.unacknowledged(0)).isEmpty();
  }

  @Test
  @DisplayName("R41, R44: with marks in Redis a second message of an event has no effect")
  void marksInRedis() {
    AtomicInteger calls = new AtomicInteger();
    RedisClient redis = RedisClient.create(RedisServer.shared().url());
    try {
      EventConsumer events =
          EventConsumer.builder(name)
              .inbox(Inbox.marking(RedisIdempotencyStore.builder(redis).build()))
              .listener(observed)
              .on("numbered", String.class, event -> calls.incrementAndGet())
              .build();
      stage.publish(List.of(event(1), event(1), event(2), event(1)));
      try (PubSubEventConsumer consumer = stage.consumer(events).threads(2).build()) {
        consumer.start();
        await().until(() -> observed.duplicates() == 2 && consumer.pending() == 0);
      }
      assertThat(calls).hasValue(2);
      String mark = "postcommit:" + name + ":" + new UUID(7, 1);
      try (var connection = redis.connect()) {
        assertThat(connection.sync().get(mark)).startsWith("processed:");
      }
    } finally {
      redis.shutdown();
    }
    assertThat(stage.unacknowledged(0)).isEmpty();
  }
}
