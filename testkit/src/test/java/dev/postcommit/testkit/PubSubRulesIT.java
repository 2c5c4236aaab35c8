package dev.postcommit.testkit;

import static dev.postcommit.testkit.PubSubCalls.bodies;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.pubsub.v1.PullRequest;
import com.google.pubsub.v1.PullResponse;
import com.google.pubsub.v1.ReceivedMessage;
import com.google.pubsub.v1.StreamingPullRequest;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * How our server delivers. Of our server alone: each test says what the official emulator does
 * instead.
 */
class PubSubRulesIT {

  private static PubSubServer server;
  private static PubSubCalls calls;

  @BeforeAll
  static void start() {
    server = LocalPubSub.inThisJvm(false);
    calls = new PubSubCalls(server);
  }

  @AfterAll
  static void stop() {
    calls.close();
    server.close();
  }

  /** The emulator brings the followers only after their own deadlines. */
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

  /** The emulator does not bring what is acknowledged. */
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

  /** The emulator brings the first alone. */
  @Test
  void aDeadlineThatPassesBringsTheFollowersToo() {
    String topic = calls.newTopic();
    calls.publish(topic, "key", "1", "2", "3");
    PubSubStream stream = calls.stream(topic);

    stream.modifyAckDeadline(stream.await(3).get(0), 1);

    assertThat(bodies(stream.await(6))).containsExactly("1", "2", "3", "1", "2", "3");
    stream.cancel();
  }

  /** The emulator waits for the deadline, as does the real service. */
  @Test
  void aStreamThatEndsLeavesItsMessagesToOthersAfterASecond() {
    String topic = calls.newTopic();
    PubSubStream first = calls.stream(topic);
    calls.publish(topic, "key", "1", "2");
    List<ReceivedMessage> received = first.await(2);
    first.cancel();
    PubSubStream second = calls.stream(topic);

    calls.acknowledge(topic, received.subList(0, 1));
    calls.publish(topic, "key", "3");

    assertThat(second.received()).as("a second is left to the first").isEmpty();
    assertThat(bodies(second.await(2))).containsExactly("2", "3");
    second.cancel();
  }

  /** The emulator keeps for a stream what it does not send it yet. */
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

  /** The emulator fails if messages of a key are pulled that a stream has. */
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
}
