package dev.postcommit.server.table;

import dev.postcommit.store.OutboxAdmin.AuditEntry;
import java.util.List;
import java.util.Locale;

/** The audit trail in JSON. */
public final class AuditJson {
  private AuditJson() {}

  /** A list of it. */
  public static Json.Fields list(List<AuditEntry> entries) {
    return fields -> {
      fields.writeArrayFieldStart("entries");
      for (AuditEntry entry : entries) {
        fields.writeStartObject();
        fields.writeStringField("at", entry.at().toString());
        fields.writeStringField("action", action(entry));
        fields.writeStringField("operator", entry.operator());
        fields.writeStringField("reason", entry.reason());
        fields.writeStringField("id", entry.eventId());
        fields.writeStringField("type", entry.eventType());
        fields.writeStringField("aggregate_type", entry.aggregateType());
        fields.writeStringField("aggregate_id", entry.aggregateId());
        fields.writeNumberField("attempts", entry.attempts());
        fields.writeStringField("error", entry.error());
        fields.writeEndObject();
      }
      fields.writeEndArray();
    };
  }

  public static String action(AuditEntry entry) {
    return entry.action().name().toLowerCase(Locale.ROOT);
  }
}
