package dev.postcommit.testkit.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/** Plans of statements as a store sends them. */
final class SentPlan {
  private static final Pattern PARAMETER = Pattern.compile("\\?");

  private SentPlan() {}

  /**
   * The plan of a statement.
   *
   * @param tx a transaction with the settings that count
   * @param options of {@code EXPLAIN}
   * @param values of the first parameters, in SQL; the others are null
   */
  static String of(Connection tx, String options, String sent, String... values)
      throws SQLException {
    AtomicInteger parameters = new AtomicInteger();
    String text = PARAMETER.matcher(sent).replaceAll(match -> "\\$" + parameters.incrementAndGet());
    String[] arguments = new String[parameters.get()];
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = i < values.length ? values[i] : "NULL";
    }
    StringBuilder plan = new StringBuilder();
    try (Statement statement = tx.createStatement()) {
      statement.execute("PREPARE sent AS " + text);
      String explain =
          "EXPLAIN (%s) EXECUTE sent(%s)".formatted(options, String.join(", ", arguments));
      try (ResultSet rows = statement.executeQuery(explain)) {
        while (rows.next()) {
          plan.append(rows.getString(1)).append('\n');
        }
      }
      statement.execute("DEALLOCATE sent");
    }
    return plan.toString();
  }
}
