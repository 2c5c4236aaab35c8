package dev.postcommit.pubsub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.pubsub.v1.PubsubMessage;
import dev.postcommit.inbox.Outcome;
import dev.postcommit.testkit.ChildProcess;
import dev.postcommit.testkit.Processes;
import dev.postcommit.testkit.PubSubServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * What takes longer than Pub/Sub waits: processes that are killed, and a handler that is slow. The
 * slow one runs beside the others.
 */
class PubSubConsumerCrashIT {
  private static final int EVENTS = 3_000;
  private static final int KEYS = 50;
  private static final Duration LONG = Duration.ofSeconds(60);

  /** Longer than the ack deadline, and than Pub/Sub may need to notice. */
  private static final Duration SLOW = Duration.ofSeconds(12);

  private static final AtomicInteger slowRuns = new AtomicInteger();
  private static final CountDownLatch slowEnd = new CountDownLatch(1);
  private static PubSubConsumerStage slowStage;
  private static PubSubEventConsumer slowConsumer;

  @BeforeAll
  static void startTheSlowOne() {
    slowStage = new PubSubConsumerStage(PubSubServer.shared());
    PubSubConsumerScript script =
        new PubSubConsumerScript(
            attempt -> {
              slowRuns.incrementAndGet();
              TimeUnit.NANOSECONDS.sleep(SLOW.toNanos());
              slowEnd.countDown();
              return Outcome.Done.PROCESSED;
            });
    slowConsumer = slowStage.consumer(script).threads(2).build();
    slowStage.publish("a", "1");
    slowConsumer.start();
  }

  @AfterAll
  static void stopTheSlowOne() {
    slowConsumer.close();
    slowStage.close();
  }

  @Test
  void aHandlerSlowerThanTheDeadlineRunsOnce() throws InterruptedException {
    assertThat(slowEnd.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
    await().until(() -> slowConsumer.pending() == 0);
    slowConsumer.close();
    assertThat(slowRuns).hasValue(1);
    assertThat(slowStage.unacknowledged(0)).isEmpty();
  }

  @Test
  @DisplayName("R40, R43, R44: whoever is killed, every effect happens once and in order")
  void effectsHappenOnceWhoeverIsKilled() {
    PubSubServer server = PubSubServer.shared();
    try (PubSubConsumerStage stage = new PubSubConsumerStage(server);
        PubSubConsumerEffects effects = new PubSubConsumerEffects();
        Processes processes = Processes.create()) {
      stage.publish(events());
      ChildProcess first = launch(processes, server, stage, effects);
      ChildProcess second = launch(processes, server, stage, effects);
      killAfter(EVENTS / 4, first, effects);
      launch(processes, server, stage, effects);
      killAfter(EVENTS / 2, second, effects);
      await().atMost(LONG).until(() -> effects.count() >= EVENTS);

      assertThat(effects.byKey()).hasSize(KEYS);
      assertThat(effects.byKey().values())
          .allSatisfy(
              numbers ->
                  assertThat(numbers).hasSize(EVENTS / KEYS).doesNotHaveDuplicates().isSorted());
    }
  }

  private static void killAfter(int count, ChildProcess process, PubSubConsumerEffects effects) {
    await().atMost(LONG).until(() -> effects.count() > count);
    process.kill();
    assertThat(effects.count()).as("effects when it was killed").isLessThan(EVENTS);
  }

  private static List<PubsubMessage> events() {
    List<PubsubMessage> events = new ArrayList<>();
    for (int i = 0; i < EVENTS; i++) {
      String id = new UUID(7, i).toString();
      events.add(
          PubSubConsumerStage.event("key-" + i % KEYS, id, PubSubConsumerProcess.TYPE, "" + i));
    }
    return events;
  }

  private static ChildProcess launch(
      Processes processes,
      PubSubServer server,
      PubSubConsumerStage stage,
      PubSubConsumerEffects effects) {
    return processes
        .java(PubSubConsumerProcess.class)
        .jvmOptions("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx128m")
        .jvmOptions("-Djava.io.tmpdir=.")
        .arguments(
            server.emulatorHost(),
            server.project(),
            stage.name(),
            effects.database().jdbcUrl(),
            effects.database().username())
        .start();
  }
}
