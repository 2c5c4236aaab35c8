package dev.postcommit.consumer.envelope;

import dev.postcommit.consumer.internal.json.JsonFields;
import dev.postcommit.consumer.message.ReceivedEvent;
import dev.postcommit.consumer.message.ReceivedMessage;

/** Reads the envelope that is stored in the row. */
final class StoredReader extends JsonEnvelopeReader {

  @Override
  ReceivedEvent<byte[]> read(ReceivedMessage message, JsonFields fields) {
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
