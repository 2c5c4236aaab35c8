package dev.postcommit.envelope;

import dev.postcommit.store.StoredEvent;
import java.util.LinkedHashMap;
import java.util.Map;

/** The headers that every message carries, whatever its envelope. */
public final class Attributes {
  private Attributes() {}

  /**
   * The event's own headers, followed by {@code event_id}, {@code event_type}, {@code
   * aggregate_type}, {@code aggregate_id} and {@code created_at}; what the event does not have is
   * left out. The map is the caller's to add to.
   */
  public static Map<String, String> of(StoredEvent event) {
    Map<String, String> headers = new LinkedHashMap<>(event.headers());
    headers.put("event_id", event.id());
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
