package dev.postcommit.kafka.consumer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.consumer.Outcome;
import dev.postcommit.consumer.WorkItem;
import dev.postcommit.consumer.message.ReceivedMessage;
import dev.postcommit.testkit.contract.ScriptedConsumer;
import dev.postcommit.testkit.kafka.KafkaServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is fetched, committed and given again. */
class KafkaEventConsumerIT {
  private final ConsumedTopic topic = new ConsumedTopic(KafkaServer.shared(), 2);
  private final List<String> handled = Collections.synchronizedList(new ArrayList<>());

  @AfterEach
  void close() {
    topic.close();
  }

  private static String body(WorkItem item) {
    return new String(item.message().body(), UTF_8);
  }

  private Outcome handle(WorkItem item) {
    handled.add(body(item));
    return Outcome.Done.PROCESSED;
  }

  private void send(int partition, int from, int to) {
    for (int i = from; i < to; i++) {
      topic.send(partition, "key", Integer.toString(i));
    }
    topic.flush();
  }

  @Test
  void messagesAreGivenAsTheyAreInKafka() throws InterruptedException {
    AtomicReference<ReceivedMessage> received = new AtomicReference<>();
    ScriptedConsumer consumer =
        new ScriptedConsumer(
            item -> {
              received.set(item.message());
              return Outcome.Done.IGNORED;
            });
    topic.send(
        1,
        "Größe",
        "{}",
        new RecordHeader("a", new byte[] {'1'}),
        new RecordHeader("a", new byte[] {'2'}),
        new RecordHeader("none", null));
    topic.flush();
    try (KafkaEventConsumer kafka = topic.consumer(consumer).build()) {
      kafka.start();
      await().until(() -> received.get() != null);
    }
    ReceivedMessage message = received.get();
    assertThat(message.topic()).isEqualTo(topic.name());
    assertThat(message.key()).isEqualTo("Größe");
    assertThat(message.body()).containsExactly('{', '}');
    assertThat(message.headers()).isEqualTo(Map.of("a", "2", "none", ""));
    assertThat(message.origin())
        .containsEntry("partition", "1")
        .containsEntry("offset", "0")
        .containsKey("timestamp");
  }

  @Test
  @DisplayName(
      "no offset is committed beyond a message that is being handled; closing redelivers it")
  void commitsOnlyWhatIsHandled() throws InterruptedException {
    CountDownLatch blocked = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    ScriptedConsumer consumer =
        new ScriptedConsumer(
            item -> {
              if (body(item).equals("5") && never.getCount() > 0) {
                blocked.countDown();
                never.await();
              }
              return handle(item);
            });
    send(0, 0, 10);
    KafkaEventConsumer first =
        topic.consumer(consumer).batchSize(1).closeTimeout(Duration.ofMillis(500)).build();
    first.start();
    blocked.await();
    await().until(() -> topic.committed(consumer, 0) == 5);

    long begin = System.nanoTime();
    first.close();
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(8));
    assertThat(topic.committed(consumer, 0)).isEqualTo(5);
    assertThat(handled).containsExactly("0", "1", "2", "3", "4");

