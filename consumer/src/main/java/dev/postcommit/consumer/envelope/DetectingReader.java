package dev.postcommit.consumer.envelope;

import dev.postcommit.consumer.internal.json.JsonFields;
import dev.postcommit.consumer.message.PermanentFailureException;
import dev.postcommit.consumer.message.ReceivedEvent;
import dev.postcommit.consumer.message.ReceivedMessage;
import org.jspecify.annotations.Nullable;

/** Detects the envelope of a message. */
final class DetectingReader implements EnvelopeReader {
  private final CloudEventsReader cloudEvents = new CloudEventsReader();

  @Override
  public ReceivedEvent<byte[]> read(ReceivedMessage message) {
    byte[] body = RelayHeaders.body(message);
    if (message.headers().containsKey(CloudEventsReader.BINARY)
        || CloudEventsReader.contentType(message).startsWith(CloudEventsReader.STRUCTURED)) {
      return cloudEvents.read(message);
    }
    JsonFields fields = JsonFields.find(body);
    RelayEnvelopes.JsonReader json = fields == null ? null : json(fields);
    if (fields != null && json != null && RelayHeaders.agrees(message, fields.string("eventId"))) {
      return json.read(message, fields);
    }
    String id = message.header(RelayHeaders.EVENT_ID);
    if (fields != null
        && id != null
        && fields.isString(RelayEnvelopes.MESSAGE_ID)
        && id.equals(fields.string(RelayEnvelopes.MESSAGE_ID))) {
      return RelayEnvelopes.messageId(message, fields);
    }
    String type = message.header(RelayHeaders.EVENT_TYPE);
    if (id != null && type != null) {
      return RelayEnvelopes.raw(message);
    }
    throw new PermanentFailureException(
        "the message cannot be read: its body is no envelope%s, and %s"
            .formatted(fields == null ? ", nor a JSON object" : "", missing(id, type)));
  }

  private static RelayEnvelopes.@Nullable JsonReader json(JsonFields fields) {
    if (!fields.isString("eventId") || !fields.has("data")) {
      return null;
    } else if (fields.has("eventType", "timestamp")) {
      return RelayEnvelopes::built;
    }
    return fields.has("occurredAt", "version") ? RelayEnvelopes::stored : null;
  }

  private static String missing(@Nullable String id, @Nullable String type) {
    if (id == null && type == null) {
      return "the headers event_id and event_type are missing";
    }
    return "the header " + (id == null ? "event_id" : "event_type") + " is missing";
  }
}
