package dev.postcommit.pubsub.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.pubsub.v1.Subscription;
import dev.postcommit.consumer.Outcome;
import dev.postcommit.testkit.contract.ScriptedConsumer;
import dev.postcommit.testkit.pubsub.PubSubProxy;
import dev.postcommit.testkit.pubsub.PubSubServer;
import io.grpc.Status;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What keeps a consumer from reading, what it says about it, and how it goes on by itself. */
class PubSubConsumerProblemsIT {
  private static final String GET = "google.pubsub.v1.Subscriber/GetSubscription";
  private static final String PULL = "google.pubsub.v1.Subscriber/StreamingPull";
  private static final Duration LONG = Duration.ofSeconds(60);

  private final PubSubServer server = PubSubServer.shared();
  private final PubSubConsumerStage stage = new PubSubConsumerStage(server);
  private final PubSubProxy proxy = PubSubProxy.before(server);
  private final AtomicInteger count = new AtomicInteger();
  private final ScriptedConsumer script =
      new ScriptedConsumer(
          item -> {
            count.incrementAndGet();
            return Outcome.Done.PROCESSED;
          });

  @AfterEach
  void close() {
    proxy.close();
    stage.close();
  }

  private PubSubEventConsumer.Builder consumer() {
    return stage.consumer(script, proxy.emulatorHost());
  }

  private static void awaitProblem(PubSubEventConsumer consumer, String... texts) {
    await()
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(consumer.problem())
                    .hasValueSatisfying(p -> assertThat(p).contains(texts)));
    assertThat(consumer.running()).isTrue();
  }

  private void awaitReading(PubSubEventConsumer consumer) {
    stage.publish("a", "1");
    await().atMost(LONG).until(() -> count.get() == 1 && consumer.problem().isEmpty());
  }

  @Test
  void waitsForASubscriptionThatIsMissing() {
    server.deleteSubscription(stage.name());
    try (PubSubEventConsumer consumer = consumer().topic(stage.name()).build()) {
      consumer.start();
      awaitProblem(
          consumer,
          "subscription %s does not exist".formatted(server.subscriptionName(stage.name())),
          "gcloud pubsub subscriptions create %s --topic %s --enable-message-ordering"
              .formatted(server.subscriptionName(stage.name()), server.topicName(stage.name())));
      server.createSubscription(stage.name(), stage.name());
      awaitReading(consumer);
    }
  }

  private void makeTheSubscriptionUnordered() {
    server.deleteSubscription(stage.name());
    server.createSubscription(
        Subscription.newBuilder().setName(stage.name()).setTopic(stage.name()).build());
  }

  @Test
  void doesNotReadInOrderWhatHasNone() {
    makeTheSubscriptionUnordered();
    try (PubSubEventConsumer refuses = consumer().build()) {
      refuses.start();
      awaitProblem(
          refuses, "does not keep the order", "--enable-message-ordering", "ordered(false)");
      server.deleteSubscription(stage.name());
      server.createSubscription(stage.name(), stage.name());
      awaitReading(refuses);
    }
  }

  @Test
  void readsInNoOrderWhatHasNone() {
    makeTheSubscriptionUnordered();
    try (PubSubEventConsumer takes = consumer().ordered(false).build()) {
      takes.start();
      awaitReading(takes);
    }
  }

  @Test
  void refusesTheWrongTopic() {
    try (PubSubEventConsumer consumer = consumer().topic("another-topic").build()) {
      consumer.start();
      awaitProblem(consumer, "is of topic " + server.topicName(stage.name()), "correct topic(…)");
    }
  }

  @Test
  void goesOnWhenASubscriptionThatWasDeletedIsThereAgain() {
    try (PubSubEventConsumer consumer = consumer().build()) {
      consumer.start();
      awaitReading(consumer);
      count.set(0);
      server.deleteSubscription(stage.name());
      awaitProblem(consumer, "does not exist");
      server.createSubscription(stage.name(), stage.name());
      awaitReading(consumer);
    }
  }

  @Test
  void waitsForPermission() {
    PubSubProxy.Fault get = proxy.fail(GET, Status.PERMISSION_DENIED);
    PubSubProxy.Fault pull = proxy.fail(PULL, Status.PERMISSION_DENIED);
    try (PubSubEventConsumer unknowing = consumer().build()) {
      unknowing.start();
      awaitProblem(unknowing, "may not be looked at", "roles/pubsub.viewer", "topic(…)");
    }
    try (PubSubEventConsumer knowing = consumer().topic(stage.name()).build()) {
      knowing.start();
      awaitProblem(knowing, "may not be read", "roles/pubsub.subscriber");
      pull.end();
      awaitReading(knowing);
      assertThat(get.count()).isPositive();
    }
  }

  @Test
  void waitsForAServerThatIsNotThere() {
    proxy.stop();
    try (PubSubEventConsumer consumer = consumer().build()) {
      consumer.start();
      awaitProblem(consumer, "UNAVAILABLE");
      proxy.restart();
      awaitReading(consumer);
    }
  }

  @Test
  void closesWhileTheServerIsSilent() {
    try (PubSubEventConsumer consumer = consumer().build()) {
      consumer.start();
      awaitReading(consumer);
      proxy.freeze();
    } finally {
      proxy.thaw();
    }
  }
}
