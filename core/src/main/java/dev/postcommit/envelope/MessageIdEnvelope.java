package dev.postcommit.envelope;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.postcommit.relay.Message;
import dev.postcommit.store.StoredEvent;
import dev.postcommit.support.JsonBytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Puts the event's id into the payload, copying the bytes of everything else. */
final class MessageIdEnvelope implements Envelope {
  private static final String NAME = "messageId";
  private static final String BETWEEN_FIELDS = ", \t\r\n";
  private static final byte[] HEAD = bytes("{\"" + NAME + "\":\"");
  private static final byte[] PAYLOAD = bytes(",\"payload\":");

  @Override
  public Message wrap(StoredEvent event, String topic) {
    return new Message(topic, event.key(), Attributes.of(event), body(event.id(), event.payload()));
  }

  private static byte[] body(String id, byte[] payload) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(payload.length + 64);
    out.writeBytes(HEAD);
    out.writeBytes(JsonStringEncoder.getInstance().quoteAsUTF8(id));
    out.write('"');
    try (JsonParser parser = JsonBytes.parser(payload)) {
      if (parser.nextToken() == JsonToken.START_OBJECT) {
        copyFields(parser, payload, out);
      } else {
        JsonBytes.check(payload);
        out.writeBytes(PAYLOAD);
        out.writeBytes(payload);
      }
    } catch (IOException e) {
      throw JsonBytes.notJson(e);
    }
    out.write('}');
    return out.toByteArray();
  }

  private static void copyFields(JsonParser parser, byte[] payload, ByteArrayOutputStream out)
      throws IOException {
    JsonToken token = parser.nextToken();
    while (token == JsonToken.FIELD_NAME) {
      int start = offset(parser);
      String name = parser.currentName();
      parser.nextToken();
      parser.skipChildren();
      token = parser.nextToken();
      if (!name.equals(NAME)) {
        out.write(',');
        out.write(payload, start, end(payload, offset(parser)) - start);
      }
    }
    JsonBytes.end(parser);
  }

  private static int offset(JsonParser parser) {
    return Math.toIntExact(parser.currentTokenLocation().getByteOffset());
  }

  /** Where a field ends that is followed by what begins at {@code next}. */
  private static int end(byte[] payload, int next) {
    int end = next;
    while (BETWEEN_FIELDS.indexOf(payload[end - 1]) >= 0) {
      end--;
    }
    return end;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
