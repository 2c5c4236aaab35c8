package dev.postcommit.server;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.postcommit.store.OutboxAdmin.DeadEvent;
import dev.postcommit.store.StoredEvent;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The fields of a dead event in JSON, all but its headers and payload. */
final class DeadJson {
  private DeadJson() {}

  static void write(JsonGenerator fields, DeadEvent dead) throws IOException {
    StoredEvent event = dead.event();
    fields.writeStringField("id", event.id());
    fields.writeStringField("type", event.type());
    fields.writeStringField("topic", event.topic());
    fields.writeStringField("key", event.key());
    fields.writeStringField("namespace", event.namespace());
    fields.writeStringField("tenant", text(event.tenant()));
    fields.writeStringField("dedupe_key", event.dedupeKey());
    fields.writeStringField("aggregate_type", event.aggregateType());
    fields.writeStringField("aggregate_id", event.aggregateId());
    fields.writeNumberField("version", event.version());
    fields.writeNumberField("attempts", event.attempt());
    fields.writeStringField("created_at", event.createdAt().toString());
    fields.writeStringField("error", dead.error());
    fields.writeNumberField("payload_bytes", event.payload().length);
  }

  private static @Nullable String text(@Nullable Object value) {
    return value == null ? null : value.toString();
  }
}
