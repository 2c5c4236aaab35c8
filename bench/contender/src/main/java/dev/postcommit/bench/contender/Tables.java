package dev.postcommit.bench.contender;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;

/** Statements for tables as a whole. */
public final class Tables {
  /** An SQL expression for the body of an event long delivered, of 300 bytes. */
  public static final String HISTORIC_BODY =
      "'{\"n\":\"run0-0\",\"pad\":\"' || repeat('x', 275) || '\"}'";

  private Tables() {}

  /** Empties tables. */
  public static void truncate(DataSource dataSource, List<String> tables) throws SQLException {
    if (!tables.isEmpty()) {
      execute(dataSource, "TRUNCATE " + String.join(", ", tables));
    }
  }

  /** Runs a statement, or several, outside any transaction. */
  public static void execute(DataSource dataSource, String sql) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(true);
      statement.execute(sql);
    }
  }
}
