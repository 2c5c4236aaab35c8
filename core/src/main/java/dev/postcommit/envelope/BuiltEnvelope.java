package dev.postcommit.envelope;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.postcommit.internal.TraceIds;
import dev.postcommit.relay.Message;
import dev.postcommit.store.StoredEvent;
import dev.postcommit.support.JsonBytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** Builds the envelope {@link Envelope#built} describes, around the bytes of the payload. */
final class BuiltEnvelope implements Envelope {
  private final String source;

  BuiltEnvelope(String source) {
    if (source.isBlank()) {
      throw new IllegalArgumentException(
          "source must not be blank; name the service the events come from");
    }
    this.source = source;
  }

  @Override
  public Message wrap(StoredEvent event, String topic) {
    JsonBytes.check(event.payload());
    return new Message(topic, event.key(), Attributes.of(event), body(event));
  }

  private byte[] body(StoredEvent event) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(event.payload().length + 512);
    try (JsonGenerator json = JsonBytes.generator(out)) {
      json.writeStartObject();
      json.writeStringField("eventId", event.id());
      json.writeStringField("timestamp", event.createdAt().toString());
      json.writeStringField("eventType", event.type());
      json.writeNumberField("version", event.version());
      json.writeStringField("source", source);
      json.writeFieldName("data");
      json.writeRawValue("");
      json.flush();
      out.writeBytes(event.payload());
      json.writeObjectFieldStart("metadata");
      json.writeStringField("traceId", TraceIds.traceId(event));
      json.writeStringField("correlationId", TraceIds.correlationId(event));
      optional(json, "idempotencyKey", TraceIds.header(event, "idempotencyKey"), event.dedupeKey());
      optional(json, "userId", TraceIds.header(event, "userId"), null);
      json.writeEndObject();
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  private static void optional(
      JsonGenerator json, String name, @Nullable String value, @Nullable String otherwise)
      throws IOException {
    String present = value != null ? value : otherwise;
    if (present != null) {
      json.writeStringField(name, present);
    }
  }
}
