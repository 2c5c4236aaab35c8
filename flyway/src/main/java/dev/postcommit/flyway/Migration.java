package dev.postcommit.flyway;

import dev.postcommit.PostcommitException;
import dev.postcommit.layout.TableName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.flywaydb.core.api.exception.FlywayValidateException;

/**
 * Brings one table and those beside it up to date.
 *
 * @param table the table; its migrations are remembered in a history table named after it
 * @param what what the table is, for messages
 * @param folders the folders of migrations on the class path; the first version creates the table
 *     itself
 * @param placeholders what the migrations are to be filled in with
 */
record Migration(
    TableName table, String what, List<String> folders, Map<String, String> placeholders) {
  private static final String NOTHING_IS_THERE = "0";
  private static final String TABLE_IS_THERE = "1";

  /**
   * Applies what was not applied.
   *
   * @param leftAlone whether the table is not to be created
   */
  int run(DataSource dataSource, boolean leftAlone) {
    FluentConfiguration flyway =
        Flyway.configure(Migration.class.getClassLoader())
            .dataSource(dataSource)
            .locations(folders.stream().map(folder -> "classpath:" + folder).toArray(String[]::new))
            .table(table.name() + "_history")
            .baselineOnMigrate(true)
            .baselineVersion(leftAlone ? TABLE_IS_THERE : NOTHING_IS_THERE)
            .ignoreMigrationPatterns("*:missing", "*:future")
            .placeholders(placeholders);
    if (table.schema() != null) {
      flyway.defaultSchema(table.schema()).schemas(table.schema());
    }
    try {
      return migrate(flyway);
    } catch (FlywayException e) {
      throw new PostcommitException(
          "could not migrate %s (%s): %s".formatted(table, what, e.getMessage()), e);
    }
  }

  /**
   * Migrations may have been left out that have lower versions than those that were applied: the
   * description of an adopted table may come to need more tables beside it. Flyway refuses to apply
   * them unless told to, and warns of that whenever it is told.
   */
  private static int migrate(FluentConfiguration flyway) {
    try {
      return flyway.load().migrate().migrationsExecuted;
    } catch (FlywayValidateException e) {
      return flyway.outOfOrder(true).load().migrate().migrationsExecuted;
    }
  }

  static boolean exists(DataSource dataSource, TableName table) {
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
}
