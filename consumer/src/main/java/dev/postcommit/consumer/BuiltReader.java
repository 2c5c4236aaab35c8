package dev.postcommit.consumer;

/** Reads the envelope that is built on the way to the broker. */
final class BuiltReader extends JsonEnvelopeReader {

  @Override
  ReceivedEvent<byte[]> read(ReceivedMessage message, JsonFields fields) {
    return Received.event(
        message,
        Received.id(message, fields, "eventId"),
        fields.required("eventType"),
        fields.version(),
        fields.string("source"),
        fields.time("timestamp"),
        null,
        fields.entries("metadata"),
        fields.value("data"));
  }
}
