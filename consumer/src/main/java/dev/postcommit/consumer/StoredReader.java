package dev.postcommit.consumer;

/** Reads the envelope that is written with the row. */
final class StoredReader extends JsonEnvelopeReader {

  @Override
  ReceivedEvent<byte[]> read(ReceivedMessage message, JsonFields fields) {
    return Received.event(
        message,
        Received.id(message, fields, "eventId"),
        Received.required(message, Received.EVENT_TYPE),
        fields.version(),
        null,
        fields.time("occurredAt"),
        null,
        fields.entries("actor"),
        fields.value("data"));
  }
}
