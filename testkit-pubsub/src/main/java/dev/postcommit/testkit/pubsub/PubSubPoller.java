package dev.postcommit.testkit.pubsub;

import com.google.pubsub.v1.AcknowledgeRequest;
import com.google.pubsub.v1.GetSubscriptionRequest;
import com.google.pubsub.v1.PubsubMessage;
import com.google.pubsub.v1.PullRequest;
import com.google.pubsub.v1.ReceivedMessage;
import com.google.pubsub.v1.SubscriberGrpc;
import com.google.pubsub.v1.SubscriberGrpc.SubscriberBlockingStub;
import io.grpc.ManagedChannel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Takes messages from a subscription, one batch after the other, as its only reader. */
final class PubSubPoller implements AutoCloseable {

  private static final int BATCH = 1_000;
  private static final int TIMEOUT_SECONDS = 20;
  private static final Duration PAUSE = Duration.ofMillis(20);

  private final String subscription;
  private final ManagedChannel channel;

  PubSubPoller(PubSubServer server, String subscription) {
    this.subscription = server.subscriptionName(subscription);
    this.channel = PubSubChannels.open(server.emulatorHost());
  }

  /** The full name of the topic that the subscription is of. */
  String topic() {
    return subscriber()
        .getSubscription(GetSubscriptionRequest.newBuilder().setSubscription(subscription).build())
        .getTopic();
  }

  /** The messages that are there now, which are acknowledged; none, after a pause, if none are. */
  @SuppressWarnings("deprecation") // not to wait: whoever reads must see that it is over
  List<PubsubMessage> poll() {
    List<ReceivedMessage> received =
        subscriber()
            .pull(
                PullRequest.newBuilder()
                    .setSubscription(subscription)
                    .setMaxMessages(BATCH)
                    .setReturnImmediately(true)
                    .build())
            .getReceivedMessagesList();
    if (received.isEmpty()) {
      LockSupport.parkNanos(PAUSE.toNanos());
    } else {
      subscriber()
          .acknowledge(
              AcknowledgeRequest.newBuilder()
                  .setSubscription(subscription)
                  .addAllAckIds(received.stream().map(ReceivedMessage::getAckId).toList())
                  .build());
    }
    return received.stream().map(ReceivedMessage::getMessage).toList();
  }

  private SubscriberBlockingStub subscriber() {
    return SubscriberGrpc.newBlockingStub(channel)
        .withDeadlineAfter(TIMEOUT_SECONDS, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    PubSubChannels.close(channel);
  }
}
