package dev.postcommit.kafka.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.consumer.Outcome;
import dev.postcommit.testkit.contract.ScriptedConsumer;
import dev.postcommit.testkit.kafka.KafkaReader;
import dev.postcommit.testkit.kafka.KafkaServer;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The consumer and a broker that goes and comes back. */
class ConsumerBrokerOutageIT {
  private static final Duration PATIENCE = Duration.ofSeconds(40);
  private static KafkaServer kafka;

  private final ConsumedTopic topic = new ConsumedTopic(kafka, 1);

  @BeforeAll
  static void start() {
    kafka = KafkaServer.start();
  }

  @AfterAll
  static void stop() {
    kafka.close();
  }

  @AfterEach
  void close() {
    topic.close();
  }

  @Test
  @DisplayName("after a restart of the broker it goes on by itself, and nothing is skipped")
  void goesOnAfterARestart() {
    Set<String> handled = ConcurrentHashMap.newKeySet();
    ScriptedConsumer consumer =
        new ScriptedConsumer(
            item -> {
              TimeUnit.MILLISECONDS.sleep(1);
              handled.add(item.message().origin().get("offset"));
              return Outcome.Done.PROCESSED;
            });
    for (int i = 0; i < 2_000; i++) {
      topic.send(0, "key", "x");
    }
    topic.flush();
    try (KafkaEventConsumer running = topic.consumer(consumer).batchSize(10).build()) {
      running.start();
      await().until(() -> handled.size() > 100);
      kafka.restart();
      topic.send(0, "key", "x");
      topic.flush();
      await().atMost(PATIENCE).until(() -> topic.committed(consumer, 0) == 2_001);
    }
    assertThat(handled).hasSize(2_001);
  }

  @Test
  @DisplayName("R39: a letter that is to be sent while the broker is away is not lost")
  void aLetterSurvivesAnOutage() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch mayFail = new CountDownLatch(1);
    AtomicInteger calls = new AtomicInteger();
    ScriptedConsumer[] self = new ScriptedConsumer[1];
    self[0] =
        new ScriptedConsumer(
            item -> {
              calls.incrementAndGet();
              begun.countDown();
              mayFail.await();
              return self[0].dead(item);
            });
    topic.send(0, "key", "{}");
    topic.flush();
    try (KafkaEventConsumer running = topic.consumer(self[0]).build()) {
      running.start();
      begun.await();
      kafka.stop();
      mayFail.countDown();
      await().atMost(PATIENCE).until(() -> running.problem().isPresent());
      assertThat(running.pending()).isEqualTo(1);
      kafka.restart();
      await().atMost(PATIENCE).until(() -> topic.committed(self[0], 0) == 1);
      assertThat(running.problem()).isEmpty();
    }
    assertThat(KafkaReader.read(kafka.bootstrapServers(), topic.name() + ".dlt", 1)).hasSize(1);
    assertThat(calls).hasValue(1);
  }

  @Test
  @DisplayName("it closes in time while the broker is away")
  void closesWhileTheBrokerIsAway() {
    AtomicInteger handled = new AtomicInteger();
    ScriptedConsumer consumer =
        new ScriptedConsumer(
            item -> {
              handled.incrementAndGet();
              return Outcome.Done.PROCESSED;
            });
    topic.send(0, "key", "x");
    topic.flush();
    KafkaEventConsumer running = topic.consumer(consumer).build();
    running.start();
    await().until(() -> handled.get() == 1);
    kafka.freeze();
    try {
      long begin = System.nanoTime();
      running.close();
      assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(15));
    } finally {
      kafka.thaw();
    }
  }
}
