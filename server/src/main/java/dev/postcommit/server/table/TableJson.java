package dev.postcommit.server.table;

import dev.postcommit.layout.Layout;
import dev.postcommit.server.table.DeadChange.Chosen;
import dev.postcommit.store.OutboxAdmin.Pause;
import java.util.Collection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The state of a table, and changes of it, in JSON. */
public final class TableJson {
  private TableJson() {}

  /** Its name and layout. */
  public static JsonObject names(Layout layout) {
    return table(layout).set("layout", layout.name());
  }

  static JsonObject table(Layout layout) {
    return new JsonObject().set("table", layout.table());
  }

  /** Whether relays are paused now, by whom and why, and whether this is new. */
  public static JsonObject paused(Layout layout, boolean changed, Optional<Pause> pause) {
    JsonObject paused = table(layout).set("changed", changed).set("paused", pause.isPresent());
    pause.map(TableJson::decided).ifPresent(paused::setAll);
    return paused;
  }

  /** When an operator decided something, who, and why. */
  static JsonObject decided(Pause decision) {
    return new JsonObject()
        .set("at", decision.at())
        .set("operator", decision.operator())
        .set("reason", decision.reason());
  }

  /** How many delivered events were deleted. */
  public static JsonObject pruned(Layout layout, long deleted) {
    return table(layout).set("deleted", deleted);
  }

  /** The result of a change of dead events. */
  public static JsonObject changed(
      Layout layout, DeadChange change, boolean dryRun, Chosen chosen, long changed) {
    String table = layout.table().toString();
    return changed("table", table, change.done(), dryRun, chosen.count(), chosen.ids(), changed);
  }

  /**
   * What became of things chosen by an operator, be they kept in a table or elsewhere; without
   * their ids if these are null.
   */
  public static JsonObject changed(
      String kind,
      String name,
      String done,
      boolean dryRun,
      long count,
      @Nullable Collection<String> ids,
      long changed) {
    JsonObject result =
        new JsonObject()
            .set(kind, name)
            .set("dry_run", dryRun)
            .set("chosen", count)
            .set(done, changed);
    return ids == null ? result : result.set("ids", ids);
  }
}
