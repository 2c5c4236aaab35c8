package dev.postcommit.pubsub;

import com.google.cloud.pubsub.v1.Publisher;
import com.google.protobuf.UnsafeByteOperations;
import com.google.pubsub.v1.PublishRequest;
import com.google.pubsub.v1.PubsubMessage;
import dev.postcommit.pubsub.internal.PubSubNames;
import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Converts messages to those of Pub/Sub, and divides them into requests. */
final class PublishRequests {
  private static final long LONGEST = Publisher.getApiMaxRequestElementCount();
  static final long LARGEST = Publisher.getApiMaxRequestBytes();

  /** The overhead of a message in a request: its tag and length. */
  private static final long FRAME = 5;

  private PublishRequests() {}

  /** The message with the same content; an empty key is none. */
  static PubsubMessage message(Message message) {
    @Nullable String key = message.key();
    return PubsubMessage.newBuilder()
        .setData(UnsafeByteOperations.unsafeWrap(message.body()))
        .putAllAttributes(message.headers())
        .setOrderingKey(key == null ? "" : key)
        .build();
  }

  /**
   * Why a message can never be delivered, or null if it can.
   *
   * @param topic the full name of its topic
   */
  static @Nullable Delivery rejection(String topic, PubsubMessage message) {
    Optional<String> flaw = PubSubNames.flaw("topic", topic);
    if (flaw.isPresent()) {
      return new Delivery.Rejected(flaw.get(), null);
    }
    long size = empty(topic) + size(message);
    if (size > LARGEST) {
      return new Delivery.Rejected(
          "it is too large for Pub/Sub: with its headers %d bytes, and at most %d are taken; keep large content elsewhere and send where it is"
              .formatted(size, LARGEST),
          null);
    }
    return null;
  }

  /** Divides messages of one topic, in order, into requests of permitted size. */
  static List<List<PendingMessage>> split(String topic, List<PendingMessage> messages) {
    List<List<PendingMessage>> requests = new ArrayList<>();
    List<PendingMessage> request = new ArrayList<>();
    long size = empty(topic);
    for (PendingMessage each : messages) {
      long more = size(each.message());
      if (!request.isEmpty() && (request.size() == LONGEST || size + more > LARGEST)) {
        requests.add(request);
        request = new ArrayList<>();
        size = empty(topic);
      }
      request.add(each);
      size += more;
    }
    requests.add(request);
    return requests;
  }

  private static long empty(String topic) {
    return PublishRequest.newBuilder().setTopic(topic).build().getSerializedSize();
  }

  private static long size(PubsubMessage message) {
    return FRAME + message.getSerializedSize();
  }
}
