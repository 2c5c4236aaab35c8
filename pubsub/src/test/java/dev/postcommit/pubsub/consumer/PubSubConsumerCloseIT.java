package dev.postcommit.pubsub.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.consumer.Outcome;
import dev.postcommit.relay.Message;
import dev.postcommit.testkit.contract.ScriptedConsumer;
import dev.postcommit.testkit.pubsub.PubSubServer;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What comes back from a consumer that ends; the emulator keeps it, as it sees no stream end. */
class PubSubConsumerCloseIT {
  private final PubSubServer server = PubSubServer.startHere();
  private final PubSubConsumerStage stage = new PubSubConsumerStage(server);
  private final List<String> handled = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    stage.close();
    server.close();
  }

  @Test
  void interruptsHandlersThatDoNotEndAndGivesTheirMessagesBack() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    ScriptedConsumer consumer =
        new ScriptedConsumer(
            item -> {
              begun.countDown();
              new CountDownLatch(1).await();
              return Outcome.Done.PROCESSED;
            });
    stage.publish("a", "1", "2");
    try (PubSubEventConsumer pubsub =
        stage.consumer(consumer).closeTimeout(Duration.ofMillis(100)).build()) {
      pubsub.start();
      assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(stage.unacknowledged(2).stream().map(Message::body).map(String::new))
        .containsExactly("1", "2");
  }

  @Test
  void aHandlerCanCloseItsConsumerAndNoThreadIsLeft() {
    AtomicReference<PubSubEventConsumer> self = new AtomicReference<>();
    AtomicInteger closed = new AtomicInteger();
    ScriptedConsumer consumer =
        new ScriptedConsumer(
            item -> {
              self.get().close();
              closed.incrementAndGet();
              handled.add(ScriptedConsumer.body(item));
              return Outcome.Done.PROCESSED;
            });
    stage.publish("a", "1", "2");
    PubSubEventConsumer pubsub = stage.consumer(consumer).batchSize(1).build();
    self.set(pubsub);
    pubsub.start();
    await().until(() -> closed.get() == 1);
    pubsub.close();
    assertThat(pubsub.running()).isFalse();
    assertThat(handled).containsExactly("1");
    await().untilAsserted(() -> assertThat(threads("postcommit-" + stage.name())).isEmpty());
    assertThat(stage.unacknowledged(1)).hasSize(1);
  }

  private static Set<String> threads(String prefix) {
    Set<String> names = new HashSet<>();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().startsWith(prefix)) {
        names.add(thread.getName());
      }
    }
    return names;
  }
}
