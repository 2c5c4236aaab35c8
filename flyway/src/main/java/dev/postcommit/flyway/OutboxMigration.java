package dev.postcommit.flyway;

import dev.postcommit.PostcommitException;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Lifecycle;
import dev.postcommit.layout.TableName;
import java.util.HashMap;
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
  private OutboxMigration() {}

  /**
   * Brings the tables of {@code layout} up to date.
   *
   * @return how many migrations were applied; 0 if the tables were up to date
   * @throws PostcommitException if Flyway could not
   */
  public static int migrate(DataSource dataSource, Layout layout) {
    TableName table = layout.table();
    FluentConfiguration flyway =
        Flyway.configure(OutboxMigration.class.getClassLoader())
            .dataSource(dataSource)
            .locations("classpath:db/postcommit/" + layout.name())
            .table(table.name() + "_history")
            .baselineOnMigrate(true)
            .baselineVersion("0")
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

  private static Map<String, String> placeholders(Layout layout) {
    Map<String, String> names = new HashMap<>();
    names.put("table", layout.table().sql());
    names.put("name", layout.table().name());
    if (layout.lifecycle() instanceof Lifecycle.Claimed claimed) {
      names.put("claims", claimed.claims().sql());
    }
    return names;
  }
}
