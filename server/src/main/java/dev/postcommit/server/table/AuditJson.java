package dev.postcommit.server.table;

import dev.postcommit.store.OutboxAdmin.AuditEntry;
import java.util.List;
import java.util.Locale;

/** The audit trail in JSON. */
public final class AuditJson {
  private AuditJson() {}

  /** A list of it. */
  public static JsonObject list(List<AuditEntry> entries) {
    return new JsonObject().set("entries", entries.stream().map(AuditJson::entry).toList());
  }

  private static JsonObject entry(AuditEntry entry) {
    return new JsonObject()
        .set("at", entry.at())
        .set("action", action(entry))
        .set("operator", entry.operator())
        .set("reason", entry.reason())
        .set("id", entry.eventId())
        .set("type", entry.eventType())
        .set("aggregate_type", entry.aggregateType())
        .set("aggregate_id", entry.aggregateId())
        .set("attempts", entry.attempts())
        .set("error", entry.error());
  }

  public static String action(AuditEntry entry) {
    return entry.action().name().toLowerCase(Locale.ROOT);
  }
}
