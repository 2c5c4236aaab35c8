package dev.postcommit.flyway;

import static java.util.stream.Collectors.joining;

import dev.postcommit.PostcommitException;
import dev.postcommit.layout.Layout;
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
  private static final String AUDIT = "db/postcommit/audit";
  private static final String RELAY = "db/postcommit/relay";
  private static final String FAILURE = "db/postcommit/failure";
  private static final String HEADER = "db/postcommit/header";

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
            .map(diverted -> migrate(dataSource, diverted, folders(diverted, AUDIT)))
            .orElse(0);
    List<String> folders =
        layout.diverted().isPresent() ? folders(layout, RELAY) : folders(layout, AUDIT, RELAY);
    layout.failures().ifPresent(table -> folders.add(FAILURE));
    layout.headers().ifPresent(table -> folders.add(HEADER));
    return applied + migrate(dataSource, layout, folders);
  }

  private static int migrate(DataSource dataSource, Layout layout, List<String> folders) {
    return new Migration(layout.table(), layout.name() + " layout", folders, placeholders(layout))
        .run(dataSource, isLeftAlone(dataSource, layout));
  }

  private static List<String> folders(Layout layout, String... more) {
    List<String> folders = new ArrayList<>(List.of(more));
    if (layout.migrations() != null) {
      folders.add(layout.migrations());
    }
    return folders;
  }

  /** Tables of Postcommit's own must have a history if they exist. */
  private static boolean isLeftAlone(DataSource dataSource, Layout layout) {
    return !layout.isPreset()
        || (!layout.lifecycle().kind().isOwn() && Migration.exists(dataSource, layout.table()));
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
    layout.claims().ifPresent(table -> names.put("claims", table.sql()));
    if (layout.cursor().isPresent()) {
      names.put("cursor", layout.cursor().get().sql());
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
