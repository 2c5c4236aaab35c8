package dev.postcommit.server.table;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.postcommit.layout.Layout;
import dev.postcommit.server.table.DeadChange.Chosen;
import dev.postcommit.store.OutboxAdmin.Pause;
import java.io.IOException;
import java.util.Collection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The state of a table, and changes of it, in JSON. */
public final class TableJson {
  private TableJson() {}

  /** Its state, with its relays. */
  public static Json.Fields status(Layout layout, TableStatus standing) {
    return fields -> {
      writeNames(fields, layout);
      standing.write(fields);
    };
  }

  /** Its name and layout. */
  public static void writeNames(JsonGenerator fields, Layout layout) throws IOException {
    fields.writeStringField("table", layout.table().toString());
    fields.writeStringField("layout", layout.name());
  }

  /** Whether relays are paused now, by whom and why, and whether this is new. */
  public static Json.Fields paused(Layout layout, boolean changed, Optional<Pause> pause) {
    return fields -> {
      fields.writeStringField("table", layout.table().toString());
      fields.writeBooleanField("changed", changed);
      fields.writeBooleanField("paused", pause.isPresent());
      if (pause.isPresent()) {
        fields.writeStringField("at", pause.get().at().toString());
        fields.writeStringField("operator", pause.get().operator());
        fields.writeStringField("reason", pause.get().reason());
      }
    };
  }

  /** How many delivered events were deleted. */
  public static Json.Fields pruned(Layout layout, long deleted) {
    return fields -> {
      fields.writeStringField("table", layout.table().toString());
      fields.writeNumberField("deleted", deleted);
    };
  }

  /** The result of a change of dead events. */
  public static Json.Fields changed(
      Layout layout, DeadChange change, boolean dryRun, Chosen chosen, long changed) {
    String table = layout.table().toString();
    return changed("table", table, change.done(), dryRun, chosen.count(), chosen.ids(), changed);
  }

  /**
   * What became of things chosen by an operator, be they kept in a table or elsewhere; without
   * their ids if these are null.
   */
  public static Json.Fields changed(
      String kind,
      String name,
      String done,
      boolean dryRun,
      long count,
      @Nullable Collection<String> ids,
      long changed) {
    return fields -> {
      fields.writeStringField(kind, name);
      fields.writeBooleanField("dry_run", dryRun);
      fields.writeNumberField("chosen", count);
      fields.writeNumberField(done, changed);
      if (ids != null) {
        fields.writeArrayFieldStart("ids");
        for (String id : ids) {
          fields.writeString(id);
        }
        fields.writeEndArray();
      }
    };
  }
}
