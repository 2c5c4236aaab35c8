package dev.postcommit.consumer.envelope;

import dev.postcommit.consumer.internal.json.JsonFields;
import dev.postcommit.consumer.message.ReceivedEvent;
import dev.postcommit.consumer.message.ReceivedMessage;

/** Reads the envelope that relays build. */
final class BuiltReader extends JsonEnvelopeReader {

  @Override
  ReceivedEvent<byte[]> read(ReceivedMessage message, JsonFields fields) {
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
}
