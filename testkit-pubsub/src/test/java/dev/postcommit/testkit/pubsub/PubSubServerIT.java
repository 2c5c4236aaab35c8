package dev.postcommit.testkit.pubsub;

import static dev.postcommit.testkit.pubsub.PubSubCalls.bodies;
import static dev.postcommit.testkit.pubsub.PubSubCalls.body;
import static dev.postcommit.testkit.pubsub.PubSubCalls.newName;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.pubsub.v1.PubsubMessage;
import com.google.pubsub.v1.PullRequest;
import com.google.pubsub.v1.PullResponse;
import com.google.pubsub.v1.ReceivedMessage;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * How messages are delivered, alike by our server and Google's official emulator. Set {@code
 * PUBSUB_EMULATOR_HOST} to run it with the latter.
 */
class PubSubServerIT extends PubSubFixture {

  PubSubServerIT() {
    super(PubSubServer.start());
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
  void aDeadlineThatPassesBringsTheFollowersToo() {
    String topic = calls.newTopic();
    calls.publish(topic, "key", "1", "2", "3");
    PubSubStream stream = calls.stream(topic);

    stream.modifyAckDeadline(stream.await(3).get(0), 1);

    assertThat(bodies(stream.await(6))).containsExactly("1", "2", "3", "1", "2", "3");
    stream.cancel();
  }

  @Test
  void whatAStreamHasNoRoomForGoesToOthers() {
    String topic = calls.newUnorderedTopic();
    PubSubStream full = calls.stream(topic, 0, 1);
    calls.publish(topic, "", "1");
    full.await(1);

    calls.publish(topic, "", "2", "3");

    assertThat(calls.pull(topic, 2)).hasSize(2);
    assertThat(full.received()).hasSize(1);
    full.cancel();
  }

  @Test
  void aPullGetsNothingOfAKeyThatIsOutstanding() {
    String topic = calls.newTopic();
    calls.publish(topic, "key", "1", "2");
    List<ReceivedMessage> received = calls.pull(topic, 2);
    calls.publish(topic, "key", "3");
    calls.publish(topic, "other", "4");

    assertThat(bodies(calls.pullNow(topic))).containsExactly("4");
    calls.acknowledge(topic, received);
    assertThat(bodies(calls.pullNow(topic))).containsExactly("3");
  }

  @Test
  void aStreamThatTheClientClosesEndsWell() {
    PubSubStream stream = calls.stream(calls.newTopic());

    stream.halfClose();

    assertThat(stream.end()).isEqualTo(Status.OK);
  }

  @Test
  void aPullWaitsForTheFirstMessage() {
    String topic = calls.newTopic();
    CompletableFuture<PullResponse> pull =
        CompletableFuture.supplyAsync(
            () ->
                calls
                    .subscriber()
                    .pull(
                        PullRequest.newBuilder()
                            .setSubscription(server.subscriptionName(topic))
                            .setMaxMessages(10)
                            .build()));
    await().pollDelay(Duration.ofMillis(200)).until(() -> !pull.isDone());

    calls.publish(topic, "key", "1");

    PullResponse response = pull.orTimeout(3, TimeUnit.SECONDS).join();
    assertThat(bodies(response.getReceivedMessagesList())).containsExactly("1");
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

  private static List<String> ofKey(String key, List<ReceivedMessage> received) {
    return received.stream()
        .filter(each -> each.getMessage().getOrderingKey().equals(key))
        .map(PubSubCalls::body)
        .toList();
  }
}
