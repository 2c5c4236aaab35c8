package dev.postcommit.testkit.pubsub;

import static dev.postcommit.testkit.pubsub.PubSubCalls.bodies;
import static dev.postcommit.testkit.pubsub.PubSubCalls.newName;
import static dev.postcommit.testkit.pubsub.PubSubCalls.status;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.pubsub.v1.GetSubscriptionRequest;
import com.google.pubsub.v1.ListTopicSubscriptionsRequest;
import com.google.pubsub.v1.ListTopicsRequest;
import com.google.pubsub.v1.Topic;
import dev.postcommit.relay.Message;
import dev.postcommit.testkit.ledger.Ledger;
import io.grpc.Status;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Topics, subscriptions and who reads them, alike with our server and Google's official emulator.
 * Set {@code PUBSUB_EMULATOR_HOST} to run it with the latter.
 */
class PubSubResourcesIT extends PubSubFixture {

  PubSubResourcesIT() {
    super(PubSubServer.start());
  }

  @Test
  void theSharedServerIsOneAndOutlivesItsClosing() {
    PubSubServer shared = PubSubServer.shared();
    shared.close();
    String topic = newName();

    shared.createTopic(topic);

    assertThat(PubSubServer.shared()).isSameAs(shared);
    assertThat(shared.project()).isNotEqualTo(server.project());
    assertThat(status(() -> shared.createTopic(shared.topicName(topic))))
        .isEqualTo(Status.Code.ALREADY_EXISTS);
  }

  @Test
  void aDeletedTopicLeavesItsSubscriptionWithItsMessages() {
    String topic = calls.newTopic();
    calls.publish(topic, "key", "before");
    server.deleteTopic(topic);

    assertThat(status(() -> calls.publish(topic, "key", "after"))).isEqualTo(Status.Code.NOT_FOUND);
    server.createTopic(topic);
    calls.publish(topic, "key", "to the new one");

    assertThat(bodies(calls.pull(topic, 1))).containsExactly("before");
    assertThat(calls.pullNow(topic)).isEmpty();
    assertThat(
            calls
                .subscriber()
                .getSubscription(
                    GetSubscriptionRequest.newBuilder()
                        .setSubscription(server.subscriptionName(topic))
                        .build())
                .getTopic())
        .isEqualTo("_deleted-topic_");
  }

  @Test
  void whatIsThereCannotBeCreatedAndWhatIsNotCannotBeUsed() {
    String topic = calls.newTopic();
    String missing = newName();

    assertThat(status(() -> server.createTopic(topic))).isEqualTo(Status.Code.ALREADY_EXISTS);
    assertThat(status(() -> server.createSubscription(topic, topic)))
        .isEqualTo(Status.Code.ALREADY_EXISTS);
    assertThat(status(() -> server.createSubscription(missing, missing)))
        .isEqualTo(Status.Code.NOT_FOUND);
    assertThat(status(() -> server.deleteTopic(missing))).isEqualTo(Status.Code.NOT_FOUND);
    assertThat(status(() -> server.deleteSubscription(missing))).isEqualTo(Status.Code.NOT_FOUND);
    assertThat(status(() -> calls.pullNow(missing))).isEqualTo(Status.Code.NOT_FOUND);
    assertThat(calls.stream(missing).end().getCode()).isEqualTo(Status.Code.NOT_FOUND);
  }

  @Test
  void whatMakesNoSenseIsRefused() {
    String topic = calls.newTopic();

    for (String name : List.of("ab", "1abc", "goog-topic", "a b c", "t".repeat(256))) {
      assertThat(status(() -> server.createTopic(name)))
          .as(name)
          .isEqualTo(Status.Code.INVALID_ARGUMENT);
    }
    assertThat(status(() -> calls.publish(topic))).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(status(() -> calls.publish(topic, "key", "a", "", "c")))
        .isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(status(() -> calls.publish(topic, "key", tooMany())))
        .isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(calls.pullNow(topic)).isEmpty();
  }

  @Test
  void aDeletedSubscriptionEndsItsStreams() {
    String topic = calls.newTopic();
    PubSubStream stream = calls.stream(topic);
    calls.publish(topic, "key", "1");
    stream.await(1);

    server.deleteSubscription(topic);

    assertThat(stream.end().getCode()).isEqualTo(Status.Code.NOT_FOUND);
  }

  @Test
  void topicsAndSubscriptionsAreListed() {
    String topic = calls.newTopic();
    server.createSubscription(topic + "-2", topic);

    assertThat(
            calls
                .publisher()
                .listTopics(
                    ListTopicsRequest.newBuilder()
                        .setProject("projects/" + server.project())
                        .setPageSize(1_000)
                        .build())
                .getTopicsList())
        .extracting(Topic::getName)
        .contains(server.topicName(topic));
    assertThat(
            calls
                .publisher()
                .listTopicSubscriptions(
                    ListTopicSubscriptionsRequest.newBuilder()
                        .setTopic(server.topicName(topic))
                        .build())
                .getSubscriptionsList())
        .containsExactlyInAnyOrder(
            server.subscriptionName(topic), server.subscriptionName(topic + "-2"));
  }

  @Test
  void aReaderGetsTheMessagesThatAreThere() {
    String topic = calls.newTopic();
    calls.publish(topic, "key", "1", "2", "3");
    calls.publish(topic, "", "no key");

    List<Message> messages = PubSubReader.read(server, topic, 3);

    assertThat(messages).hasSize(4).allMatch(message -> message.topic().equals(topic));
    assertThat(
            messages.stream()
                .filter(m -> "key".equals(m.key()))
                .map(m -> new String(m.body(), StandardCharsets.UTF_8)))
        .containsExactly("1", "2", "3");
    assertThat(messages).filteredOn(m -> m.key() == null).hasSize(1);
    assertThat(calls.pullNow(topic)).isEmpty();
  }

  @Test
  void deliveriesAreToldToALedgerUntilThereAreNoMore() throws Exception {
    String topic = calls.newTopic();
    Ledger ledger = Ledger.create();
    PubSubDeliveries deliveries = new PubSubDeliveries(server, topic, ledger);
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      Future<Void> reading = thread.submit(deliveries);
      for (int i = 0; i < 20; i++) {
        ledger.committed("e" + i, "key", i);
        calls.publish(
            topic,
            PubSubCalls.message("key", "").toBuilder().putAttributes("event_id", "e" + i).build());
      }
      deliveries.finish();
      reading.get();
    } finally {
      thread.shutdownNow();
    }

    assertThat(deliveries.messages()).isEqualTo(20);
    assertThat(ledger.report().clean()).as(ledger.report().toString()).isTrue();
  }

  private static String[] tooMany() {
    return IntStream.range(0, 1_001).mapToObj(String::valueOf).toArray(String[]::new);
  }
}
