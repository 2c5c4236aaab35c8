package dev.postcommit.writers;

import dev.postcommit.Event;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * An event as JSON, from which any language makes its own.
 *
 * @param fields by the names of {@link Event}'s components; the payload is an object with one of
 *     {@code text}, {@code base64} and {@code value}
 */
record Sample(Map<String, Object> fields) {

  /** An event with a type and JSON text as its payload. */
  static Sample of(String type) {
    return new Sample(Map.of("type", type)).text("{\"n\":1}");
  }

  Sample with(String field, Object value) {
    Map<String, Object> more = new LinkedHashMap<>(fields);
    more.put(field, value);
    return new Sample(more);
  }

  Sample without(String field) {
    Map<String, Object> less = new LinkedHashMap<>(fields);
    less.remove(field);
    return new Sample(less);
  }

  Sample text(String json) {
    return with("payload", Map.of("text", json));
  }

  Sample bytes(byte[] content) {
    return with("payload", Map.of("base64", Base64.getEncoder().encodeToString(content)));
  }

  Sample header(String name, String value) {
    return headers(Map.of(name, value));
  }

  Sample headers(Map<String, String> headers) {
    return with("headers", headers);
  }

  /** The event in Java; it has the fields that this has, and is refused as they are. */
  Event event() {
    Event.Builder event = Event.builder(string("type"));
    if (has("id")) {
      event.id(UUID.fromString(string("id")));
    }
    if (has("namespace")) {
      event.namespace(string("namespace"));
    }
    if (has("topic")) {
      event.topic(string("topic"));
    }
    if (has("tenant")) {
      event.tenant(UUID.fromString(string("tenant")));
    }
    if (has("dedupeKey")) {
      event.dedupeKey(string("dedupeKey"));
    }
    if (has("aggregateType")) {
      event.aggregate(string("aggregateType"), string("aggregateId"));
    } else if (has("aggregateId")) {
      event.aggregateId(string("aggregateId"));
    }
    if (has("key")) {
      event.key(string("key"));
    }
    if (has("version")) {
      event.version((Integer) fields.get("version"));
    }
    if (has("availableAt")) {
      event.availableAt(Instant.parse(string("availableAt")));
    }
    map("headers").forEach((name, value) -> event.header(name, (String) value));
    Map<String, Object> payload = map("payload");
    if (payload.containsKey("text")) {
      event.json((String) payload.get("text"));
    } else if (payload.containsKey("base64")) {
      event.bytes(Base64.getDecoder().decode((String) payload.get("base64")));
    }
    return event.build();
  }

  private boolean has(String field) {
    return fields.containsKey(field);
  }

  private String string(String field) {
    return (String) fields.get(field);
  }

  @SuppressWarnings("unchecked")
  private Map<String, Object> map(String field) {
    return (Map<String, Object>) fields.getOrDefault(field, Map.of());
  }
}
