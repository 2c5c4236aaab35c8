package dev.postcommit.testkit.inbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postcommit.inbox.Attempt;
import dev.postcommit.inbox.ReceivedMessage;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Messages as a relay sends them. */
final class Messages {
  static final String TYPE = "order.placed";
  static final String TOPIC = "orders";

  private Messages() {}

  static String id() {
    return UUID.randomUUID().toString();
  }

  static ReceivedMessage message(String id) {
    return message(id, TYPE, "{\"number\": 1}");
  }

  static ReceivedMessage message(String id, String type, String payload) {
    return new ReceivedMessage(
        TOPIC, "key", Map.of("event_id", id, "event_type", type), payload.getBytes(UTF_8));
  }

  static Attempt attempt(String id) {
    return new Attempt(message(id));
  }

  static Attempt attempt(String id, @Nullable Object order) {
    return new Attempt(message(id), order, 1);
  }

  static Attempt attempt(String id, int number) {
    return new Attempt(message(id), null, number);
  }
}
