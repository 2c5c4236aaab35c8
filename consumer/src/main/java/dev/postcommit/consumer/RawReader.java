package dev.postcommit.consumer;

import java.util.Map;

/** Reads messages whose body is the data. */
final class RawReader implements EnvelopeReader {

  @Override
  public ReceivedEvent<byte[]> read(ReceivedMessage message) {
    byte[] body = Received.body(message);
    String id = Received.required(message, Received.EVENT_ID);
    String type = Received.required(message, Received.EVENT_TYPE);
    return Received.event(message, id, type, null, null, null, null, Map.of(), body);
  }
}
