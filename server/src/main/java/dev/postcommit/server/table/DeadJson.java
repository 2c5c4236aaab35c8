package dev.postcommit.server.table;

import dev.postcommit.store.OutboxAdmin.DeadEvent;
import dev.postcommit.store.OutboxAdmin.DeadReason;
import dev.postcommit.store.OutboxAdmin.DeadSummary;
import java.util.List;

/** Dead events in JSON. */
public final class DeadJson {
  private DeadJson() {}

  /**
   * A list of the oldest, without headers and payloads.
   *
   * @param total how many there are
   */
  public static JsonObject list(List<DeadSummary> events, long total) {
    return new JsonObject()
        .set("total", total)
        .set("events", events.stream().map(DeadJson::summary).toList());
  }

  /** One, with its headers and payload. */
  public static JsonObject whole(DeadEvent dead) {
    return summary(dead.summary())
        .set("headers", dead.event().headers())
        .setContent("payload", dead.event().payload());
  }

  /** Why events are dead, the most frequent reasons first. */
  public static JsonObject reasons(List<DeadReason> reasons) {
    return new JsonObject()
        .set(
            "reasons",
            reasons.stream()
                .map(
                    each ->
                        new JsonObject().set("error", each.error()).set("events", each.events()))
                .toList());
  }

  private static JsonObject summary(DeadSummary event) {
    return new JsonObject()
        .set("id", event.id())
        .set("type", event.type())
        .set("topic", event.topic())
        .set("key", event.key())
        .set("namespace", event.namespace())
        .set("tenant", event.tenant())
        .set("dedupe_key", event.dedupeKey())
        .set("aggregate_type", event.aggregateType())
        .set("aggregate_id", event.aggregateId())
        .set("version", event.version())
        .set("attempts", event.attempts())
        .set("created_at", event.createdAt())
        .set("error", event.error())
        .set("payload_bytes", event.payloadBytes());
  }
}
