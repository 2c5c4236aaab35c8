package dev.postcommit.flyway;

import dev.postcommit.PostcommitException;
import dev.postcommit.layout.TableName;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/**
 * Creates and upgrades a table of processed events, and the tables beside it, with Flyway.
 *
 * <p>Each table has a history table of its own, named after it, so Postcommit's migrations never
 * meet those of the application.
 */
public final class InboxMigration {
  private static final String FOLDER = "db/postcommit/inbox";
  private static final String FIRST = FOLDER + "/V1__processed_events.sql";

  private InboxMigration() {}

  /**
   * Brings a table of processed events up to date. One that is there already is left alone; only
   * Postcommit's own tables beside it are created.
   *
   * @param table the table of one consumer, as {@code processed_events}
   * @return how many migrations were applied; 0 if the tables were up to date
   * @throws PostcommitException if Flyway could not
   */
  public static int migrate(DataSource dataSource, TableName table) {
    if (InboxMigration.class.getClassLoader().getResource(FIRST) == null) {
      throw new PostcommitException(
          "could not migrate %s: %s is not on the class path; add the artifact postcommit-consumer"
              .formatted(table, FIRST));
    }
    Map<String, String> names =
        Map.of(
            "table", table.sql(),
            "name", table.name(),
            "claims", table.withSuffix("_claim").sql(),
            "consumer", table.withSuffix("_consumer").sql());
    return new Migration(table, "inbox", List.of(FOLDER), names)
        .run(dataSource, Migration.exists(dataSource, table));
  }
}
