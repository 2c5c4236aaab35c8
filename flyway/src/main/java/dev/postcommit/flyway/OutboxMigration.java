package dev.postcommit.flyway;

import static java.util.stream.Collectors.joining;

import dev.postcommit.PostcommitException;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Lifecycle;
import dev.postcommit.layout.TableName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.configuration.FluentConfiguration;

/**
 * Creates and upgrades the tables of a layout with Flyway.
 *
 * <p>Each outbox table has a history table of its own, named after it, so Postcommit's migrations
 * never meet those of the application.
 */
public final class OutboxMigration {
  private static final String NOTHING_IS_THERE = "0";
  private static final String TABLE_IS_THERE = "1";

  private OutboxMigration() {}

  /**
   * Brings the tables of {@code layout} up to date. An adopted table, or one of a preset other than
   * the native one that is there already, is left alone; only Postcommit's own tables beside it are
   * created.
   *
   * @return how many migrations were applied; 0 if the tables were up to date
   * @throws PostcommitException if Flyway could not
   */
  public static int migrate(DataSource dataSource, Layout layout) {
    TableName table = layout.table();
    FluentConfiguration flyway =
        Flyway.configure(OutboxMigration.class.getClassLoader())
            .dataSource(dataSource)
            .locations(locations(layout))
            .table(table.name() + "_history")
            .baselineOnMigrate(true)
            .baselineVersion(isLeftAlone(dataSource, layout) ? TABLE_IS_THERE : NOTHING_IS_THERE)
            // The description of an adopted table may come to need more or fewer tables beside it.
            .outOfOrder(true)
            .ignoreMigrationPatterns("*:missing")
            .placeholders(placeholders(layout));
    if (table.schema() != null) {
      flyway.defaultSchema(table.schema()).schemas(table.schema());
    }
    try {
      return flyway.load().migrate().migrationsExecuted;
    } catch (FlywayException e) {
      throw new PostcommitException(
          "could not migrate %s (%s layout): %s".formatted(table, layout.name(), e.getMessage()),
          e);
    }
  }

  private static String[] locations(Layout layout) {
    List<String> rooms = new ArrayList<>();
    if (layout.isPreset()) {
      rooms.add(layout.name());
    }
    rooms.add("audit");
    layout.failures().ifPresent(table -> rooms.add("failure"));
    layout.headers().ifPresent(table -> rooms.add("header"));
    return rooms.stream().map(room -> "classpath:db/postcommit/" + room).toArray(String[]::new);
  }

  /** The native table is nobody else's: one that is there without a history is a mistake. */
  private static boolean isLeftAlone(DataSource dataSource, Layout layout) {
    return !layout.isPreset()
        || (!(layout.lifecycle() instanceof Lifecycle.Claimed)
            && exists(dataSource, layout.table()));
  }

  private static boolean exists(DataSource dataSource, TableName table) {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement statement =
            connection.prepareStatement("SELECT to_regclass(?) IS NOT NULL")) {
      statement.setString(1, table.sql());
      try (ResultSet row = statement.executeQuery()) {
        return row.next() && row.getBoolean(1);
      }
    } catch (SQLException e) {
      throw new PostcommitException("could not look for " + table + ": " + e.getMessage(), e);
    }
  }

  private static Map<String, String> placeholders(Layout layout) {
    Map<String, String> names = new HashMap<>();
    names.put("table", layout.table().sql());
    names.put("name", layout.table().name());
    names.put("audit", layout.audit().sql());
    layout.failures().ifPresent(table -> names.put("failures", table.sql()));
    layout.headers().ifPresent(table -> names.put("headers", table.sql()));
    if (layout.lifecycle() instanceof Lifecycle.Claimed claimed) {
      names.put("claims", claimed.claims().sql());
    }
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
