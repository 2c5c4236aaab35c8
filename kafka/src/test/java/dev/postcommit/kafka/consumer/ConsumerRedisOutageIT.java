package dev.postcommit.kafka.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.RetryPolicy;
import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.consumer.inbox.Inbox;
import dev.postcommit.consumer.inbox.RedisIdempotencyStore;
import dev.postcommit.testkit.contract.ObservedConsumer;
import dev.postcommit.testkit.kafka.KafkaServer;
import dev.postcommit.testkit.redis.RedisServer;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Redis fails or is slow while events are handled that are marked in it. */
class ConsumerRedisOutageIT {
  private static final int EVENTS = 1_500;
  private static final int THREADS = 2;
  private static final int BATCH = 10;
  private static final Duration REDIS_TIMEOUT = Duration.ofSeconds(1);

  private static final Duration IN_PROGRESS_TIME = Duration.ofSeconds(4);

  private final RedisServer redis = RedisServer.start();
  private final RedisClient client = RedisClient.create(redis.url());
  private final EventTopic topic = new EventTopic(KafkaServer.shared(), 4);
  private final ObservedConsumer observed = new ObservedConsumer();
  private final List<String> started = Collections.synchronizedList(new ArrayList<>());

  @AfterEach
  void close() {
    topic.close();
    client.shutdown();
    redis.close();
  }

  @Test
  @DisplayName("R42, R44: while Redis is down nothing is begun; then every event has one effect")
  void nothingIsBegunWhileRedisIsDown() throws Exception {
    handleThrough(redis::stop, redis::restart);
  }

  @Test
  @DisplayName("R42, R44: while Redis is frozen nothing is begun; then every event has one effect")
  void nothingIsBegunWhileRedisIsFrozen() throws Exception {
    handleThrough(redis::freeze, redis::thaw);
  }

  /**
   * Handles events, a third of them twice, while Redis goes and comes back.
   *
   * <p>When Redis goes, each thread may have a batch of marks that were begun, and their handlers
   * run. Nothing else is started: neither more events than that, nor any at all once the time is
   * over in which handlers of a batch are started, a quarter of the in-progress time.
   */
  private void handleThrough(Runnable goes, Runnable comesBack) throws Exception {
    EventConsumer events = consumer(IN_PROGRESS_TIME, 1);
    Set<String> ids = topic.sendWithDuplicates(EVENTS);
    try (KafkaEventConsumer consumer = kafka(events).build()) {
      consumer.start();
      await().until(() -> started.size() >= EVENTS / 5);
      // The first connection may take longer than its time.
      int outages = observed.outages();
      assertThat(observed.recoveries()).isEqualTo(outages);

      goes.run();
      int atOutage = started.size();
      long begin = System.nanoTime();
      await().until(() -> observed.outages() > outages);
      long noticed = System.nanoTime() - begin;
      Duration settling = IN_PROGRESS_TIME.dividedBy(4).plus(REDIS_TIMEOUT);
      await().until(() -> System.nanoTime() - begin > settling.toNanos());
      int noticedByAll = started.size();
      await().until(() -> System.nanoTime() - begin > settling.plusSeconds(2).toNanos());
      int beforeReturn = started.size();
      assertThat(observed.recoveries()).isEqualTo(outages);
      comesBack.run();
      topic.awaitDone(events);

      System.out.printf(
          "%d handlers had run when Redis went; noticed after %d ms; %d more ran, then none;"
              + " %d duplicates filtered%n",
          atOutage, noticed / 1_000_000, noticedByAll - atOutage, observed.duplicates());
      assertThat(noticedByAll - atOutage).isLessThanOrEqualTo(THREADS * BATCH);
      assertThat(beforeReturn).as("handlers started").isEqualTo(noticedByAll).isLessThan(EVENTS);
    }
    assertThat(started).hasSize(EVENTS);
    assertThat(new HashSet<>(started)).isEqualTo(ids);
    assertThat(observed.processed()).isEqualTo(EVENTS);
    assertThat(observed.recoveries()).isEqualTo(observed.outages());
    assertThat(observed.retries()).as("attempts counted").isEmpty();
    assertThat(observed.dead()).isEmpty();
  }

  @Test
  @DisplayName("R44: a handler slower than max.poll.interval.ms costs no membership and runs once")
  void aSlowHandlerRunsOnce() throws Exception {
    EventConsumer events = consumer(Duration.ofSeconds(20), 4_000);
    topic.send(UUID.randomUUID().toString(), "key");
    topic.send(UUID.randomUUID().toString(), "key");
    try (KafkaEventConsumer consumer =
        kafka(events)
            .property("max.poll.interval.ms", 1_500)
            .property("session.timeout.ms", 6_000)
            .build()) {
      consumer.start();
      await().until(() -> !started.isEmpty());
      Set<String> members = topic.members(events);
      assertThat(members).hasSize(1);
      topic.awaitDone(events);
      assertThat(topic.members(events)).isEqualTo(members);
    }
    assertThat(started).hasSize(2).doesNotHaveDuplicates();
  }

  private EventConsumer consumer(Duration inProgressTime, int handlerMillis) {
    RedisIdempotencyStore store =
        RedisIdempotencyStore.builder(client)
            .inProgressTime(inProgressTime)
            .timeout(REDIS_TIMEOUT)
            .build();
    return EventConsumer.builder("outage-" + UUID.randomUUID())
        .inbox(Inbox.marking(store))
        // An attempt that counts would be the last.
        .retryPolicy(new RetryPolicy(1, Duration.ofMillis(10), Duration.ofMillis(10)))
        .listener(observed)
        .on(
            EventTopic.TYPE,
            String.class,
            event -> {
              started.add(event.id());
              Thread.sleep(handlerMillis);
            })
        .build();
  }

  private KafkaEventConsumer.Builder kafka(EventConsumer events) {
    return topic.consumer(events).threads(THREADS).order(ConsumerOrder.KEY).batchSize(BATCH);
  }
}
