package dev.postcommit.registry;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postcommit.store.StoredEvent;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Payloads, contracts and stored events for tests. */
final class Samples {
  static final String ID = "0197a1b2-0000-7000-8000-000000000001";

  static final String PLACED_SCHEMA =
      """
      {
        "type": "object",
        "required": ["orderId", "items"],
        "properties": {
          "orderId": {"type": "string", "format": "uuid"},
          "status": {"enum": ["open", "closed"]},
          "note": {"type": ["string", "null"], "pattern": "^[a-z ]*$"},
          "items": {"type": "array", "items": {"$ref": "#/$defs/item"}}
        },
        "$defs": {
          "item": {
            "required": ["quantity"],
            "properties": {"quantity": {"type": "integer", "minimum": 1}}
          }
        }
      }
      """;

  /** A payload with what contracts use: ids, times, lists, maps and primitives. */
  record Placed(UUID orderId, List<Item> items, Map<String, Integer> stock, Instant createdAt) {}

  /** A part of {@link Placed}. */
  record Item(int quantity) {}

  /** A payload that refuses what it cannot do without. */
  record Strict(String name) {
    Strict {
      if (name == null) {
        throw new IllegalArgumentException("secret");
      }
    }
  }

  /** A payload that no JSON decodes into. */
  interface Unbuildable {
    String name();
  }

  private Samples() {}

  static RegisteredEvent.Builder contract() {
    return RegisteredEvent.builder("order_placed").topic("orders").aggregateType("order");
  }

  static EventRegistry registry(RegisteredEvent event) {
    return EventRegistry.builder().event(event).build();
  }

  static EventRegistry ofClass(Class<?> payload) {
    return registry(contract().payload(payload).build());
  }

  static EventRegistry ofSchema(String schema) {
    return registry(contract().schema(schema).build());
  }

  static StoredEvent event(String payload) {
    return event("order_placed", "order", "42", payload);
  }

  static StoredEvent event(String type, String aggregateType, String aggregateId, String payload) {
    return new StoredEvent(
        ID,
        "default",
        type,
        null,
        null,
        type,
        aggregateType,
        aggregateId,
        aggregateId,
        1,
        Map.of(),
        payload.getBytes(UTF_8),
        Instant.EPOCH,
        1,
        null);
  }

  static String envelope(String eventId, String data) {
    return ("{\"data\": %s, \"eventId\": \"%s\", \"version\": 1,"
            + " \"occurredAt\": \"2026-03-04T05:06:06.5Z\"}")
        .formatted(data, eventId);
  }
}
