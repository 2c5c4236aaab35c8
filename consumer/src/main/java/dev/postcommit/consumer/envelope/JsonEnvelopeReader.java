package dev.postcommit.consumer.envelope;

import dev.postcommit.consumer.internal.json.JsonFields;
import dev.postcommit.consumer.message.ReceivedEvent;
import dev.postcommit.consumer.message.ReceivedMessage;

/** Reads envelopes that are JSON objects. */
abstract class JsonEnvelopeReader implements EnvelopeReader {

  @Override
  public final ReceivedEvent<byte[]> read(ReceivedMessage message) {
    return read(message, JsonFields.of(RelayHeaders.body(message)));
  }

  abstract ReceivedEvent<byte[]> read(ReceivedMessage message, JsonFields fields);
}
