package dev.postcommit.testkit.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/** Plans of statements as they are made for a statement that is used again and again. */
final class GenericPlan {
  private static final Pattern PARAMETER = Pattern.compile("\\?");

  private GenericPlan() {}

  /**
   * The plan of a statement as a store sends it.
   *
   * @param tx a transaction with the settings that count
   * @param options of {@code EXPLAIN}
   */
  static String of(Connection tx, String options, String sent) throws SQLException {
    AtomicInteger parameters = new AtomicInteger();
    String text = PARAMETER.matcher(sent).replaceAll(match -> "\\$" + parameters.incrementAndGet());
    String nulls = String.join(", ", Collections.nCopies(parameters.get(), "NULL"));
    StringBuilder plan = new StringBuilder();
    try (Statement statement = tx.createStatement()) {
      statement.execute("SET LOCAL plan_cache_mode = force_generic_plan");
      statement.execute("PREPARE sent AS " + text);
      try (ResultSet rows =
          statement.executeQuery("EXPLAIN (%s) EXECUTE sent(%s)".formatted(options, nulls))) {
        while (rows.next()) {
          plan.append(rows.getString(1)).append('\n');
        }
      }
      statement.execute("DEALLOCATE sent");
    }
    return plan.toString();
  }
}
