package dev.postcommit.consumer;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What readers of all envelopes know of messages: the headers that Postcommit's relays send. */
final class Received {
  static final String EVENT_ID = "event_id";
  static final String EVENT_TYPE = "event_type";

  private Received() {}

  /** The body of a message that must have one. */
  static byte[] body(ReceivedMessage message) {
    byte[] body = message.body();
    if (body == null) {
      throw new PermanentFailureException("the message has no body");
    }
    return body;
  }

  /** A header, or null if it is missing or blank. */
  static @Nullable String header(ReceivedMessage message, String name) {
    String value = message.headers().get(name);
    return value == null || value.isBlank() ? null : value;
  }

  /** A header that must be there. */
  static String required(ReceivedMessage message, String name) {
    String value = header(message, name);
    if (value == null) {
      throw JsonFields.wrong("the header " + name, "missing");
    }
    return value;
  }

  /** Whether the header {@code event_id} names the same event, or there is none. */
  static boolean agrees(ReceivedMessage message, @Nullable String id) {
    String header = header(message, EVENT_ID);
    return header == null || header.equals(id);
  }

  /** The id that a field tells, which a header must not contradict. */
  static String id(ReceivedMessage message, JsonFields fields, String name) {
    String id = fields.required(name);
    if (!agrees(message, id)) {
      throw JsonFields.wrong(name, "not the id of the header " + EVENT_ID);
    }
    return id;
  }

  /** The event; what its envelope does not tell is filled in from the headers. */
  static ReceivedEvent<byte[]> event(
      ReceivedMessage message,
      String id,
      String type,
      @Nullable Integer version,
      @Nullable String source,
      @Nullable Instant occurredAt,
      @Nullable String aggregateId,
      Map<String, String> metadata,
      byte[] data) {
    return new ReceivedEvent<>(
        id,
        type,
        version,
        source,
        occurredAt != null ? occurredAt : createdAt(message),
        header(message, "aggregate_type"),
        aggregateId != null ? aggregateId : header(message, "aggregate_id"),
        metadata,
        data,
        message);
  }

  private static @Nullable Instant createdAt(ReceivedMessage message) {
    String text = header(message, "created_at");
    return text == null ? null : Times.read("the header created_at", text);
  }
}
