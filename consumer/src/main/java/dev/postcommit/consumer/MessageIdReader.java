package dev.postcommit.consumer;

import java.util.List;
import java.util.Map;

/** Takes the event's id out of the payload again. */
final class MessageIdReader extends JsonEnvelopeReader {
  static final String ID = "messageId";
  private static final String PAYLOAD = "payload";

  @Override
  ReceivedEvent<byte[]> read(ReceivedMessage message, JsonFields fields) {
    String id = Received.id(message, fields, ID);
    String type = Received.required(message, Received.EVENT_TYPE);
    return Received.event(message, id, type, null, null, null, null, Map.of(), data(fields));
  }

  /** An object is never wrapped, so a payload that is one was a field of the data. */
  private static byte[] data(JsonFields fields) {
    boolean wrapped =
        List.copyOf(fields.names()).equals(List.of(ID, PAYLOAD)) && !fields.isObject(PAYLOAD);
    return wrapped ? fields.value(PAYLOAD) : fields.without(ID);
  }
}
