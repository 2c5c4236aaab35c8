package dev.postcommit.server.table;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.postcommit.store.OutboxAdmin.DeadEvent;
import dev.postcommit.store.OutboxAdmin.DeadReason;
import dev.postcommit.store.OutboxAdmin.DeadSummary;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Dead events in JSON. */
public final class DeadJson {
  private DeadJson() {}

  /**
   * A list of the oldest, without headers and payloads.
   *
   * @param total how many there are
   */
  public static Json.Fields list(List<DeadSummary> events, long total) {
    return fields -> {
      fields.writeNumberField("total", total);
      fields.writeArrayFieldStart("events");
      for (DeadSummary dead : events) {
        fields.writeStartObject();
        write(fields, dead);
        fields.writeEndObject();
      }
      fields.writeEndArray();
    };
  }

  /** One, with its headers and payload. */
  public static Json.Fields whole(DeadEvent dead) {
    return fields -> {
      write(fields, dead.summary());
      Json.headers(fields, dead.event().headers());
      Json.content(fields, "payload", dead.event().payload());
    };
  }

  /** Why events are dead, the most frequent reasons first. */
  public static void reasons(JsonGenerator fields, List<DeadReason> reasons) throws IOException {
    fields.writeArrayFieldStart("reasons");
    for (DeadReason reason : reasons) {
      fields.writeStartObject();
      fields.writeStringField("error", reason.error());
      fields.writeNumberField("events", reason.events());
      fields.writeEndObject();
    }
    fields.writeEndArray();
  }

  private static void write(JsonGenerator fields, DeadSummary event) throws IOException {
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
    fields.writeNumberField("attempts", event.attempts());
    fields.writeStringField("created_at", event.createdAt().toString());
    fields.writeStringField("error", event.error());
    fields.writeNumberField("payload_bytes", event.payloadBytes());
  }

  private static @Nullable String text(@Nullable Object value) {
    return value == null ? null : value.toString();
  }
}
