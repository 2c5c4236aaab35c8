package dev.postcommit.testkit;

import static dev.postcommit.testkit.PubSubCalls.bodies;
import static dev.postcommit.testkit.PubSubCalls.body;
import static dev.postcommit.testkit.PubSubCalls.newName;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.pubsub.v1.GetSubscriptionRequest;
import com.google.pubsub.v1.ListTopicSubscriptionsRequest;
import com.google.pubsub.v1.ListTopicsRequest;
import com.google.pubsub.v1.PubsubMessage;
import com.google.pubsub.v1.ReceivedMessage;
import com.google.pubsub.v1.Topic;
import dev.postcommit.relay.Message;
import io.grpc.Status;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What our server and Google's official emulator do alike. Set {@code PUBSUB_EMULATOR_HOST} to run
 * it with the latter.
 */
class PubSubServerIT {

  private static PubSubServer server;
  private static PubSubCalls calls;

  @BeforeAll
  static void start() {
    server = PubSubServer.start();
    calls = new PubSubCalls(server);
  }

  @AfterAll
  static void stop() {
    calls.close();
    server.close();
  }

  @Test
  void aMessageArrivesAsItWasPublished() {
    String topic = calls.newTopic();
    PubsubMessage sent =
        PubSubCalls.message("ключ 🔑", "später").toBuilder()
            .putAttributes("empty", "")
            .putAttributes("event_id", "後で")
            .build();

    String id = calls.publish(topic, sent).get(0);

    PubsubMessage arrived = calls.pull(topic, 1).get(0).getMessage();
    assertThat(arrived.getData()).isEqualTo(sent.getData());
    assertThat(arrived.getAttributesMap()).isEqualTo(sent.getAttributesMap());
    assertThat(arrived.getOrderingKey()).isEqualTo(sent.getOrderingKey());
    assertThat(arrived.getMessageId()).isEqualTo(id);
    assertThat(arrived.getPublishTime().getSeconds())
        .isBetween(System.currentTimeMillis() / 1000 - 60, System.currentTimeMillis() / 1000 + 1);
  }

  @Test
  void everySubscriptionGetsWhatIsPublishedAfterItsCreation() {
    String topic = newName();
    server.createTopic(topic);
    calls.publish(topic, "key", "nobody gets this");
    server.createSubscription(topic + "-1", topic);
    calls.publish(topic, "key", "one gets this");
    server.createSubscription(topic + "-2", topic);
    calls.publish(topic, "key", "two get this");

    assertThat(bodies(calls.pull(topic + "-1", 2)))
        .containsExactly("one gets this", "two get this");
    assertThat(bodies(calls.pull(topic + "-2", 1))).containsExactly("two get this");
  }

  @Test
  void whatIsAcknowledgedIsGone() {
    String topic = calls.newUnorderedTopic();
    calls.publish(topic, "", "a", "b", "c");
    List<ReceivedMessage> messages = calls.pull(topic, 3);

    calls.acknowledge(topic, messages.subList(0, 2));
    calls.acknowledge(topic, messages.subList(0, 2));
    calls.modifyAckDeadline(topic, messages.get(2), 0);
    calls.modifyAckDeadline(topic, messages.get(0), 0);

    List<ReceivedMessage> again = calls.pull(topic, 1);
    assertThat(bodies(again)).containsExactly(body(messages.get(2)));
    assertThat(again.get(0).getAckId()).isNotEqualTo(messages.get(2).getAckId());
    assertThat(again.get(0).getMessage().getMessageId())
        .isEqualTo(messages.get(2).getMessage().getMessageId());
    assertThat(calls.pullNow(topic)).isEmpty();
  }

  @Test
  void aStreamGetsTheMessagesOfEachKeyInOrder() {
    String topic = calls.newTopic();
    PubSubStream stream = calls.stream(topic);
    for (int i = 0; i < 50; i++) {
      for (String key : List.of("a", "b", "c")) {
        calls.publish(topic, key, key + (2 * i), key + (2 * i + 1));
      }
    }

    List<ReceivedMessage> received = stream.await(300);

    for (String key : List.of("a", "b", "c")) {
      assertThat(ofKey(key, received))
          .isEqualTo(IntStream.range(0, 100).mapToObj(i -> key + i).toList());
    }
    stream.acknowledge(received);
    stream.cancel();
  }

