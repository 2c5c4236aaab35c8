package dev.postcommit.consumer;

/** Reads envelopes that are JSON objects. */
abstract class JsonEnvelopeReader implements EnvelopeReader {

  @Override
  public final ReceivedEvent<byte[]> read(ReceivedMessage message) {
    return read(message, JsonFields.of(Received.body(message)));
  }

  abstract ReceivedEvent<byte[]> read(ReceivedMessage message, JsonFields fields);
}
