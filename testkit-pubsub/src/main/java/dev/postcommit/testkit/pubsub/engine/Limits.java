package dev.postcommit.testkit.pubsub.engine;

import com.google.protobuf.ByteString;
import com.google.pubsub.v1.PublishRequest;
import com.google.pubsub.v1.PubsubMessage;

/** How much of each thing the service takes. */
final class Limits {

  private static final int MESSAGES = 1_000;
  private static final int BYTES = 10_000_000;
  private static final int ATTRIBUTES = 100;
  private static final int ATTRIBUTE_KEY = 256;
  private static final int ATTRIBUTE_VALUE = 1_024;
  private static final int ORDERING_KEY = 1_024;

  private Limits() {}

  /** Refuses a request of which not every message can be taken. */
  static void check(PublishRequest request) {
    int count = request.getMessagesCount();
    if (count == 0 || count > MESSAGES) {
      throw Refusals.invalid(
          "The value for message_count is %d; it must be 1 to %d.".formatted(count, MESSAGES));
    }
    String key = request.getMessages(0).getOrderingKey();
    for (PubsubMessage message : request.getMessagesList()) {
      check(message);
      if (!message.getOrderingKey().equals(key)) {
        throw Refusals.invalid(
            "In a single publish request, all messages must have one ordering key.");
      }
    }
    int bytes = request.getSerializedSize();
    if (bytes > BYTES) {
      throw Refusals.invalid(
          "The request is too large: %d bytes; it must be at most %d.".formatted(bytes, BYTES));
    }
  }

  private static void check(PubsubMessage message) {
    if (message.getData().isEmpty() && message.getAttributesCount() == 0) {
      throw Refusals.invalid("Some messages in the request have neither data nor attributes.");
    }
    atMost("message data", message.getData().size(), BYTES);
    atMost("ordering key", bytes(message.getOrderingKey()), ORDERING_KEY);
    if (message.getAttributesCount() > ATTRIBUTES) {
      throw Refusals.invalid(
          "A message has %d attributes; it must have at most %d."
              .formatted(message.getAttributesCount(), ATTRIBUTES));
    }
    message
        .getAttributesMap()
        .forEach(
            (name, value) -> {
              if (name.isEmpty() || name.startsWith("goog")) {
                throw Refusals.invalid(
                    "Invalid attribute key: \"%s\"; it must not be empty or begin with \"goog\"."
                        .formatted(name));
              }
              atMost("attribute key", bytes(name), ATTRIBUTE_KEY);
              atMost("attribute value", bytes(value), ATTRIBUTE_VALUE);
            });
  }

  /** Refuses an ack deadline outside {@code least} to 600 seconds. */
  static int ackDeadline(String field, int seconds, int least) {
    if (seconds < least || seconds > 600) {
      throw Refusals.invalid(
          "Invalid %s: %d; it must be %d to 600 seconds.".formatted(field, seconds, least));
    }
    return seconds;
  }

  private static void atMost(String what, int bytes, int limit) {
    if (bytes > limit) {
      throw Refusals.invalid(
          "The %s is too large: %d bytes; it must be at most %d.".formatted(what, bytes, limit));
    }
  }

  private static int bytes(String text) {
    return ByteString.copyFromUtf8(text).size();
  }
}
