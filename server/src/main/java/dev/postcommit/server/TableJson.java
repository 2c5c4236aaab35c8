package dev.postcommit.server;

import dev.postcommit.layout.Layout;
import dev.postcommit.store.OutboxAdmin.Status;
import java.util.Collection;

/** What is asked of a table as a whole, and done to it, in JSON. */
public final class TableJson {
  private TableJson() {}

  /** How it stands. */
  public static Json.Fields status(Layout layout, Status status) {
    return fields -> {
      fields.writeStringField("table", layout.table().toString());
      fields.writeStringField("layout", layout.name());
      fields.writeNumberField("pending", status.pending());
      fields.writeNumberField("in_flight", status.inFlight());
      fields.writeNumberField("delayed", status.delayed());
      fields.writeNumberField("dead", status.dead());
      fields.writeStringField(
          "oldest_pending",
          status.oldestPending() == null ? null : status.oldestPending().toString());
      fields.writeNumberField("oldest_age_seconds", status.oldestAge().toMillis() / 1000.0);
      fields.writeNumberField("relays", status.relays());
    };
  }

  /** How many delivered events were deleted. */
  public static Json.Fields pruned(Layout layout, long deleted) {
    return fields -> {
      fields.writeStringField("table", layout.table().toString());
      fields.writeNumberField("deleted", deleted);
    };
  }

  /** What became of dead events. */
  public static Json.Fields changed(
      Layout layout, DeadChange change, boolean dryRun, Collection<String> chosen, int changed) {
    return changed("table", layout.table().toString(), change.done(), dryRun, chosen, changed);
  }

  /** What became of things chosen by an operator, be they kept in a table or elsewhere. */
  static Json.Fields changed(
      String kind,
      String name,
      String done,
      boolean dryRun,
      Collection<String> chosen,
      int changed) {
    return fields -> {
      fields.writeStringField(kind, name);
      fields.writeBooleanField("dry_run", dryRun);
      fields.writeNumberField(done, changed);
      fields.writeArrayFieldStart("ids");
      for (String id : chosen) {
        fields.writeString(id);
      }
      fields.writeEndArray();
    };
  }
}
