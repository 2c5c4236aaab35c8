package dev.postcommit.consumer.envelope;

import dev.postcommit.consumer.internal.json.JsonFields;
import dev.postcommit.consumer.message.ReceivedEvent;
import dev.postcommit.consumer.message.ReceivedMessage;
import java.util.List;
import java.util.Map;

/** Reads a payload to which the event's id was added. */
final class MessageIdReader extends JsonEnvelopeReader {
  static final String ID = "messageId";
  private static final String PAYLOAD = "payload";

  @Override
  ReceivedEvent<byte[]> read(ReceivedMessage message, JsonFields fields) {
    String id = RelayHeaders.id(message, fields, ID);
    String type = RelayHeaders.required(message, RelayHeaders.EVENT_TYPE);
    return RelayHeaders.event(message, id, type, null, null, null, null, Map.of(), data(fields));
  }

  /** An object is never wrapped, so a payload that is one was a field of the data. */
  private static byte[] data(JsonFields fields) {
    boolean wrapped =
        List.copyOf(fields.names()).equals(List.of(ID, PAYLOAD)) && !fields.isObject(PAYLOAD);
    return wrapped ? fields.value(PAYLOAD) : fields.without(ID);
  }
}
