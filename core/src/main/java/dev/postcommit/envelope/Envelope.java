package dev.postcommit.envelope;

import dev.postcommit.relay.Message;
import dev.postcommit.store.StoredEvent;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Turns an event into the message that carries it. Safe for use by many threads.
 *
 * <p>An event that an envelope throws on is rejected: it becomes dead, and the others go on.
 */
@FunctionalInterface
public interface Envelope {

  /** The message for one event. */
  Message wrap(StoredEvent event);

  /**
   * The payload as it was written, to the event's own topic, with the event's headers and {@code
   * event_id}, {@code event_type}, {@code aggregate_type}, {@code aggregate_id} and {@code
   * created_at}.
   */
  static Envelope raw() {
    return event -> new Message(event.topic(), event.key(), headers(event), event.payload());
  }

  private static Map<String, String> headers(StoredEvent event) {
    Map<String, String> headers = new LinkedHashMap<>(event.headers());
    headers.put("event_id", event.id().toString());
    headers.put("event_type", event.type());
    if (event.aggregateType() != null) {
      headers.put("aggregate_type", event.aggregateType());
    }
    if (event.aggregateId() != null) {
      headers.put("aggregate_id", event.aggregateId());
    }
    headers.put("created_at", event.createdAt().toString());
    return headers;
  }
}
