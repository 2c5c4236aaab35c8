package dev.postcommit.testkit.explorer.inbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postcommit.consumer.message.ReceivedMessage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * A topic, read by each consumer from its beginning on: as if it were given to one and then to the
 * other, who goes on at a position that the first had not moved yet. Events are named by a letter.
 */
public final class Broker {
  static final String TYPE = "order.placed";

  private final List<String> messages = new ArrayList<>();
  private final Map<String, Integer> positions = new HashMap<>();

  static String id(String event) {
    return new UUID(0x0192_0000_0000_7000L, 0x8000_0000_0000_0000L + event.charAt(0)).toString();
  }

  public static String name(String id) {
    return Character.toString((char) UUID.fromString(id).getLeastSignificantBits());
  }

  static ReceivedMessage message(String event) {
    return new ReceivedMessage(
        "orders", event, Map.of("event_id", id(event), "event_type", TYPE), "1".getBytes(UTF_8));
  }

  synchronized void send(String event) {
    messages.add(event);
  }

  /** The next messages of a consumer. */
  synchronized List<String> poll(String consumer, int most) {
    int from = positions.getOrDefault(consumer, 0);
    int to = Math.min(from + most, messages.size());
    positions.put(consumer, to);
    return List.copyOf(messages.subList(from, to));
  }

  synchronized Set<String> events() {
    return new LinkedHashSet<>(messages);
  }
}
