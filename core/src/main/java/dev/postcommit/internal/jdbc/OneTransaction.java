package dev.postcommit.internal.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Several statements in one text that are one transaction, for a connection in auto-commit mode.
 *
 * <p>Postgres makes one transaction of statements that reach it together, but a driver may send
 * them one by one, and so end a transaction after each: pgJDBC does so with {@code
 * stringtype=unspecified} and with {@code preferQueryMode=simple}. So the text itself says where
 * the transaction begins and ends. Where the driver sends it whole it is one round trip, and a
 * process that freezes meanwhile does not keep the transaction open.
 */
public final class OneTransaction {
  private static final String BEGIN = "BEGIN";

  private OneTransaction() {}

  /** The text of a transaction of these statements. */
  public static String of(String... statements) {
    return BEGIN + ";\n" + String.join(";\n", statements) + ";\nCOMMIT";
  }

  /**
   * Executes such a text. The current result is that of the first statement given, and the next
   * ones are those of the others.
   */
  public static void execute(PreparedStatement statement) throws SQLException {
    try {
      statement.execute();
    } catch (SQLException | RuntimeException e) {
      rollBack(statement.getConnection(), e);
      throw e;
    }
    statement.getMoreResults();
  }

  /** Ends a failed transaction, so that the next user of the connection does not inherit it. */
  private static void rollBack(Connection connection, Exception failure) {
    try {
      if (!connection.isClosed()) {
        try (Statement statement = connection.createStatement()) {
          statement.execute("ROLLBACK");
        }
      }
    } catch (SQLException e) {
      failure.addSuppressed(e);
    }
  }
}
