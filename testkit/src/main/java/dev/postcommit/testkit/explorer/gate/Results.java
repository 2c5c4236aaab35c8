package dev.postcommit.testkit.explorer.gate;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Describes the results of statements. */
final class Results {
  private static final int MOST_ROWS = 5;
  private static final int MOST_COLUMNS = 12;
  private static final int LONGEST = 60;

  private Results() {}

  /** Describes scrollable results, and resets them as if they were not read. */
  static String text(Statement statement) throws SQLException {
    ResultSet rows = statement.getResultSet();
    if (rows == null) {
      int count = statement.getUpdateCount();
      return count < 0 ? "done" : count + " rows";
    }
    StringBuilder text = new StringBuilder();
    int count = 0;
    while (rows.next()) {
      if (count++ < MOST_ROWS) {
        text.append(text.isEmpty() ? "" : "; ").append(row(rows));
      }
    }
    rows.beforeFirst();
    return count == 0 ? "no rows" : text + (count > MOST_ROWS ? "; … " + count + " rows" : "");
  }

  private static String row(ResultSet rows) throws SQLException {
    StringBuilder text = new StringBuilder("(");
    int columns = rows.getMetaData().getColumnCount();
    for (int i = 1; i <= Math.min(columns, MOST_COLUMNS); i++) {
      String value = String.valueOf(rows.getString(i)).replaceAll("\\s+", " ");
      text.append(i > 1 ? ", " : "")
          .append(value.length() > LONGEST ? value.substring(0, LONGEST) + "…" : value);
    }
    return text.append(columns > MOST_COLUMNS ? ", …)" : ")").toString();
  }
}
