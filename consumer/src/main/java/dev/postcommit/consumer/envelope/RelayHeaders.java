package dev.postcommit.consumer.envelope;

import dev.postcommit.consumer.internal.json.IsoTime;
import dev.postcommit.consumer.internal.json.JsonFields;
import dev.postcommit.consumer.message.PermanentFailureException;
import dev.postcommit.consumer.message.ReceivedEvent;
import dev.postcommit.consumer.message.ReceivedMessage;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The headers that Postcommit's relays send, which readers of all envelopes use. */
final class RelayHeaders {
  static final String EVENT_ID = "event_id";
  static final String EVENT_TYPE = "event_type";

  private RelayHeaders() {}

  /** The body of a message that must have one. */
  static byte[] body(ReceivedMessage message) {
    byte[] body = message.body();
    if (body == null) {
      throw new PermanentFailureException("the message has no body");
    }
    return body;
  }

  /** A header that must be there. */
  static String required(ReceivedMessage message, String name) {
    String value = message.header(name);
    if (value == null) {
      throw JsonFields.wrong("the header " + name, "missing");
    }
    return value;
  }

  /** Whether the header {@code event_id} names the same event, or there is none. */
  static boolean agrees(ReceivedMessage message, @Nullable String id) {
    String header = message.header(EVENT_ID);
    return header == null || header.equals(id);
  }

  /** The id in a field, which a header must not contradict. */
  static String id(ReceivedMessage message, JsonFields fields, String name) {
    String id = fields.required(name);
    if (!agrees(message, id)) {
      throw JsonFields.wrong(name, "not the id of the header " + EVENT_ID);
    }
    return id;
  }

  /** The event; fields that its envelope lacks are filled in from the headers. */
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
        message.header("aggregate_type"),
        aggregateId != null ? aggregateId : message.header("aggregate_id"),
        metadata,
        data,
        message);
  }

  private static @Nullable Instant createdAt(ReceivedMessage message) {
    String text = message.header("created_at");
    return text == null ? null : IsoTime.read("the header created_at", text);
  }
}
