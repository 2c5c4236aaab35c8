package dev.postcommit.testkit.pubsub;

import static dev.postcommit.testkit.pubsub.PubSubCalls.bodies;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.pubsub.v1.ReceivedMessage;
import com.google.pubsub.v1.StreamingPullRequest;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * How our server delivers. Of our server alone: each test says what the official emulator does
 * instead.
 */
class PubSubRulesIT extends PubSubFixture {

  PubSubRulesIT() {
    super(PubSubServer.startHere());
  }

  /** The emulator brings a follower only after its own deadline. */
  @Test
  void whatIsNackedComesAgainAtOnceWithItsFollowersInOrder() {
    String topic = calls.newTopic();
    calls.publish(topic, "key", "1", "2", "3");
    PubSubStream stream = calls.stream(topic);
    List<ReceivedMessage> received = stream.await(3);

    stream.acknowledge(received.subList(0, 1));
    calls.modifyAckDeadline(topic, received.get(1), 0);

    assertThat(bodies(stream.await(5))).containsExactly("1", "2", "3", "2", "3");
    stream.cancel();
  }

  /** The emulator brings some of it, and others late. */
  @Test
  void whatIsAcknowledgedComesAgainIfOneBeforeItDoes() {
    String topic = calls.newTopic();
    calls.publish(topic, "key", "1", "2", "3");
    calls.publish(topic, "other", "not concerned");
    PubSubStream stream = calls.stream(topic);
    List<ReceivedMessage> received =
        stream.await(4).stream()
            .filter(each -> each.getMessage().getOrderingKey().equals("key"))
            .toList();

    stream.acknowledge(received.subList(1, 3));
    stream.modifyAckDeadline(received.get(0), 0);

    List<ReceivedMessage> again = stream.await(7).subList(4, 7);
    assertThat(bodies(again)).containsExactly("1", "2", "3");
    calls.acknowledge(topic, received);
    stream.modifyAckDeadline(again.get(2), 0);
    assertThat(bodies(stream.await(8).subList(7, 8))).as("old ids are void").containsExactly("3");
    stream.cancel();
  }

  /** The emulator sends all. */
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

  /** The emulator has not done so after 15 seconds; the real service waits for the deadline. */
  @Test
  void aStreamThatEndsLeavesItsMessagesToOthersAfterASecond() {
    String topic = calls.newTopic();
    PubSubStream first = calls.stream(topic);
    calls.publish(topic, "key", "1", "2");
    List<ReceivedMessage> received = first.await(2);
    PubSubStream second = calls.stream(topic);

    first.cancel();
    calls.acknowledge(topic, received.subList(0, 1));
    calls.publish(topic, "key", "3");

    assertThat(bodies(second.await(2))).containsExactly("2", "3");
    second.cancel();
  }

  /** The emulator does not answer. */
  @Test
  void aClientThatAsksWhetherTheStreamIsAliveIsAnswered() {
    String topic = calls.newTopic();
    PubSubStream stream =
        calls.stream(
            StreamingPullRequest.newBuilder()
                .setSubscription(server.subscriptionName(topic))
                .setStreamAckDeadlineSeconds(10)
                .setProtocolVersion(1)
                .build());

    stream.send(StreamingPullRequest.getDefaultInstance());

    await().until(() -> stream.responses().size() == 1);
    assertThat(stream.received()).isEmpty();
    stream.cancel();
  }
}
