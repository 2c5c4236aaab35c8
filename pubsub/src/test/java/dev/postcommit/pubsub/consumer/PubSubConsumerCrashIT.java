package dev.postcommit.pubsub.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.pubsub.v1.PubsubMessage;
import dev.postcommit.consumer.Outcome;
import dev.postcommit.consumer.WorkItem;
import dev.postcommit.testkit.contract.ScriptedConsumer;
import dev.postcommit.testkit.process.ChildProcess;
import dev.postcommit.testkit.process.Processes;
import dev.postcommit.testkit.pubsub.PubSubProxy;
import dev.postcommit.testkit.pubsub.PubSubServer;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * What takes longer than Pub/Sub waits: processes that are killed, and handlers that are slow. The
 * slow ones run beside the others. The emulator sees no stream end, and keeps what it sent to
 * processes that are killed.
 */
class PubSubConsumerCrashIT {
  private static final int EVENTS = 3_000;
  private static final int KEYS = 50;
  private static final Duration LONG = Duration.ofSeconds(60);

  /** Longer than the ack deadline, and than Pub/Sub may need to notice. */
  private static final Duration SLOW = Duration.ofSeconds(12);

  private static PubSubServer server;
  private static PubSubProxy proxy;
  private static SlowHandler slow;
  private static SlowHandler unheard;

  /** A consumer that takes long over its first message, and remembers what it handled. */
  private static final class SlowHandler implements AutoCloseable {
    private final PubSubConsumerStage stage = new PubSubConsumerStage(server);
    private final List<String> handled = new CopyOnWriteArrayList<>();
    private final PubSubEventConsumer consumer;

    SlowHandler(String emulatorHost) {
      consumer = stage.consumer(new ScriptedConsumer(this::handle), emulatorHost).build();
      stage.publish("a", "1", "2", "3");
      consumer.start();
    }

    private Outcome handle(WorkItem item) throws InterruptedException {
      if (handled.isEmpty()) {
        TimeUnit.NANOSECONDS.sleep(SLOW.toNanos());
      }
      handled.add(ScriptedConsumer.body(item));
      return Outcome.Done.PROCESSED;
    }

    void awaitDone(int count) {
      await().atMost(LONG).until(() -> handled.size() >= count && consumer.pending() == 0);
      consumer.close();
    }

    @Override
    public void close() {
      consumer.close();
      stage.close();
    }
  }

  @BeforeAll
  static void startTheSlowOnes() {
    server = PubSubServer.startHere();
    proxy = PubSubProxy.before(server);
    proxy.fail("google.pubsub.v1.Subscriber/ModifyAckDeadline", Status.UNAVAILABLE);
    slow = new SlowHandler(server.emulatorHost());
    unheard = new SlowHandler(proxy.emulatorHost());
  }

  @AfterAll
  static void stopTheSlowOnes() {
    slow.close();
    unheard.close();
    proxy.close();
    server.close();
  }

  @Test
  void aHandlerSlowerThanTheDeadlineRunsOnce() {
    slow.awaitDone(3);
    assertThat(slow.handled).containsExactly("1", "2", "3");
    assertThat(slow.stage.unacknowledged(0)).isEmpty();
  }

  @Test
  @DisplayName("R40: what comes again while it is being handled queues behind, in order")
  void whatComesAgainQueuesBehind() {
    unheard.awaitDone(6);
    assertThat(unheard.handled).containsExactly("1", "2", "3", "1", "2", "3");
    assertThat(unheard.stage.unacknowledged(0)).isEmpty();
  }

  @Test
  @DisplayName("R40, R43, R44: whoever is killed, every effect happens once and in order")
  void effectsHappenOnceWhoeverIsKilled() {
    try (PubSubConsumerStage stage = new PubSubConsumerStage(server);
        PubSubConsumerEffects effects = new PubSubConsumerEffects();
        Processes processes = Processes.create()) {
      stage.publish(events());
      List<ChildProcess> started = new ArrayList<>();
      started.add(launch(processes, stage, effects));
      started.add(launch(processes, stage, effects));
      awaitEffects(EVENTS / 4, effects, started);
      kill(started.get(0), effects);
      started.add(launch(processes, stage, effects));
      awaitEffects(EVENTS / 2, effects, started);
      kill(started.get(1), effects);
      awaitEffects(EVENTS, effects, started);

      assertThat(effects.byKey()).hasSize(KEYS);
      assertThat(effects.byKey().values())
          .allSatisfy(
              numbers ->
                  assertThat(numbers).hasSize(EVENTS / KEYS).doesNotHaveDuplicates().isSorted());
    }
  }

  /** Waits until so many events have had their effect; shows what processes wrote if not. */
  private static void awaitEffects(
      int count, PubSubConsumerEffects effects, List<ChildProcess> started) {
    try {
      await()
          .atMost(LONG)
          .pollInterval(Duration.ofMillis(10))
          .until(() -> effects.count() >= count);
    } catch (ConditionTimeoutException e) {
      StringBuilder logs = new StringBuilder();
      started.forEach(each -> logs.append(each.pid()).append(":\n").append(each.output()));
      throw new AssertionError(
          "%d effects, not %d, within %s%n%s".formatted(effects.count(), count, LONG, logs), e);
    }
  }

  private static void kill(ChildProcess process, PubSubConsumerEffects effects) {
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
      Processes processes, PubSubConsumerStage stage, PubSubConsumerEffects effects) {
    return processes
        .java(PubSubConsumerProcess.class)
        .jvmOptions("-Xmx128m")
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