  @Test
  void aDeadlineThatPassesBringsAMessageAgain() {
    String topic = calls.newTopic();
    calls.publish(topic, "key", "1");
    ReceivedMessage message = calls.pull(topic, 1).get(0);
    assertThat(calls.pullNow(topic)).isEmpty();

    calls.modifyAckDeadline(topic, message, 1);

    assertThat(bodies(calls.pull(topic, 1))).containsExactly("1");
  }

  @Test
  void whileAKeyIsOutstandingOnAStreamNobodyElseGetsIt() {
    String topic = calls.newTopic();
    PubSubStream first = calls.stream(topic);
    calls.publish(topic, "key", "1");
    List<ReceivedMessage> outstanding = first.await(1);
    PubSubStream second = calls.stream(topic);

    calls.publish(topic, "key", "2", "3");

    first.await(3);
    assertThat(second.received()).isEmpty();
    first.acknowledge(outstanding);
    first.cancel();
    second.cancel();
  }

  @Test
  void twoStreamsShareTheMessages() {
    String topic = calls.newTopic();
    PubSubStream first = calls.stream(topic);
    PubSubStream second = calls.stream(topic);

    for (int i = 0; i < 200; i++) {
      calls.publish(topic, "key " + i, "" + i);
    }

    await()
        .untilAsserted(
            () -> {
              List<String> all = new ArrayList<>(bodies(first.received()));
              all.addAll(bodies(second.received()));
              assertThat(all)
                  .containsExactlyInAnyOrderElementsOf(
                      IntStream.range(0, 200).mapToObj(String::valueOf).toList());
            });
    assertThat(first.received()).isNotEmpty();
    assertThat(second.received()).isNotEmpty();
    first.cancel();
    second.cancel();
  }

  @Test
  void aStreamGetsNoMoreThanItAskedFor() {
    String topic = calls.newUnorderedTopic();
    PubSubStream stream = calls.stream(topic, 3, 0);
    for (int i = 0; i < 10; i++) {
      calls.publish(topic, "", "" + i);
    }

    List<ReceivedMessage> received = stream.await(3);
    await()
        .during(Duration.ofMillis(300))
        .untilAsserted(() -> assertThat(stream.received()).hasSize(3));
    stream.acknowledge(received.subList(0, 2));
    assertThat(stream.await(5)).hasSize(5);
    stream.cancel();
  }

  @Test
  void aDeletedTopicLeavesItsSubscriptionWithItsMessages() {
    String topic = calls.newTopic();
    calls.publish(topic, "key", "before");
    server.deleteTopic(topic);

    assertThat(PubSubCalls.status(() -> calls.publish(topic, "key", "after")))
        .isEqualTo(Status.Code.NOT_FOUND);
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

    assertThat(PubSubCalls.status(() -> server.createTopic(topic)))
        .isEqualTo(Status.Code.ALREADY_EXISTS);
    assertThat(PubSubCalls.status(() -> server.createSubscription(topic, topic)))
        .isEqualTo(Status.Code.ALREADY_EXISTS);
    assertThat(PubSubCalls.status(() -> server.createSubscription(missing, missing)))
        .isEqualTo(Status.Code.NOT_FOUND);
    assertThat(PubSubCalls.status(() -> server.deleteTopic(missing)))
        .isEqualTo(Status.Code.NOT_FOUND);
    assertThat(PubSubCalls.status(() -> server.deleteSubscription(missing)))
        .isEqualTo(Status.Code.NOT_FOUND);
    assertThat(PubSubCalls.status(() -> calls.pullNow(missing))).isEqualTo(Status.Code.NOT_FOUND);
    assertThat(calls.stream(missing).end().getCode()).isEqualTo(Status.Code.NOT_FOUND);
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

  private static List<String> ofKey(String key, List<ReceivedMessage> received) {
    return received.stream()
        .filter(each -> each.getMessage().getOrderingKey().equals(key))
        .map(PubSubCalls::body)
        .toList();
  }
}