    never.countDown();
    try (KafkaEventConsumer second = topic.consumer(consumer).build()) {
      second.start();
      await().until(() -> topic.committed(consumer, 0) == 10);
    }
    assertThat(handled).containsExactly("0", "1", "2", "3", "4", "5", "6", "7", "8", "9");
  }

  @Test
  @DisplayName("a graceful stop finishes what is being handled; the next goes on right behind")
  void stopsGracefully() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(20);
    ScriptedConsumer consumer =
        new ScriptedConsumer(
            item -> {
              begun.countDown();
              TimeUnit.MILLISECONDS.sleep(5);
              return handle(item);
            });
    send(0, 0, 200);
    KafkaEventConsumer first = topic.consumer(consumer).batchSize(10).build();
    first.start();
    begun.await();
    first.close();
    int before = handled.size();
    assertThat(before).isBetween(20, 199);
    assertThat(topic.committed(consumer, 0)).isEqualTo(before);

    try (KafkaEventConsumer second = topic.consumer(consumer).build()) {
      second.start();
      await().until(() -> topic.committed(consumer, 0) == 200);
    }
    assertThat(handled).hasSize(200).doesNotHaveDuplicates();
  }

  @Test
  @DisplayName("a handler slower than max.poll.interval.ms costs no membership")
  void aSlowHandlerCausesNoRebalance() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    AtomicInteger calls = new AtomicInteger();
    ScriptedConsumer consumer =
        new ScriptedConsumer(
            item -> {
              calls.incrementAndGet();
              begun.countDown();
              TimeUnit.SECONDS.sleep(5);
              return handle(item);
            });
    send(0, 0, 1);
    try (KafkaEventConsumer kafka =
        topic
            .consumer(consumer)
            .property("max.poll.interval.ms", 2_000)
            .property("session.timeout.ms", 6_000)
            .property("heartbeat.interval.ms", 500)
            .build()) {
      kafka.start();
      begun.await();
      Set<String> members = topic.members(consumer);
      assertThat(members).hasSize(1);
      await().until(() -> topic.committed(consumer, 0) == 1);
      assertThat(topic.members(consumer)).isEqualTo(members);
    }
    assertThat(calls).hasValue(1);
  }

  @Test
  @DisplayName("what is fetched and waits is bounded, and what waits holds up no other partition")
  void fetchesNoMoreThanItCanKeep() throws InterruptedException {
    CountDownLatch mayGoOn = new CountDownLatch(1);
    ScriptedConsumer consumer =
        new ScriptedConsumer(
            item -> {
              if (item.message().origin().get("partition").equals("0")) {
                mayGoOn.await();
              }
              return Outcome.Done.PROCESSED;
            });
    send(0, 0, 50_000);
    send(1, 0, 3_000);
    try (KafkaEventConsumer kafka = topic.consumer(consumer).threads(2).batchSize(100).build()) {
      kafka.start();
      await().until(() -> topic.committed(consumer, 1) == 3_000);
      await().until(() -> kafka.pending() >= 1_000);
      // The limit, and what one poll may bring beyond it.
      await().during(Duration.ofMillis(500)).until(() -> kafka.pending() <= 1_500);
      mayGoOn.countDown();
      await().atMost(Duration.ofSeconds(30)).until(() -> topic.committed(consumer, 0) == 50_000);
    }
    assertThat(consumer.largestBatch()).isEqualTo(100);
  }

  @Test
  void giantMessagesAreBoundedByTheirBytes() throws InterruptedException {
    CountDownLatch mayGoOn = new CountDownLatch(1);
    ScriptedConsumer consumer =
        new ScriptedConsumer(
            item -> {
              mayGoOn.await();
              return Outcome.Done.PROCESSED;
            });
    for (int i = 0; i < 120; i++) {
      topic.send(0, "key", new byte[900_000]);
    }
    topic.flush();
    try (KafkaEventConsumer kafka = topic.consumer(consumer).build()) {
      kafka.start();
      // Half of 64 MiB, for there are two partitions.
      await().until(() -> kafka.pending() >= 37);
      await().during(Duration.ofMillis(500)).until(() -> kafka.pending() <= 45);
      mayGoOn.countDown();
      await().atMost(Duration.ofSeconds(30)).until(() -> topic.committed(consumer, 0) == 120);
    }
  }

  @Test
  @DisplayName("a topic that is not there yet is read when it is")
  void waitsForATopic() {
    String name = topic.name() + "-later";
    ScriptedConsumer consumer = new ScriptedConsumer(this::handle);
    try (KafkaEventConsumer kafka = topic.consumer(consumer).topics(name).build()) {
      kafka.start();
      try (ConsumedTopic later = new ConsumedTopic(KafkaServer.shared(), name, 1, Map.of())) {
        later.send(0, "key", "x");
        later.flush();
        await().until(() -> later.committed(consumer, 0) == 1);
      }
    }
    assertThat(handled).containsExactly("x");
  }

  @Test
  @DisplayName("Kafka's newer group protocol works as well")
  void theConsumerProtocol() {
    ScriptedConsumer consumer = new ScriptedConsumer(this::handle);
    send(0, 0, 100);
    try (KafkaEventConsumer kafka =
        topic.consumer(consumer).property("group.protocol", "consumer").build()) {
      kafka.start();
      await().until(() -> handled.size() == 100);
    }
    assertThat(topic.committed(consumer, 0)).isEqualTo(100);
    assertThat(handled).doesNotHaveDuplicates();
  }

  @Test
  @DisplayName("offsets that hold no message for us, as those of transactions, are passed")
  void passesTheMarksOfTransactions() {
    ScriptedConsumer consumer = new ScriptedConsumer(this::handle);
    topic.sendInTransaction(0, "key", "kept", true);
    topic.sendInTransaction(0, "key", "aborted", false);
    try (KafkaEventConsumer kafka =
        topic.consumer(consumer).property("isolation.level", "read_committed").build()) {
      kafka.start();
      await().until(() -> topic.committed(consumer, 0) == 4);
    }
    assertThat(handled).containsExactly("kept");
  }

  @Test
  @DisplayName("with auto.offset.reset=latest, what came while it was away is not skipped")
  void remembersWhereItWasFromTheFirstMessageOn() throws InterruptedException {
    CountDownLatch blocked = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    ScriptedConsumer consumer =
        new ScriptedConsumer(
            item -> {
              blocked.countDown();
              never.await();
              return handle(item);
            });
    send(0, 0, 5);
    KafkaEventConsumer.Builder builder =
        topic
            .consumer(consumer)
            .property("auto.offset.reset", "latest")
            .closeTimeout(Duration.ZERO);
    AtomicInteger sent = new AtomicInteger(5);
    try (KafkaEventConsumer kafka = builder.build()) {
      kafka.start();
      await()
          .until(
              () -> {
                send(0, sent.get(), sent.incrementAndGet());
                return blocked.getCount() == 0;
              });
    }
    assertThat(handled).isEmpty();
    long first = topic.committed(consumer, 0);
    assertThat(first).isBetween(5L, (long) sent.get());
    never.countDown();
    try (KafkaEventConsumer kafka = builder.build()) {
      kafka.start();
      await().until(() -> topic.committed(consumer, 0) == sent.get());
    }
    assertThat(handled).hasSize((int) (sent.get() - first));
  }
}
