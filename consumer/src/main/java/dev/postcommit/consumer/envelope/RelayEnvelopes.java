package dev.postcommit.consumer.envelope;

import dev.postcommit.consumer.internal.json.JsonFields;
import dev.postcommit.consumer.message.ReceivedEvent;
import dev.postcommit.consumer.message.ReceivedMessage;
import java.util.List;
import java.util.Map;

/** Reads the envelopes that Postcommit's relays send, except CloudEvents. */
final class RelayEnvelopes {
  static final String MESSAGE_ID = "messageId";
  private static final String PAYLOAD = "payload";

  private RelayEnvelopes() {}

  /** Reads one kind of envelope that is a JSON object. */
  @FunctionalInterface
  interface JsonReader {
    ReceivedEvent<byte[]> read(ReceivedMessage message, JsonFields fields);
  }

  static EnvelopeReader json(JsonReader reader) {
    return message -> reader.read(message, JsonFields.of(RelayHeaders.body(message)));
  }

  static ReceivedEvent<byte[]> raw(ReceivedMessage message) {
    byte[] body = RelayHeaders.body(message);
    String id = RelayHeaders.required(message, RelayHeaders.EVENT_ID);
    String type = RelayHeaders.required(message, RelayHeaders.EVENT_TYPE);
    return RelayHeaders.event(message, id, type, null, null, null, null, Map.of(), body);
  }

  static ReceivedEvent<byte[]> messageId(ReceivedMessage message, JsonFields fields) {
    String id = RelayHeaders.id(message, fields, MESSAGE_ID);
    String type = RelayHeaders.required(message, RelayHeaders.EVENT_TYPE);
    // An object is never wrapped, so a payload that is one was a field of the data.
    boolean wrapped =
        List.copyOf(fields.names()).equals(List.of(MESSAGE_ID, PAYLOAD))
            && !fields.isObject(PAYLOAD);
    byte[] data = wrapped ? fields.value(PAYLOAD) : fields.without(MESSAGE_ID);
    return RelayHeaders.event(message, id, type, null, null, null, null, Map.of(), data);
  }

  static ReceivedEvent<byte[]> built(ReceivedMessage message, JsonFields fields) {
    return RelayHeaders.event(
        message,
        RelayHeaders.id(message, fields, "eventId"),
        fields.required("eventType"),
        fields.version(),
        fields.string("source"),
        fields.time("timestamp"),
        null,
        fields.entries("metadata"),
        fields.value("data"));
  }

  static ReceivedEvent<byte[]> stored(ReceivedMessage message, JsonFields fields) {
    return RelayHeaders.event(
        message,
        RelayHeaders.id(message, fields, "eventId"),
        RelayHeaders.required(message, RelayHeaders.EVENT_TYPE),
        fields.version(),
        null,
        fields.time("occurredAt"),
        null,
        fields.entries("actor"),
        fields.value("data"));
  }
}
