package dev.postcommit.testkit.pubsub;

import com.google.protobuf.ByteString;
import com.google.pubsub.v1.AcknowledgeRequest;
import com.google.pubsub.v1.ModifyAckDeadlineRequest;
import com.google.pubsub.v1.PublishRequest;
import com.google.pubsub.v1.PublisherGrpc;
import com.google.pubsub.v1.PublisherGrpc.PublisherBlockingStub;
import com.google.pubsub.v1.PubsubMessage;
import com.google.pubsub.v1.PullRequest;
import com.google.pubsub.v1.ReceivedMessage;
import com.google.pubsub.v1.StreamingPullRequest;
import com.google.pubsub.v1.SubscriberGrpc;
import com.google.pubsub.v1.SubscriberGrpc.SubscriberBlockingStub;
import com.google.pubsub.v1.Subscription;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** Bare calls to a Pub/Sub service, each with a new topic and its subscription of the same name. */
final class PubSubCalls implements AutoCloseable {

  private final PubSubServer server;
  private final ManagedChannel channel;

  PubSubCalls(PubSubServer server) {
    this(server, server.emulatorHost());
  }

  PubSubCalls(PubSubServer server, String emulatorHost) {
    this.server = server;
    this.channel = PubSubChannels.open(emulatorHost);
  }

  PublisherBlockingStub publisher() {
    return PublisherGrpc.newBlockingStub(channel).withDeadlineAfter(20, TimeUnit.SECONDS);
  }

  SubscriberBlockingStub subscriber() {
    return SubscriberGrpc.newBlockingStub(channel).withDeadlineAfter(20, TimeUnit.SECONDS);
  }

  /** The name of a new topic with an ordered subscription of the same name. */
  String newTopic() {
    String name = newName();
    server.createTopic(name);
    server.createSubscription(name, name);
    return name;
  }

  /** The name of a new topic with a subscription of the same name that keeps no order. */
  String newUnorderedTopic() {
    String name = newName();
    server.createTopic(name);
    server.createSubscription(
        Subscription.newBuilder().setName(name).setTopic(name).setAckDeadlineSeconds(10).build());
    return name;
  }

  static String newName() {
    return "t" + UUID.randomUUID();
  }

  List<String> publish(String topic, String key, String... bodies) {
    return publish(
        topic, Stream.of(bodies).map(body -> message(key, body)).toArray(PubsubMessage[]::new));
  }

  List<String> publish(String topic, PubsubMessage... messages) {
    return publisher()
        .publish(
            PublishRequest.newBuilder()
                .setTopic(server.topicName(topic))
                .addAllMessages(List.of(messages))
                .build())
        .getMessageIdsList();
  }

  static PubsubMessage message(String key, String body) {
    return PubsubMessage.newBuilder()
        .setOrderingKey(key)
        .setData(ByteString.copyFromUtf8(body))
        .build();
  }

  /** What is there now. */
  @SuppressWarnings("deprecation")
  List<ReceivedMessage> pullNow(String subscription) {
    return subscriber()
        .pull(
            PullRequest.newBuilder()
                .setSubscription(server.subscriptionName(subscription))
                .setMaxMessages(1_000)
                .setReturnImmediately(true)
                .build())
        .getReceivedMessagesList();
  }

  /** The next {@code count}, by as many pulls as it takes. */
  List<ReceivedMessage> pull(String subscription, int count) {
    List<ReceivedMessage> received = new ArrayList<>();
    Awaitility.await()
        .pollInterval(Duration.ofMillis(20))
        .atMost(Duration.ofSeconds(10))
        .until(
            () -> {
              received.addAll(pullNow(subscription));
              return received.size() >= count;
            });
    return received;
  }

  void acknowledge(String subscription, List<ReceivedMessage> messages) {
    subscriber()
        .acknowledge(
            AcknowledgeRequest.newBuilder()
                .setSubscription(server.subscriptionName(subscription))
                .addAllAckIds(messages.stream().map(ReceivedMessage::getAckId).toList())
                .build());
  }

  void modifyAckDeadline(String subscription, ReceivedMessage message, int seconds) {
    subscriber()
        .modifyAckDeadline(
            ModifyAckDeadlineRequest.newBuilder()
                .setSubscription(server.subscriptionName(subscription))
                .addAckIds(message.getAckId())
                .setAckDeadlineSeconds(seconds)
                .build());
  }

  PubSubStream stream(String subscription) {
    return stream(subscription, 0, 0);
  }

  PubSubStream stream(String subscription, long maxMessages, long maxBytes) {
    return stream(
        StreamingPullRequest.newBuilder()
            .setSubscription(server.subscriptionName(subscription))
            .setStreamAckDeadlineSeconds(10)
            .setMaxOutstandingMessages(maxMessages)
            .setMaxOutstandingBytes(maxBytes)
            .build());
  }

  PubSubStream stream(StreamingPullRequest first) {
    return PubSubStream.open(SubscriberGrpc.newStub(channel), first);
  }

  /** How a call ends. */
  static Status.Code status(Runnable call) {
    try {
      call.run();
      return Status.Code.OK;
    } catch (StatusRuntimeException e) {
      return e.getStatus().getCode();
    }
  }

  static List<String> bodies(List<ReceivedMessage> received) {
    return received.stream().map(PubSubCalls::body).toList();
  }

  static String body(ReceivedMessage received) {
    return received.getMessage().getData().toStringUtf8();
  }

  @Override
  public void close() {
    PubSubChannels.close(channel);
  }
}
