package dev.postcommit.flyway;

import static java.util.stream.Collectors.joining;

import dev.postcommit.PostcommitException;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Lifecycle;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.sql.DataSource;

/**
 * Creates and upgrades the tables of a layout with Flyway.
 *
 * <p>Each outbox table has a history table of its own, named after it, so Postcommit's migrations
 * never meet those of the application.
 */
public final class OutboxMigration {
  private OutboxMigration() {}

  /**
   * Brings the tables of {@code layout} up to date. An adopted table, or one of a preset other than
   * our own that is there already, is left alone; only Postcommit's own tables beside it are
   * created.
   *
   * @return how many migrations were applied; 0 if the tables were up to date
   * @throws PostcommitException if Flyway could not
   */
  public static int migrate(DataSource dataSource, Layout layout) {
    int applied =
        layout
            .diverted()
            .map(diverted -> migrate(dataSource, diverted, List.of(diverted.name(), "audit")))
            .orElse(0);
    return applied + migrate(dataSource, layout, rooms(layout));
  }

  private static int migrate(DataSource dataSource, Layout layout, List<String> rooms) {
    return new Migration(layout.table(), layout.name() + " layout", rooms, placeholders(layout))
        .run(dataSource, isLeftAlone(dataSource, layout));
  }

  private static List<String> rooms(Layout layout) {
    List<String> rooms = new ArrayList<>();
    if (layout.isPreset()) {
      rooms.add(layout.name());
    }
    if (layout.diverted().isEmpty()) {
      rooms.add("audit");
    }
    rooms.add("relay");
    layout.failures().ifPresent(table -> rooms.add("failure"));
    layout.headers().ifPresent(table -> rooms.add("header"));
    return rooms;
  }

  /** Tables of Postcommit's own must have a history if they exist. */
  private static boolean isLeftAlone(DataSource dataSource, Layout layout) {
    boolean own =
        layout.lifecycle() instanceof Lifecycle.Claimed
            || layout.lifecycle() instanceof Lifecycle.Log;
    return !layout.isPreset() || (!own && Migration.exists(dataSource, layout.table()));
  }

  private static Map<String, String> placeholders(Layout layout) {
    Map<String, String> names = new HashMap<>();
    names.put("table", layout.table().sql());
    names.put("name", layout.table().name());
    names.put("audit", layout.audit().sql());
    names.put("relays", layout.relays().sql());
    names.put("pause", layout.pause().sql());
    names.put("topics", layout.topics().sql());
    layout.failures().ifPresent(table -> names.put("failures", table.sql()));
    layout.headers().ifPresent(table -> names.put("headers", table.sql()));
    if (layout.lifecycle() instanceof Lifecycle.Claimed claimed) {
      names.put("claims", claimed.claims().sql());
    }
    if (layout.lifecycle() instanceof Lifecycle.Log log) {
      names.put("cursor", log.cursor().sql());
      names.put("sequence", layout.table().withSuffix("_seq").sql());
      names.put("partition", layout.table().withSuffix("_0").sql());
      names.put("rest", layout.table().withSuffix("_rest").sql());
      names.put("diverted", layout.table().withSuffix("_diverted").sql());
      names.put("diverted_keys", layout.table().withSuffix("_diverted_dedupe").sql());
    }
    layout.dedupeKeys().ifPresent(table -> names.put("keys", table.sql()));
    layout
        .columns()
        .forEach(
            (role, column) -> {
              String name = role.name().toLowerCase(Locale.ROOT);
              names.put(name + "_type", column.type());
              names.put(
                  name + "_labels",
                  column.labels().stream().map(l -> "'" + l + "'").collect(joining(", ")));
            });
    return names;
  }
}
