package dev.postcommit.consumer.envelope;

import dev.postcommit.consumer.message.ReceivedEvent;
import dev.postcommit.consumer.message.ReceivedMessage;
import java.util.Map;

/** Reads messages whose body is the data. */
final class RawReader implements EnvelopeReader {

  @Override
  public ReceivedEvent<byte[]> read(ReceivedMessage message) {
    byte[] body = RelayHeaders.body(message);
    String id = RelayHeaders.required(message, RelayHeaders.EVENT_ID);
    String type = RelayHeaders.required(message, RelayHeaders.EVENT_TYPE);
    return RelayHeaders.event(message, id, type, null, null, null, null, Map.of(), body);
  }
}
